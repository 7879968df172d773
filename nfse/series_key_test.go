package nfse_test

import (
	"testing"

	"emissor/nfse"
)

// However a registration is written, the series is the same.
func TestFiscalProfile_SeriesKey(t *testing.T) {
	of := func(registration string) nfse.SeriesKey {
		return nfse.FiscalProfile{Authority: "x", Series: 3, MunicipalRegistration: &registration}.SeriesKey()
	}
	if of("31000000") != of("000031000000") || of("31000000") == of("31000001") {
		t.Errorf("%+v, %+v", of("31000000"), of("000031000000"))
	}
	if none := (nfse.FiscalProfile{}).SeriesKey(); none.Registration != "" {
		t.Errorf("%+v", none)
	}
}
