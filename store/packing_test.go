package store_test

import (
	"crypto/sha256"
	"testing"

	"emissor/internal/packed"
)

// A database that was restored, or another one behind the same pooler, may have another dictionary of a number that
// this process remembers, and no connection has to fail for that. What it does not read is read with the one on record.
func TestUnpack_DictionaryOfAnotherDatabase(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.issue(t, "pedido-1", "")
	const number = packed.FirstOwnID + 7
	for _, certificate := range []string{"MIIBoneMIIBone", "MIIBtwoMIIBtwo"} {
		plain := []byte("<NFSe><X509Certificate>" + certificate + certificate + "</X509Certificate></NFSe>")
		digest := sha256.Sum256(plain)
		dictionary, err := packed.NewDictionary(number, packed.Latest, []byte(certificate))
		must(t, err)
		stored, err := dictionary.Pack(plain)
		must(t, err)
		tenant.Exec(t, `DELETE FROM document_dictionaries`)
		tenant.Exec(t, `INSERT INTO document_dictionaries (id, version, certificates, digest)
			OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, sha256($3))`, number, packed.Latest, []byte(certificate))
		for what, digest := range map[string]any{"with its digest": digest[:], "without a digest": nil} {
			tenant.Exec(t, `DELETE FROM note_documents WHERE note_id = $1`, id)
			tenant.Exec(t, `INSERT INTO note_documents (note_id, xml, digest) VALUES ($1, $2, $3)`, id, stored, digest)
			kept, err := tenant.Store.Notes.NoteXML(t.Context(), tenant.scope, id)
			if err != nil || string(kept) != string(plain) {
				t.Errorf("%s: %s is read as %q: %v", what, plain, kept, err)
			}
		}
	}
}
