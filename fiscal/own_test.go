package fiscal_test

import (
	"os"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// The API shows the service's own rejections in these words.
func TestOwnRejections_AsTheAPIShowsThem(t *testing.T) {
	const blockedEnd = `,"explanation":"The city has blocked the cancellation of this note at the national system ` +
		`(event 305102), so the authority was not asked.",` +
		`"action":"Ask the city to lift the block; then cancel again."}`
	unsupported := fiscal.Exchange{Kind: fiscal.Cancel, State: fiscal.Unsigned}.Next(fiscal.Capabilities{}).Exchange
	for _, own := range []struct {
		rejection any
		wording   nfse.Wording
		reason    fact.Code
		json      string
	}{
		{fiscal.ConflictingMunicipality(), fiscal.ConflictingMunicipality().Wording, fact.MunicipalityConflict,
			`{"source":"service","code":"municipality_code_conflict","message":"the zip code of the customer belongs ` +
				`to another municipality than the one declared","field":"customer.municipality_code",` +
				`"explanation":"The look-up of the zip code was out when the note was accepted. Made afterwards, it ` +
				`named another municipality, so nothing was sent to the authority.",` +
				`"action":"Correct the zip code or the municipality code of the customer, then issue again ` +
				`with a new reference."}`},
		{unsupported.Rejection, unsupported.Rejection.Wording, fact.CancellationNotOffered,
			`{"source":"service","code":"cancellation_not_offered","message":"the authority takes no cancellations ` +
				`from programs","field":null,"explanation":"The authority that issued the note has no way for a ` +
				`program to cancel it, so it was not asked.","action":"Cancel the note on the authority's own site; ` +
				`of a city, in its portal of the NFS-e."}`},
		{fiscal.Blocked(""), fiscal.Blocked("").Wording, fact.NoteBlocked,
			`{"code":"blocked","message":"the note is blocked by the city"` + blockedEnd},
		{fiscal.Blocked("Dívida <ativa>"), fiscal.Blocked("Dívida <ativa>").Wording, fact.NoteBlockedBecause,
			`{"code":"blocked","message":"the note is blocked by the city: Dívida <ativa>"` + blockedEnd},
	} {
		shown, err := nfse.Marshal(own.rejection)
		if err != nil || string(shown) != own.json {
			t.Errorf("it is shown (%v) as\n%s\nexpected\n%s", err, shown, own.json)
		}
		if !own.wording.Reason.Is(own.reason) || own.wording.Catalogue != nfse.OwnCatalogue ||
			!own.wording.Remark.None() {
			t.Errorf("it is worded by %+v", own.wording)
		}
	}
}

// The contract names the codes by which the service itself refuses a cancellation.
func TestOwnRejections_InTheContract(t *testing.T) {
	text, err := os.ReadFile("../api/llms-full.txt")
	if err != nil {
		t.Fatal(err)
	}
	unsupported := fiscal.Exchange{Kind: fiscal.Cancel, State: fiscal.Unsigned}.Next(fiscal.Capabilities{}).Exchange
	for _, code := range []string{unsupported.Rejection.Code, fiscal.Blocked("").Code, fiscal.Denied("").Code} {
		if !strings.Contains(string(text), "`"+code+"`") {
			t.Errorf("the contract does not name %s", code)
		}
	}
}
