package nfse_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"emissor/nfse"
)

func TestRate_ExactThereAndBack(t *testing.T) {
	for hundredths := 1; hundredths <= 500; hundredths++ {
		rate := nfse.Rate(hundredths)
		long := fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
		for _, sent := range []string{rate.String(), long} {
			got, err := nfse.ParseRate(sent)
			if err != nil || got != rate {
				t.Fatalf("%s is read as %d: %v", sent, got, err)
			}
		}
		encoded, err := json.Marshal(rate)
		if err != nil || string(encoded) != rate.String() {
			t.Fatalf("%d is printed %s: %v", hundredths, encoded, err)
		}
		var again nfse.Rate
		if err := json.Unmarshal(encoded, &again); err != nil || again != rate {
			t.Fatalf("%s is read as %d: %v", encoded, again, err)
		}
	}
}

func TestRate_PrintsShort(t *testing.T) {
	for rate, text := range map[nfse.Rate]string{1: "0.01", 10: "0.1", 100: "1", 201: "2.01", 250: "2.5", 500: "5",
		0: "0", 1000: "10"} {
		if rate.String() != text {
			t.Errorf("%d is printed %q, expected %q", int(rate), rate, text)
		}
	}
}

func TestRate_Refused(t *testing.T) {
	for _, sent := range []string{
		"", "0", "0.0", "0.00", "-1", "+1", "5.01", "6", "500", "10000", "99999999999999999999", "1.001", "2.010", ".5",
		"5.",
		"05", "00.5", "1e0", "2E0", "0x2", "2,01", " 2", "2 ", "2\n", "NaN", "Infinity", "null", `"2"`, "٢", "1_0",
	} {
		if rate, err := nfse.ParseRate(sent); err == nil || rate != 0 {
			t.Errorf("%q is read as %d", sent, rate)
		}
	}
}

func FuzzParseRate(f *testing.F) {
	for _, seed := range []string{"2.01", "5", "0.01", "5.00", "0", "-1", "1e1", "1.005"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		rate, err := nfse.ParseRate(sent)
		if err != nil {
			return
		}
		if rate < 1 || rate > nfse.MaxRate {
			t.Fatalf("%q is read as %d", sent, rate)
		}
		exact, ok := new(big.Rat).SetString(sent)
		if !ok || exact.Cmp(big.NewRat(int64(rate), 100)) != 0 {
			t.Fatalf("%q is read as %d hundredths", sent, rate)
		}
		if !json.Valid([]byte(sent)) {
			t.Fatalf("%q is no JSON number and is accepted", sent)
		}
	})
}
