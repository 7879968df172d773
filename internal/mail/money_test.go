package mail

import "testing"

func TestMailMessage_Money(t *testing.T) {
	for cents, expected := range map[int64]string{
		1: "0,01", 10: "0,10", 100: "1,00", 99999: "999,99", 100000: "1.000,00", 123456789: "1.234.567,89",
		999999999999999: "9.999.999.999.999,99",
	} {
		if printed := money(cents, ".", ","); printed != expected {
			t.Errorf("%d is printed %s, expected %s", cents, printed, expected)
		}
	}
}
