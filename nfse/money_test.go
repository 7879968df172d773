package nfse_test

import (
	"testing"

	"emissor/nfse"
)

func TestReais(t *testing.T) {
	for cents, expected := range map[int64]string{
		1: "R$ 0,01", 10: "R$ 0,10", 100: "R$ 1,00", 99999: "R$ 999,99", 100000: "R$ 1.000,00",
		123456789: "R$ 1.234.567,89", 999999999999999: "R$ 9.999.999.999.999,99",
	} {
		if printed := nfse.Reais(cents); printed != expected {
			t.Errorf("%d is printed %s, expected %s", cents, printed, expected)
		}
	}
}
