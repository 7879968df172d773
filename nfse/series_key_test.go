package nfse_test

import (
	"strings"
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

// A series is written in one word, and read again.
func TestSeriesKey_InOneWord(t *testing.T) {
	registration := "000031000000"
	profile := nfse.FiscalProfile{Authority: "sao-paulo", Production: true, TaxID: "11222333000181",
		MunicipalityCode: "3550308", Series: 1}
	without := profile.SeriesKey()
	profile.MunicipalRegistration = &registration
	for text, key := range map[string]nfse.SeriesKey{
		"sao-paulo/production/11222333000181/3550308/1":              without,
		"sao-paulo/production/11222333000181/3550308/1/31000000":     profile.SeriesKey(),
		"sao-paulo/production/11222333000181/3550308/1/000031000000": profile.SeriesKey(),
	} {
		parsed, err := nfse.ParseSeriesKey(text)
		if err != nil || parsed != key {
			t.Errorf("%s is read as %+v, %v", text, parsed, err)
		}
		if again, err := nfse.ParseSeriesKey(key.String()); err != nil || again != key {
			t.Errorf("%+v is written as %s, which is read as %+v, %v", key, key, again, err)
		}
	}
	if text := profile.SeriesKey().String(); text != "sao-paulo/production/11222333000181/3550308/1/31000000" {
		t.Errorf("it is written as %s", text)
	}
}

func TestParseSeriesKey_Refused(t *testing.T) {
	for text, reason := range map[string]string{
		"":     "must be AUTHORITY/",
		"1":    "must be AUTHORITY/",
		"////": "must be AUTHORITY/",
		"São Paulo/production/11222333000181/3550308/1":       "must be AUTHORITY/",
		"sao-paulo/live/11222333000181/3550308/1":             "environment that must be production or restricted",
		"sao-paulo/production/11222333000180/3550308/1":       "document that ",
		"sao-paulo/production/11222333000181/355030/1":        "must be AUTHORITY/",
		"sao-paulo/production/11222333000181/3550308/0":       "must be AUTHORITY/",
		"sao-paulo/production/11222333000181/3550308/x":       "must be AUTHORITY/",
		"sao-paulo/production/11222333000181/3550308/1/2/3":   "must be AUTHORITY/",
		"sao-paulo//production/11222333000181/3550308/1/3100": "must be AUTHORITY/",
	} {
		if key, err := nfse.ParseSeriesKey(text); err == nil || !strings.Contains(err.Error(), reason) ||
			key != (nfse.SeriesKey{}) {
			t.Errorf("%q is read as %+v, %v", text, key, err)
		}
	}
}
