package sefin

import (
	"slices"
	"strconv"
	"strings"
)

// modulo11 is the check digit of a text by weights that run from 2 upwards, from
// the right, and begin again after most. The value of a character is its place
// in ASCII after 0, so that letters count too.
func modulo11(text string, most int) byte {
	sum, weight := 0, 2
	for i := len(text) - 1; i >= 0; i-- {
		sum += int(text[i]-'0') * weight
		if weight++; weight > most {
			weight = 2
		}
	}
	if rest := sum % 11; rest >= 2 {
		return byte('0' + 11 - rest)
	}
	return '0'
}

func digits(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// validCNPJ checks the two digits of a CNPJ, numeric or alphanumeric.
func validCNPJ(cnpj string) bool {
	if len(cnpj) != 14 || !digits(cnpj[12:]) || cnpj == strings.Repeat(cnpj[:1], 14) {
		return false
	}
	return cnpj[12] == modulo11(cnpj[:12], 9) && cnpj[13] == modulo11(cnpj[:13], 9)
}

// validCPF checks the two digits of a CPF.
func validCPF(cpf string) bool {
	if len(cpf) != 11 || !digits(cpf) || cpf == strings.Repeat(cpf[:1], 11) {
		return false
	}
	return cpf[9] == modulo11(cpf[:9], 10) && cpf[10] == modulo11(cpf[:10], 11)
}

// validKey checks the form and the digit of an access key.
func validKey(key string) bool {
	return len(key) == 50 && digits(key[:9]) && digits(key[23:]) && key[49] == modulo11(key[:49], 9)
}

// states are the first two digits of a municipality code.
var states = map[string]string{
	"11": "RO", "12": "AC", "13": "AM", "14": "RR", "15": "PA", "16": "AP", "17": "TO",
	"21": "MA", "22": "PI", "23": "CE", "24": "RN", "25": "PB", "26": "PE", "27": "AL", "28": "SE", "29": "BA",
	"31": "MG", "32": "ES", "33": "RJ", "35": "SP", "41": "PR", "42": "SC", "43": "RS",
	"50": "MS", "51": "MT", "52": "GO", "53": "DF",
}

// irregularMunicipalities are the codes whose last digit is not the one computed.
var irregularMunicipalities = []string{
	"2201919", "2201988", "2202251", "2611533", "3117836", "3152131", "4305871", "5203939", "5203962",
}

// municipalityExists tells whether IBGE could have given a code: its state exists
// and its last digit is right. It does not know the list of municipalities.
func municipalityExists(code string) bool {
	if len(code) != 7 || !digits(code) || states[code[:2]] == "" {
		return false
	}
	sum := 0
	for i := range 6 {
		product := int(code[i]-'0') * (1 + i%2)
		sum += product/10 + product%10
	}
	return int(code[6]-'0') == (10-sum%10)%10 || slices.Contains(irregularMunicipalities, code)
}

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

// stateOfCEP is empty where no CEP is given out.
func stateOfCEP(cep string) string {
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

// cents reads a TSDec15V2.
func cents(amount string) int64 {
	whole, fraction, _ := strings.Cut(amount, ".")
	value, _ := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
	return value
}

// money prints cents as a TSDec15V2.
func money(value int64) string { return strconv.FormatInt(value/100, 10) + "." + twoDigits(value%100) }

func twoDigits(value int64) string {
	if value < 10 {
		return "0" + strconv.FormatInt(value, 10)
	}
	return strconv.FormatInt(value, 10)
}

// share is a percentage (in hundredths of a percent) of an amount in cents,
// rounded half up.
func share(amount, percent int64) int64 { return (amount*percent + 5000) / 10000 }
