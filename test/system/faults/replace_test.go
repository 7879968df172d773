//go:build faults

package faults

import (
	"testing"

	"emissor/internal/municipality"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/test/testkit"
)

// replaceSome asks for the replacement of notes, as a person does, and counts those that were
// accepted. One that is cancelled, or is to be, is not replaced.
func replaceSome(t *testing.T, database *testkit.Database, scope nfse.Scope, ids []string) (accepted int) {
	t.Helper()
	rules := catalogue.New(database.Store, municipality.NewResolver(database.Store.Catalogues, municipality.Options{}))
	for _, id := range ids {
		to, err := company.ReadToReplace(t.Context(), database.Store, scope, id)
		if err == nil {
			var details nfse.NoteDetails
			if details, err = to.Details("99", "a descrição do serviço estava errada"); err != nil {
				t.Fatal(err)
			}
			note, known, failed := rules.DraftReplacement(t.Context(), scope, to.Defaults,
				nfse.NewID(nfse.PrefixRequest), to.Again("instead of "+id), details)
			if failed != nil {
				t.Fatalf("%s: %v", id, failed)
			}
			if known != nil { // by which it is being replaced
				continue
			}
			_, _, err = database.Changes().Lifecycle.Replace(t.Context(), note)
		}
		switch {
		case err == nil:
			accepted++
		case !nfse.IsCode(err, nfse.CodeCancellationInProgress) && !nfse.IsCode(err, nfse.CodeNoteAlreadyCancelled):
			t.Errorf("%s is not replaced: %v", id, err)
		}
	}
	return accepted
}

// replacedAgree expects that each note that was replaced is cancelled by that, and none else waits.
func replacedAgree(t *testing.T, database *testkit.Database, accepted int) {
	t.Helper()
	for what, query := range map[string]string{
		"notes replace others": `SELECT count(*) FROM notes WHERE replaces IS NOT NULL`,
		"notes are replaced by an issued one": `SELECT count(*) FROM notes o JOIN notes n ON n.id = o.replaced_by
			WHERE o.status = 'cancelled' AND o.cancellation_reason_code IS NULL AND n.replaces = o.id
				AND n.issued_at IS NOT NULL`,
	} {
		if n := database.Count(t, query); n != accepted {
			t.Errorf("%d %s, expected %d", n, what, accepted)
		}
	}
	t.Logf("%d replaced", accepted)
}
