package nfse_test

import (
	"reflect"
	"testing"

	"emissor/nfse"
)

func TestTotals_Withheld(t *testing.T) {
	t.Parallel()
	none := &nfse.Totals{ServiceCents: new(int64(1000)), ISSCents: new(int64(20)), NetCents: new(int64(900))}
	if none.Withheld() != nil || (*nfse.Totals)(nil).Withheld() != nil {
		t.Error("something is withheld where nothing is stated")
	}
	all := &nfse.Totals{ISSWithheldCents: new(int64(1)), IRRFCents: new(int64(20)), CSRFCents: new(int64(300)),
		INSSCents: new(int64(4000))}
	if sum := all.Withheld(); sum == nil || *sum != 4321 || *all.ISSWithheldCents != 1 {
		t.Errorf("withheld is %v", sum)
	}
	if all.Net() != nil || *none.Net() != 900 || none.Charged() != nil || (*nfse.Totals)(nil).Charged() != nil {
		t.Error("another member is read")
	}
}

// Totals come back from their column as they were; a document that states none has no totals.
func TestTotals_Stored(t *testing.T) {
	t.Parallel()
	totals := nfse.Totals{NetCents: new(int64(0)), CBSCents: new(int64(99999999999999999))}
	value, err := totals.Value()
	if err != nil {
		t.Fatal(err)
	}
	var read nfse.Totals
	if err := read.Scan([]byte(value.(string))); err != nil || !reflect.DeepEqual(read, totals) {
		t.Errorf("read is %+v (%v)", read, err)
	}
	if value, err := (*nfse.Totals)(nil).Value(); value != nil || err != nil {
		t.Errorf("none is stored as %v (%v)", value, err)
	}
	if (nfse.Totals{}).OrNil() != nil || totals.OrNil() == nil {
		t.Error("no totals are not nil, or some are")
	}
}
