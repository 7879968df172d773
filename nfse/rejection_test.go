package nfse_test

import (
	"reflect"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// What a rejection was worded by is stored, and no program is shown it.
func TestRejection_StoredAndShown(t *testing.T) {
	rejection := nfse.Rejection{
		Source: nfse.RejectedByService, Code: "E0310", Message: "The <code> & all.", Field: new("customer.name"),
		Explanation: "Why.", Action: "What.",
		Wording: nfse.Wording{
			Reason: fact.NationalTaxCodeUnknown.With("tax_code", "010102"), Catalogue: "national",
			Remark: fact.CheckedHere.Fact(),
		},
	}
	shown, err := nfse.Marshal(rejection)
	if want := `{"source":"service","code":"E0310","message":"The <code> & all.","field":"customer.name",` +
		`"explanation":"Why.","action":"What."}`; err != nil || string(shown) != want {
		t.Errorf("it is shown as %s, %v", shown, err)
	}
	stored, err := rejection.Value()
	if err != nil {
		t.Fatal(err)
	}
	var read nfse.Rejection
	if err := read.Scan([]byte(stored.(string))); err != nil || !reflect.DeepEqual(read, rejection) {
		t.Errorf("%s is read as %+v, %v", stored, read, err)
	}
	if err := read.Scan(7); err == nil {
		t.Error("a number is read as a rejection")
	}
}

func TestRefusal_StoredAndShown(t *testing.T) {
	refusal := nfse.Rejection{
		Source: nfse.RejectedByAuthority, Code: "E0822", Message: "Prazo.", Explanation: "Why.", Action: "What.",
		Wording: nfse.Wording{Catalogue: "national"},
	}.Refusal()
	shown, err := nfse.Marshal(refusal)
	if want := `{"code":"E0822","message":"Prazo.","explanation":"Why.","action":"What."}`; err != nil ||
		string(shown) != want {
		t.Errorf("it is shown as %s, %v", shown, err)
	}
	stored, err := refusal.Value()
	if err != nil || strings.Contains(stored.(string), "reason") {
		t.Fatalf("it is stored as %s, %v", stored, err)
	}
	var read nfse.Refusal
	if err := read.Scan([]byte(stored.(string))); err != nil || !reflect.DeepEqual(read, refusal) {
		t.Errorf("%s is read as %+v, %v", stored, read, err)
	}
}
