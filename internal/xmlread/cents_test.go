package xmlread_test

import (
	"testing"

	"emissor/internal/xmlread"
)

func TestCents(t *testing.T) {
	t.Parallel()
	for amount, want := range map[string]int64{
		"0": 0, "0.00": 0, "0.07": 7, "1500": 150000, "1500.5": 150050, "1500.": 150000, "25152.69": 2515269,
		"999999999999999.99": 99999999999999999,
	} {
		if cents, ok := xmlread.Cents(amount); !ok || cents != want {
			t.Errorf("%s is %d, %v", amount, cents, ok)
		}
	}
	for _, amount := range []string{
		"", ".", ".5", "-1.00", "+1.00", "1,00", "1.000", "1.2.3", "1e3", " 1", "1_0", "٣", "NaN",
		"1000000000000000.00",
	} {
		if cents, ok := xmlread.Cents(amount); ok {
			t.Errorf("%q is read as %d", amount, cents)
		}
	}
}
