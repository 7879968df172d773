package checkdigit

import (
	"fmt"
	"strconv"
)

// postalRanges give the state of a CEP by its first five digits.
var postalRanges = []struct {
	from, to int
	state    string
}{
	{1000, 19999, "SP"}, {20000, 28999, "RJ"}, {29000, 29999, "ES"}, {30000, 39999, "MG"}, {40000, 48999, "BA"},
	{49000, 49999, "SE"}, {50000, 56999, "PE"}, {57000, 57999, "AL"}, {58000, 58999, "PB"}, {59000, 59999, "RN"},
	{60000, 63999, "CE"}, {64000, 64999, "PI"}, {65000, 65999, "MA"}, {66000, 68899, "PA"}, {68900, 68999, "AP"},
	{69000, 69299, "AM"}, {69300, 69399, "RR"}, {69400, 69899, "AM"}, {69900, 69999, "AC"}, {70000, 72799, "DF"},
	{72800, 72999, "GO"}, {73000, 73699, "DF"}, {73700, 76799, "GO"}, {76800, 76999, "RO"}, {77000, 77999, "TO"},
	{78000, 78899, "MT"}, {78900, 78999, "RO"}, {79000, 79999, "MS"}, {80000, 87999, "PR"}, {88000, 89999, "SC"},
	{90000, 99999, "RS"},
}

// StateOfCEP is the state that a CEP of eight digits lies in; empty where none is given out.
func StateOfCEP(cep string) string {
	prefix, err := strconv.Atoi(cep[:min(5, len(cep))])
	if err != nil || len(cep) != 8 {
		return ""
	}
	for _, r := range postalRanges {
		if r.from <= prefix && prefix <= r.to {
			return r.state
		}
	}
	return ""
}

// FirstCEP is the first one of a state.
func FirstCEP(state string) string {
	for _, r := range postalRanges {
		if r.state == state {
			return fmt.Sprintf("%05d000", r.from)
		}
	}
	return "00000000"
}
