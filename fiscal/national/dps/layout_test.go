package dps

import (
	"errors"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
)

func TestParseSchedule(t *testing.T) {
	for _, words := range []string{"1.01", " 1.01 ", "1.01,1.01@2026-12-01", "1.01, 1.01@2026-12-01, 1.01@2027-01-01"} {
		if _, err := ParseSchedule(words); err != nil {
			t.Errorf("%q: %v", words, err)
		}
	}
	for words, want := range map[string]string{
		"":                                     "not built",
		"1.00":                                 `layout "1.00" is not built into this program, which has: 1.01`,
		"1.01,nt009@2026-12-01":                `layout "nt009" is not built into this program, which has: 1.01`,
		"1.01@2026-12-01":                      "the first has no date",
		"1.01,1.01":                            "every other has one",
		"1.01,1.01@01/12/2026":                 "no date",
		"1.01,1.01@2026-13-01":                 "no date",
		"1.01,1.01@2027-1-1":                   "no date",
		"1.01,1.01@":                           "no date",
		"1.01,1.01@2027-01-01,1.01@2026-01-01": "not in order",
		"1.01,1.01@2027-01-01,1.01@2027-01-01": "not in order",
	} {
		if _, err := ParseSchedule(words); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", words, err, want)
		}
	}
}

// The layout changes at midnight in Brasília.
func TestSchedule_LayoutOn(t *testing.T) {
	next, last := layout{name: "next"}, layout{name: "last"}
	schedule := Schedule{changes: []layoutChange{{"", &layout101}, {"2026-12-01", &next}, {"2027-01-01", &last}}}
	for moment, want := range map[string]string{
		"2020-01-01T00:00:00Z": "1.01", "2026-12-01T02:59:59Z": "1.01",
		"2026-12-01T03:00:00Z": "next", "2026-12-31T23:59:59-03:00": "next",
		"2027-01-01T00:00:00-03:00": "last", "2050-01-01T00:00:00Z": "last",
	} {
		at, err := time.Parse(time.RFC3339, moment)
		if err != nil {
			t.Fatal(err)
		}
		if got := schedule.layoutOn(at).name; got != want {
			t.Errorf("%s: %s, want %s", moment, got, want)
		}
		if got := (Schedule{}).layoutOn(at).name; got != "1.01" {
			t.Errorf("%s: the zero schedule has %s", moment, got)
		}
	}
}

// What an answer asked for comes before the schedule.
func TestSignDeclaration_Layout(t *testing.T) {
	next := layout{name: "next", version: "9.99", dps: layout101.dps}
	declaration, signer := nationaltest.Declaration(), Signer{Layouts: Schedule{changes: []layoutChange{{"", &next}}}}
	message, err := signer.SignDeclaration(declaration, nationaltest.Credentials(t), nationaltest.At)
	if err != nil || message.Layout != "next" || !strings.Contains(string(message.XML), `versao="9.99"`) {
		t.Errorf("by schedule: %s, %v", message.Layout, err)
	}
	declaration.Layout = "1.01"
	message, err = signer.SignDeclaration(declaration, nationaltest.Credentials(t), nationaltest.At)
	if err != nil || message.Layout != "1.01" {
		t.Errorf("by the answer: %s, %v", message.Layout, err)
	}
	declaration.Layout = "nt009"
	_, err = signer.SignDeclaration(declaration, nationaltest.Credentials(t), nationaltest.At)
	var unknown *fiscal.LayoutError
	if !errors.As(err, &unknown) || unknown.Layout != "nt009" || !strings.Contains(err.Error(), "is not built") {
		t.Errorf("one that is not built: %v", err)
	}
}
