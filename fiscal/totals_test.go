package fiscal_test

import (
	"strconv"
	"testing"

	"emissor/fiscal"
	"emissor/nfse/fact"
)

// An amount is read where it is there once; what is not there is nil, and what cannot be read
// is nil and an alarm.
func TestTotalsReader(t *testing.T) {
	t.Parallel()
	reader := fiscal.TotalsReader{Cents: func(amount string) (int64, bool) {
		cents, err := strconv.ParseInt(amount, 10, 64)
		return cents, err == nil
	}}
	if one := reader.Amount("one", []string{" 7\n"}); one == nil || *one != 7 {
		t.Errorf("one is %v", one)
	}
	if zero := reader.Amount("zero", []string{"0"}); zero == nil || *zero != 0 {
		t.Errorf("zero is %v", zero)
	}
	if word := reader.Word("word", []string{" b "}, "a", "b"); word != "b" {
		t.Errorf("the word is %q", word)
	}
	if reader.Filled("nothing", []string{"0"}) != nil || reader.Filled("absent", nil) != nil ||
		reader.Word("absent", nil, "a") != "" {
		t.Error("something is read of nothing")
	}
	if alarm := reader.Alarm(); !alarm.None() || !reader.Reads("one", "zero", "word") {
		t.Errorf("what can be read alarms: %s", alarm)
	}
	for _, texts := range [][]string{{"x"}, {""}, {"7", "7"}, {"7", "8"}} {
		if read := reader.Amount("amount", texts); read != nil {
			t.Errorf("%q is read as %d", texts, *read)
		}
	}
	if reader.Word("word", []string{"c"}, "a", "b") != "" || reader.Word("word", []string{"a", "a"}, "a") != "" {
		t.Error("another word is read")
	}
	want := fact.TotalsUnread.With("elements", "amount, amount, amount, amount, word, word")
	if alarm := reader.Alarm(); !alarm.Equal(want) || reader.Reads("x", "word") || !reader.Reads("one") {
		t.Errorf("the alarm is %s", alarm)
	}
}
