package nfse_test

import (
	"testing"
	"time"

	"emissor/nfse"
)

func TestDay_OfAMoment(t *testing.T) {
	for at, want := range map[string]nfse.Day{
		"2026-12-01T02:59:59.999Z":  "2026-11-30",
		"2026-12-01T03:00:00Z":      "2026-12-01",
		"2027-01-01T02:59:59Z":      "2026-12-31",
		"2026-12-31T23:59:59-03:00": "2026-12-31",
		"2027-01-01T12:00:00+14:00": "2026-12-31",
	} {
		moment, err := time.Parse(time.RFC3339, at)
		if day := nfse.DayOf(moment); err != nil || day != want {
			t.Errorf("%s is of %s, want %s", at, day, want)
		}
	}
}

func TestDay_Parse(t *testing.T) {
	for text, good := range map[string]bool{
		"2026-11-30": true, "2028-02-29": true, "2000-01-01": true, "2099-12-31": true,
		"": false, "2026-02-29": false, "30/11/2026": false, "2026-11-3": false, "1999-12-31": false,
		"2100-01-01": false, "2026-11-30T00:00:00Z": false,
	} {
		if day, err := nfse.ParseDay(text); (err == nil) != good || good && string(day) != text {
			t.Errorf("%q is %q, %v", text, day, err)
		}
	}
}

func TestDay_BeginAndBefore(t *testing.T) {
	begin := time.Date(2027, 1, 1, 3, 0, 0, 0, time.UTC)
	if day := nfse.Day("2027-01-01"); !day.Begin().Equal(begin) || day.Before(0) != day ||
		day.Before(1) != "2026-12-31" || day.Before(31) != "2026-12-01" {
		t.Errorf("it begins at %s, after %s", day.Begin(), day.Before(1))
	}
	for _, none := range []nfse.Day{"", "2026-02-30", "today"} {
		if !none.Begin().IsZero() {
			t.Errorf("%q begins at %s", none, none.Begin())
		}
	}
}
