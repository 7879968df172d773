// Package comparison says in what the document that an authority made differs from what was expected of it, as
// is wanted of the first notes at a real host.
//
//	the message that was sent ── its members ──► those that the document embeds
//	the record of the note    ── environment, key, number, issuer ──► what the document says of itself
//	the declaration           ── the likely totals ──► the amounts that it states
//
// It reads what is stored, asks nobody and changes nothing.
package comparison

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/exchanges"
)

// Difference is something that a document has otherwise than was expected. A member that is missing is empty.
type Difference struct {
	Field    string `json:"field"` // path in the DPS or the NFS-e, or the name of an amount
	Expected string `json:"expected"`
	Document string `json:"document"`
}

// Report is what was compared.
type Report struct {
	NoteID   string `json:"note_id"`
	Declared int    `json:"declared"` // members of the declaration that were compared; 0: it is not in the document
	Amounts  int    `json:"amounts"`  // that the document states
	// Differences are in the order of the paths. None is: the document is what was expected.
	Differences []Difference `json:"differences"`
}

// Authority is what expects something of a document.
type Authority interface {
	Name() string
	// Likely are the totals that the authority is likely to state of a declaration.
	Likely(fiscal.Declaration) nfse.Totals
}

// Read compares the document of an issued live note, of any organization.
func Read(ctx context.Context, s *store.Store, authorities []Authority, noteID string) (report Report, err error) {
	report = Report{NoteID: noteID, Differences: []Difference{}}
	document, err := s.Notes.NoteDocument(ctx, noteID)
	if err != nil {
		return report, err
	}
	e, err := s.Exchanges.Exchange(ctx, noteID, fiscal.Issue)
	if err != nil {
		return report, err
	}
	if e == nil || e.State != fiscal.Accepted {
		return report, errors.New("only a live note that an authority has issued is compared")
	}
	live, err := s.Lifecycle.LiveNote(ctx, noteID, fiscal.Issue)
	if err != nil {
		return report, err
	}
	messages, err := s.Exchanges.Messages(ctx, e.ID)
	if err != nil {
		return report, err
	}
	at := slices.IndexFunc(authorities, func(a Authority) bool { return a.Name() == e.Profile.Authority })
	if at < 0 {
		return report, fmt.Errorf("the authority %s is not known here", e.Profile.Authority)
	}
	_, fields, err := xmlread.Fields(document.XML)
	if err != nil {
		return report, fmt.Errorf("the document cannot be read: %w", err)
	}
	if err := report.compareDeclaration(messages, fields); err != nil {
		return report, err
	}
	report.compareRecord(*e, live.Note, fields)
	declared := fiscal.Declaration{Note: live.Note, Issuer: e.Profile, Number: e.Number, AutoFixes: e.AutoFixes,
		Classification: live.Classification, Taxation: live.Taxation, Details: live.Details}
	report.compareAmounts(authorities[at].Likely(declared), live.Note)
	return report, nil
}

// embedded is where a document has the declaration that it was made of; the city of São Paulo's has none.
const embedded = "infNFSe/DPS/"

// compareDeclaration compares the members of what was sent last with those that the document embeds. A message
// that is kept by its digest alone was embedded byte for byte.
func (r *Report) compareDeclaration(messages []fiscal.Message, document map[string][]string) error {
	made := map[string][]string{}
	for path, texts := range document {
		if path, is := strings.CutPrefix(path, embedded); is {
			made[path] = texts
		}
	}
	if len(made) == 0 || len(messages) == 0 {
		return nil
	}
	r.Declared = len(made)
	message := messages[len(messages)-1]
	if len(message.XML) == 0 {
		return nil
	}
	_, sent, err := xmlread.Fields(message.XML)
	if err != nil {
		return fmt.Errorf("what was sent cannot be read: %w", err)
	}
	paths := maps.Clone(made)
	maps.Copy(paths, sent)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		r.expect("DPS/"+path, strings.Join(sent[path], "; "), strings.Join(made[path], "; "))
	}
	return nil
}

// compareRecord compares what a national document says of itself with the record of its note.
func (r *Report) compareRecord(e exchanges.Exchange, note nfse.Note, document map[string][]string) {
	said := func(path string) string { return strings.Join(document["infNFSe/"+path], "; ") }
	if note.Authority == nil || document["infNFSe/@Id"] == nil {
		return
	}
	if key := note.Authority.AccessKey; key != nil {
		r.expect("infNFSe/@Id", "NFS"+*key, said("@Id"))
	}
	if number := note.Authority.Number; number != nil {
		r.expect("infNFSe/nNFSe", *number, said("nNFSe"))
	}
	r.expect("infNFSe/cStat", "100", said("cStat"))
	r.expect("infNFSe/emit", string(e.Profile.TaxID), said("emit/CNPJ")+said("emit/CPF"))
}

// compareAmounts compares the amounts that a document states with those that are likely, where there are both.
func (r *Report) compareAmounts(likely nfse.Totals, note nfse.Note) {
	if note.Authority == nil {
		return
	}
	expected := map[string]int64{}
	for _, one := range likely.Stated() {
		expected[one.Name] = one.Cents
	}
	for _, one := range note.Authority.Totals.Stated() {
		r.Amounts++
		if cents, is := expected[one.Name]; is {
			r.expect(one.Name, fiscal.Reais(cents), fiscal.Reais(one.Cents))
		}
	}
}

func (r *Report) expect(field, expected, found string) {
	if expected != found {
		r.Differences = append(r.Differences, Difference{field, expected, found})
	}
}
