package nfse_test

import (
	"testing"

	"emissor/nfse"
)

func TestParseMonth(t *testing.T) {
	if month, err := nfse.ParseMonth("2026-11"); month != "2026-11" || err != nil {
		t.Error(month, err)
	}
	for _, wrong := range []string{"", "2026-13", "2026-1", "2026-11-01", "1999-12", "2100-01", "11/2026"} {
		if month, err := nfse.ParseMonth(wrong); err == nil {
			t.Errorf("%q is read as %s", wrong, month)
		}
	}
}

func TestDay_MonthBefore(t *testing.T) {
	for day, want := range map[nfse.Day]nfse.Month{
		"2026-11-30": "2026-10", "2026-03-31": "2026-02", "2026-01-01": "2025-12",
	} {
		if got := day.MonthBefore(); got != want {
			t.Errorf("before %s is %s, want %s", day, got, want)
		}
	}
}
