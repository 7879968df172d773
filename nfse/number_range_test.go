package nfse_test

import (
	"testing"

	"pgregory.net/rapid"

	"emissor/nfse"
)

func TestParseNumberRange(t *testing.T) {
	for _, text := range []string{"", "1", "-", "0-5", "-1-5", "5-4", "1-x", "1-5-9", "1,5", "99999999999999999999-1"} {
		if read, err := nfse.ParseNumberRange(text); err == nil {
			t.Errorf("%q is read as %s", text, read)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		granted := nfse.NumberRange{First: rapid.Int64Range(1, 1e15).Draw(t, "first")}
		granted.Last = rapid.Int64Range(granted.First, 1e15).Draw(t, "last")
		if read, err := nfse.ParseNumberRange(granted.String()); err != nil || read != granted {
			t.Fatalf("%s is read as %s, %v", granted, read, err)
		}
	})
}

func TestNumberRange_Left(t *testing.T) {
	for _, c := range []struct {
		granted    nfse.NumberRange
		next, left int64
		few        bool
	}{
		{nfse.NumberRange{First: 1, Last: 500}, 1, 500, false},
		{nfse.NumberRange{First: 1, Last: 500}, 451, 50, false},
		{nfse.NumberRange{First: 1, Last: 500}, 452, 49, true},
		{nfse.NumberRange{First: 1001, Last: 1100}, 500, 100, false}, // above a gap
		{nfse.NumberRange{First: 1, Last: 100}, 81, 20, false},
		{nfse.NumberRange{First: 1, Last: 100}, 82, 19, true},
		{nfse.NumberRange{First: 1, Last: 100}, 101, 0, true},
		{nfse.NumberRange{First: 1, Last: 100}, 4000, 0, true},
	} {
		if left, few := c.granted.Left(c.next); left != c.left || few != c.few {
			t.Errorf("of %s before %d are left %d, few: %t", c.granted, c.next, left, few)
		}
	}
}
