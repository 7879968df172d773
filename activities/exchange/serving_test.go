package exchange

import (
	"context"
	"errors"
	"testing"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// off is a city that this process knows, and serves nobody.
type off struct{ fiscal.Authority }

func (off) Serves(bool) bool { return false }

// noTable is a database into which no table of cities was imported.
type noTable struct{}

func (noTable) CityTable(context.Context) (id, content string, err error) { return "", "", nil }

// A note says of an authority that cannot be called whether its city is off, and why, whether it was
// taken out of the table, or whether this process is not configured for it.
func TestServing_SaysWhyNot(t *testing.T) {
	served := Authorities{"goiania": off{}, "teresina": off{}}
	if served.gone("atlantis") && !cities.Loaded() {
		t.Error("before the table on record is read a city is gone")
	}
	if err := cities.Load(t.Context(), noTable{}, nil); err != nil {
		t.Fatal(err)
	}
	for name, code := range map[string]fact.Code{
		"atlantis": fact.CityGone, "campinas": fact.EnvironmentNotServed, "teresina": fact.EnvironmentNotServed,
		"goiania": fact.CityOff, "national": fact.EnvironmentNotServed,
	} {
		_, err := served.serving(nfse.FiscalProfile{Authority: name})
		var missing *activities.ActionRequired
		if !errors.As(err, &missing) || !missing.Reason.Is(code) {
			t.Errorf("of %s it says %v, expected %s", name, err, code)
		}
		if missing != nil && code == fact.CityOff && missing.Reason.Portuguese() != fact.CityOff.With("city", "Goiânia/GO",
			"why", fact.CityUnreported.Fact()).Portuguese() {
			t.Errorf("in Portuguese it says %s", missing.Reason.Portuguese())
		}
	}
}
