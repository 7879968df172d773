package rps

import (
	"testing"

	"emissor/nfse"
)

// The official example of layout 2, and its variants by the manual's table.
func TestSigned_Text(t *testing.T) {
	example := signed{
		key: Key{"123456789012", "RTNT", 1}, date: "2026-01-01", taxation: "T", status: "N", amountCents: 20500_00,
		deductionsCents: 5000_00, serviceCode: "2658", taker: "13167474254",
	}
	const want = "123456789012RTNT 00000000000120260101TNN00000000205000000000000050000002658100013167474254"
	if got := example.text(); got != want || len(got) != 90 {
		t.Errorf("%d characters\n%s\n%s", len(got), got, want)
	}
	company := example
	company.taker, company.withheld = "12ABC34501DE35", true
	if got := company.text(); got[39:40] != "S" || got[75:] != "212ABC34501DE35" {
		t.Error(got)
	}
	mediated := example
	mediated.intermediary = &intermediary{"09999999000106", true}
	if got := mediated.text(); got != want+"209999999000106S" || len(got) != 106 {
		t.Error(got)
	}
	nobody := example
	nobody.taker = ""
	if got := nobody.text(); got != want[:75]+"300000000000000" {
		t.Error(got)
	}
	foreign := nobody
	foreign.foreignTaker = new("US-123")
	if got := foreign.text(); got != want[:75]+"400000000000000US-123" {
		t.Error(got)
	}
}

// The official example of layout 1 differs from that of layout 2 by its registration
// of 8 digits alone.
func TestSigned_TextOfLayout1(t *testing.T) {
	example := signed{
		key: Key{"31000000", "OL03", 1}, date: "2007-01-03", taxation: "T", status: "N", amountCents: 20500_00,
		deductionsCents: 5000_00, serviceCode: "2658", taker: "13167474254",
	}
	const want = "31000000OL03 00000000000120070103TNN00000000205000000000000050000002658100013167474254"
	if got := example.text(); got != "0000"+want {
		t.Errorf("%s\n%s", got, want)
	}
}

func TestCancellationText(t *testing.T) {
	for wide, want := range map[bool]string{false: "31000000000000000009", true: "000031000000000000000009"} {
		if got := cancellationText("31000000", 9, wide); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestFraction(t *testing.T) {
	for rate, want := range map[nfse.Rate]string{290: "0.029", 500: "0.05", 201: "0.0201", 200: "0.02", 1: "0.0001",
		0: "0"} {
		if got := fraction(&rate); got != want {
			t.Errorf("%d: %s, want %s", rate, got, want)
		}
	}
	if fraction(nil) != "0" {
		t.Error("no rate is not 0")
	}
}

func TestCents(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "0.05": 5, "1500": 150000, "1500.5": 150050, "1500.50": 150050, " 1.00 ": 100,
		"": -1, "-1": -1, "1.234": -1, "x": -1, "1,00": -1, "+1": -1, "12345678901234": -1, ".": -1,
	} {
		got, ok := Cents(text)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %d, %t", text, got, ok)
		}
	}
}
