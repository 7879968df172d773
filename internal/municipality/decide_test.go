package municipality

import (
	"errors"
	"testing"

	"emissor/nfse"
)

func TestDecide(t *testing.T) {
	const saoPaulo, rio = "3550308", "3304557"
	var (
		// A service, or a range that no service could contradict.
		decisive = LookupResult{Outcome: Known, Code: saoPaulo, Decisive: true}
		// A range while some service is out.
		hint        = LookupResult{Outcome: Known, Code: saoPaulo}
		unknown     = LookupResult{Outcome: Unknown}
		unavailable = LookupResult{Outcome: Unavailable}
	)
	for _, test := range []struct {
		name     string
		answer   LookupResult
		declared string
		want     Decision
		code     nfse.Code
		field    string
		retry    bool
	}{
		{name: "decisive, nothing declared", answer: decisive,
			want: Decision{Code: saoPaulo, Source: nfse.MunicipalityFromZipCode, Verified: true}},
		{name: "decisive, agrees", answer: decisive, declared: saoPaulo,
			want: Decision{Code: saoPaulo, Source: nfse.MunicipalityFromZipCode, Verified: true}},
		{name: "decisive, disagrees", answer: decisive, declared: rio,
			code: nfse.CodeMunicipalityConflict, field: "municipality_code"},
		{name: "hint, nothing declared", answer: hint,
			want: Decision{Code: saoPaulo, Source: nfse.MunicipalityFromZipCode}},
		{name: "hint, agrees", answer: hint, declared: saoPaulo,
			want: Decision{Code: saoPaulo, Source: nfse.MunicipalityFromZipCode, Verified: true}},
		{name: "hint, disagrees", answer: hint, declared: rio,
			want: Decision{Code: rio, Source: nfse.MunicipalityFromCaller, CheckLater: true}},
		{name: "unknown, nothing declared", answer: unknown,
			code: nfse.CodeZipCodeNotFound, field: "address.zip_code"},
		{name: "unknown, declared", answer: unknown, declared: rio,
			want: Decision{Code: rio, Source: nfse.MunicipalityFromCaller}},
		{name: "unavailable, nothing declared", answer: unavailable,
			code: nfse.CodeZipCodeLookupUnavailable, field: "address.zip_code", retry: true},
		{name: "unavailable, declared", answer: unavailable, declared: rio,
			want: Decision{Code: rio, Source: nfse.MunicipalityFromCaller, CheckLater: true}},
		{name: "no answer at all counts as unavailable", declared: rio,
			want: Decision{Code: rio, Source: nfse.MunicipalityFromCaller, CheckLater: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Decide(test.answer, test.declared)
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if test.code == "" {
				if err != nil {
					t.Errorf("error %v", err)
				}
				return
			}
			var e *nfse.Error
			if !errors.As(err, &e) || e.Code != test.code || e.Field != test.field || e.Retryable != test.retry ||
				e.Message == "" {
				t.Errorf("error %#v", err)
			}
		})
	}
}

func TestDecide_ConflictNamesBoth(t *testing.T) {
	for declared, want := range map[string]string{
		"3304557": "the zip code belongs to São Paulo/SP (3550308), not to Rio de Janeiro/RJ (3304557)",
		"9999999": "the zip code belongs to São Paulo/SP (3550308), not to 9999999",
	} {
		_, err := Decide(LookupResult{Outcome: Known, Code: "3550308", Decisive: true}, declared)
		var e *nfse.Error
		if !errors.As(err, &e) || e.Message != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
