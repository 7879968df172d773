package rehearsal_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national"
	"emissor/fiscal/national/classification"
	"emissor/issuing/rehearsal"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/lifecycle"
	"emissor/test/generate"
	"emissor/test/testkit"
)

// company is an organization that issues by the national system.
type company struct {
	*testkit.Database
	*generate.Generator
	key     nfse.APIKey
	service nfse.Service
}

func newCompany(t testing.TB) company {
	t.Helper()
	c := company{Database: testkit.NewDatabase(t), Generator: generate.New(2027)}
	organization, _, _ := c.NewOrganization(t, "Clínica Exemplo")
	scope := nfse.Scope{OrganizationID: organization.ID, Livemode: true}
	var err error
	c.key, err = c.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{Scope: scope, Label: "test"},
		nfse.NewAPIKeyText(true))
	must(t, err)
	c.service, err = c.Store.Catalogues.CreateService(t.Context(), scope, nfse.Service{Name: "Suporte",
		Description: "Suporte técnico", MunicipalityCode: "3304557", DefaultAmountCents: 15000,
		NationalTaxCode: new("010701"), Active: true})
	must(t, err)
	_, err = c.Changes().Catalogues.ClassifyServices(t.Context(), scope,
		[]catalogues.ServiceClassification{{ServiceID: c.service.ID,
			Classification: nfse.Classification{NBS: "115021000", CIndOp: "100301", CST: "000", CClassTrib: "000001"}}})
	must(t, err)
	c.SetProfile(t, nfse.FiscalProfile{OrganizationID: organization.ID, Authority: "national", TaxID: testkit.Issuer,
		MunicipalityCode: "3304557", Simples: nfse.SimplesNone, Series: 1,
		OwnContributions: &nfse.OwnContributions{CST: "01", PIS: 65, COFINS: 3_00}})
	return c
}

// issued is a note that was issued, of a customer whose name is of the generator.
func (c company) issued(t testing.TB) string {
	t.Helper()
	taxID, name := nfse.TaxID(c.CNPJ()), "É "+c.Generator.Text(1, 140)
	address := nfse.Address{Street: new("Rua " + c.Generator.Text(1, 80)), Number: new("1578"), District: new("Centro"),
		ZipCode: new("01310100")}
	accepted, _, err := c.Store.Lifecycle.AcceptNote(t.Context(), lifecycle.NewNote{
		Issuance: nfse.Issuance{Reference: c.Reference(), ServiceID: c.service.ID, AmountCents: 1_000_00,
			Competence: "2026-11-25", // of the last year before what changes
			Customer:   &nfse.InlineTaker{TaxID: taxID, Name: name, Address: address}},
		Key: c.key, RequestID: nfse.NewID(nfse.PrefixRequest), Service: c.service.Snapshot(nil),
		Customer:     nfse.CustomerSnapshot{TaxID: taxID, Name: name, Address: address},
		Municipality: nfse.NoteMunicipality{Code: "3550308", Source: nfse.MunicipalityFromZipCode, Verified: true},
	})
	must(t, err)
	c.Exec(t, `UPDATE notes SET status = 'issued', issued_at = now(), authority_issued_at = now() WHERE id = $1`,
		accepted.ID)
	c.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, message_id, access_key, xml, issued_at)
		SELECT $1, 'issue', 'accepted', 'national', false, 'x', '3304557', 1, (SELECT count(*) FROM fiscal_exchanges),
			profile, $1, '', '', now() FROM fiscal_profiles`, accepted.ID)
	return accepted.ID
}

func (c company) rehearsal(t testing.TB, authority rehearsal.Authority, last int) *rehearsal.Rehearsal {
	t.Helper()
	return &rehearsal.Rehearsal{Store: c.Store, Authorities: []rehearsal.Authority{authority},
		Editions: classification.NewEditions(), Day: "2027-01-01", Last: last}
}

func authority(t testing.TB) *national.Authority {
	t.Helper()
	made, err := national.New(national.Options{IBSCBSRequiredFrom: "2027-01-01",
		Connection: national.Connection{Logger: slog.New(slog.DiscardHandler)}})
	must(t, err)
	return made
}

// fragile panics over some notes.
type fragile struct {
	*national.Authority
	over []string
}

func (f fragile) Check(declaration fiscal.Declaration, at time.Time) *fiscal.Objection {
	if slices.Contains(f.over, declaration.Note.ID) {
		panic("this note is poison")
	}
	return f.Authority.Check(declaration, at)
}

// A request over which the code panics, and one whose profile cannot be read, are counted, and the
// others are rehearsed, before them and after them.
func TestRehearsal_Poison(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	var notes []string
	for range 5 {
		notes = append(notes, c.issued(t))
	}
	c.Exec(t, `UPDATE fiscal_exchanges SET profile = '{"simples": "x"}' WHERE note_id = $1`, notes[3])
	run := c.rehearsal(t, fragile{authority(t), []string{notes[1]}}, 100)
	report, err := run.Run(t.Context())
	must(t, err)
	if report.Notes != 5 || report.Changed != 3 || report.Unreadable != 2 ||
		!slices.Equal(report.UnreadableNotes, []string{notes[3], notes[1]}) {
		t.Errorf("it is %+v", report)
	}
	for _, line := range report.Lines {
		if line.Notes != 3 || line.Example != notes[4] || line.AmountCents != 3_000_00 {
			t.Errorf("a line is %+v", line)
		}
	}
	// Without the profile nothing of it would be issued.
	c.Exec(t, `DELETE FROM fiscal_profiles`)
	if report, err = run.Run(t.Context()); err != nil || report.Held != 4 || report.NotIssued() != 4 {
		t.Errorf("without a profile it is %+v, %v", report, err)
	}
}

// An export owes no PIS and COFINS: their end takes nothing from it.
func TestRehearsal_Export(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	note := c.issued(t)
	taker := nfse.ForeignParty{NIF: "1", Name: "Acme", Country: "US", Street: "A", Number: "1", District: "B",
		ForeignPlace: nfse.ForeignPlace{PostalCode: "1", City: "C", Region: "D"}}
	export := nfse.Abroad{Export: true, Mode: 1, Country: "US"}
	unpaid := export
	unpaid.NoForeignCurrency = true
	for _, row := range []struct {
		details nfse.NoteDetails
		ended   int64 // cents
	}{
		{nfse.NoteDetails{}, -36_50},
		{nfse.NoteDetails{ForeignTaker: &taker, Abroad: &export}, 0},
		{nfse.NoteDetails{ForeignTaker: &taker, Abroad: &unpaid}, -36_50},
	} {
		details, err := nfse.Marshal(row.details)
		must(t, err)
		c.Exec(t, `UPDATE notes SET details = $2 WHERE id = $1`, note, string(details))
		report, err := c.rehearsal(t, authority(t), 100).Run(t.Context())
		must(t, err)
		i := slices.IndexFunc(report.Lines, func(line rehearsal.Line) bool { return line.Rule == "own_contributions" })
		if i < 0 || report.Lines[i].ChangeCents != row.ended {
			t.Errorf("%s: %+v", details, report.Lines)
		}
	}
}

// called is an authority under another name, which keeps by whom the notes of it would be issued.
type called struct {
	*national.Authority
	name    string
	issuers *[]nfse.FiscalProfile
}

func (a called) Name() string { return a.name }

func (a called) Check(declaration fiscal.Declaration, at time.Time) *fiscal.Objection {
	*a.issuers = append(*a.issuers, declaration.Issuer)
	return a.Authority.Check(declaration, at)
}

// Of a company that moves, a day is rehearsed by the authority and the series of that day.
func TestRehearsal_Moves(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	c.issued(t)
	profile, err := c.Store.Companies.FiscalProfile(t.Context(), c.key.OrganizationID)
	must(t, err)
	profile.Moves = []nfse.Move{{From: "2027-01-01", Authority: "sao-paulo", Series: 2}}
	c.SetProfile(t, profile)
	for day, expected := range map[nfse.Day]string{"2026-12-31": "national 1", "2027-01-01": "sao-paulo 2"} {
		var issuers []nfse.FiscalProfile
		run := c.rehearsal(t, called{authority(t), "national", &issuers}, 100)
		run.Authorities = append(run.Authorities, called{authority(t), "sao-paulo", &issuers})
		run.Day = day
		report, err := run.Run(t.Context())
		must(t, err)
		if report.Notes != 1 || report.Unreadable != 0 || len(issuers) != 1 ||
			fmt.Sprint(issuers[0].Authority, " ", issuers[0].Series) != expected {
			t.Errorf("on %s it is %+v, by %+v", day, report, issuers)
		}
	}
}

// What is rehearsed goes over pages, and ends where it was told to, or with the notes.
func TestRehearsal_Pages(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	c.fill(t, 1200)
	for last, looked := range map[int]int{1: 1, 500: 500, 1001: 1001, 5000: 1200} {
		run := c.rehearsal(t, authority(t), last)
		run.OrganizationID = c.key.OrganizationID
		if report, err := run.Run(t.Context()); err != nil || report.Notes != looked || report.Changed != looked {
			t.Errorf("of the last %d it is %+v, %v", last, report, err)
		}
	}
}

// fill has so many notes issued, all but the first of them copies of it.
func (c company) fill(t testing.TB, notes int) {
	t.Helper()
	first := c.issued(t)
	statement := `DO $$ BEGIN
		SET LOCAL session_replication_role = replica;
		INSERT INTO notes SELECT (jsonb_populate_record(n, jsonb_build_object('id', 'nfse_' || lpad(to_hex(i), 26, '0'),
			'reference', 'copy ' || i))).* FROM notes n, generate_series(2, NOTES) i;
		INSERT INTO fiscal_exchanges OVERRIDING SYSTEM VALUE
			SELECT (jsonb_populate_record(e, jsonb_build_object('id', 1000000 + i, 'number', i, 'message_id', i::text,
				'note_id', 'nfse_' || lpad(to_hex(i), 26, '0')))).* FROM fiscal_exchanges e, generate_series(2, NOTES) i
			WHERE e.note_id = 'FIRST';
		INSERT INTO fiscal_messages (exchange_id, message_id, layout, digest, xml, certificate_id)
			SELECT id, message_id, '1.01', '', '', 'none' FROM fiscal_exchanges;
	END $$`
	c.Exec(t, strings.NewReplacer("NOTES", fmt.Sprint(notes), "FIRST", first).Replace(statement))
	c.Exec(t, `ANALYZE`)
}

// BenchmarkRehearsal rehearses 10,000 stored requests.
func BenchmarkRehearsal(b *testing.B) {
	c := newCompany(b)
	c.fill(b, 10_000)
	for b.Loop() {
		run := c.rehearsal(b, authority(b), 10_000)
		if report, err := run.Run(b.Context()); err != nil || report.Changed != 10_000 {
			b.Fatalf("it is %+v, %v", report, err)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
