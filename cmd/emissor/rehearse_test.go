package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"emissor/issuing/rehearsal"
	"emissor/nfse"
	"emissor/test/generate"
	"emissor/test/testkit"
)

// rehearsed is an organization whose live notes were issued, and the API by which it asked for them.
type rehearsed struct {
	*testkit.Database
	*generate.Generator
	caller
	owner, operator settings
	organization    string
	profile         nfse.FiscalProfile
}

func newRehearsed(t *testing.T) *rehearsed {
	t.Helper()
	database, as := newRoled(t)
	organization, _, key := database.NewOrganization(t, "Clínica Exemplo")
	r := &rehearsed{Database: database, Generator: generate.New(27), owner: as.owner.withoutTemporal(),
		operator: as.operator.withoutTemporal(), organization: organization.ID}
	r.caller = caller{start(t, as.api.withoutTemporal(), "api").api, key}
	r.profile = nfse.FiscalProfile{OrganizationID: organization.ID, Authority: "national", TaxID: testkit.Issuer,
		MunicipalityCode: "3304557", Simples: nfse.SimplesNone, Series: 1,
		OwnContributions: &nfse.OwnContributions{CST: "01", PIS: 65, COFINS: 3_00}}
	r.SetProfile(t, r.profile)
	return r
}

// service adds a live service, classified unless nbs is empty.
func (r *rehearsed) service(t *testing.T, nbs string) string {
	t.Helper()
	id := r.post(t, "/v1/services", testkit.Body{"name": r.Generator.Text(2, 80),
		"description": "Suporte " + r.Lines(3, 1900), "municipality_code": "3304557",
		"default_amount_cents": 15000, "national_tax_code": "010701",
	}, http.StatusCreated)["id"].(string)
	if nbs != "" {
		r.classify(t, id, nbs, "000001")
	}
	return id
}

// classify classifies a service, and returns what the command says.
func (r *rehearsed) classify(t *testing.T, service, nbs, classTrib string) string {
	t.Helper()
	return succeeds(t, r.operator, "service", "classify", service, "--organization", r.organization, "--nbs", nbs,
		"--cindop", "100301", "--cclasstrib", classTrib)
}

// issued asks for a note of a company, and has it issued as the worker leaves it.
func (r *rehearsed) issued(t *testing.T, service string, cents int64) string {
	t.Helper()
	body := testkit.Issuance(service, r.Reference())
	body["amount_cents"] = cents
	customer := body["customer"].(testkit.Body)
	customer["document"], customer["name"] = r.CNPJ(), "É "+r.Generator.Text(1, 140)
	id := r.post(t, "/v1/nfse", body, http.StatusAccepted)["id"].(string)
	r.Exec(t, `UPDATE notes SET status = 'issued', issued_at = now(), authority_issued_at = now(),
		competence = '2026-11-25' WHERE id = $1`, id) // of the last year in which what changes is as it was
	r.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, access_key, xml, issued_at)
		SELECT $1, 'issue', 'accepted', 'national', false, 'x', '3304557', 1, (SELECT count(*) FROM fiscal_exchanges),
			profile, '', '', now() FROM fiscal_profiles WHERE organization_id = $2`, id, r.organization)
	return id
}

func (r *rehearsed) on(day string, flags ...string) []string {
	return append([]string{"rehearse", "--on", day}, flags...)
}

// report rehearses by the operator's account, which fails where notes would not be issued.
func (r *rehearsed) report(t *testing.T, wanted bool, args ...string) (report rehearsal.Report) {
	t.Helper()
	result := execute(t, r.operator, append(args, "--json")...)
	if (result.code == 0) != wanted || result.code > 1 {
		t.Errorf("rehearse ended with %d; it says %s%s", result.code, result.stdout, result.stderr)
	}
	must(t, json.Unmarshal([]byte(result.stdout), &report))
	return report
}

// What ends, changes or is missing on the first of January is told before, by service and rule,
// and the command says by its status whether every note would be issued. It reads only.
func TestRehearseCommand(t *testing.T) {
	t.Parallel()
	r := newRehearsed(t)
	good, bare, gone := r.service(t, "115021000"), r.service(t, ""), r.service(t, "115013000")
	succeeds(t, r.operator, "service", "tax", good, "--organization", r.organization, "--withhold",
		"irrf=1.5,pis=0.65,cofins=3,csll=1")
	first, second := r.issued(t, good, 1_000_00), r.issued(t, good, 2_000_00)
	unclassified, unlisted := r.issued(t, bare, 300_00), r.issued(t, gone, 500_00)
	succeeds(t, r.operator, "classification", "import", write(t, "nbs.tsv", []byte(nbsTable("x"))), "--valid-from",
		"2027-01-01", "--replace-newer")

	before := r.report(t, true, r.on("2026-12-31")...)
	if before.Notes != 4 || before.Same != 4 || len(before.Lines) != 0 {
		t.Errorf("on the last day of the year it is %+v", before)
	}
	type told struct {
		Outcome             rehearsal.Outcome
		Service, Rule       string
		Field, Example      string
		Notes               int
		Amount, ChangeCents int64
	}
	report := r.report(t, false, r.on("2027-01-01")...)
	if report.Refused != 1 || report.Held != 1 || report.Changed != 2 || report.Same != 0 || report.Notes != 4 {
		t.Errorf("on the first day of the year it is %+v", report)
	}
	var lines []told
	for _, l := range report.Lines {
		if l.OrganizationID != r.organization || l.ServiceName == "" || l.Why == "" {
			t.Errorf("a line is %+v", l)
		}
		lines = append(lines, told{l.Outcome, l.ServiceID, l.Rule, l.Field, l.Example, l.Notes, l.AmountCents,
			l.ChangeCents})
	}
	changed := func(rule string, cents int64) told {
		return told{rehearsal.Changed, good, rule, "", second, 2, 3_000_00, cents}
	}
	// Of CSLL alone the law withholds nothing up to 10.00, which PIS and COFINS had put the sum above.
	spared := told{rehearsal.Changed, good, "csll", "", first, 1, 1_000_00, -10_00}
	expected := []told{
		{rehearsal.Refused, gone, "E0316", "nbs", unlisted, 1, 500_00, 0},
		{rehearsal.Held, bare, "classification_required", "", unclassified, 1, 300_00, 0},
		changed("charged_on_top", 0), changed("cofins_withheld", -90_00), changed("net", 119_50),
		changed("own_contributions", -109_50), changed("pis_withheld", -19_50), spared,
	}
	if !reflect.DeepEqual(lines, expected) {
		t.Errorf("listed are\n%+v, expected\n%+v", lines, expected)
	}
	if all := execute(t, r.operator, r.on("2027-01-01")...); all.code != 1 ||
		all.stderr != "emissor: 2 of 4 notes would not be issued on 2027-01-01\n" {
		t.Errorf("it ends with %d and %q", all.code, all.stderr)
	}
	text := execute(t, r.operator, r.on("2027-01-01", "--last", "1", "--organization", r.organization)...).stdout
	if !strings.Contains(text, "of 1 notes: 1 refused") || !strings.Contains(text, unlisted) ||
		strings.Contains(text, first) {
		t.Errorf("of the last note it says %s", text)
	}
	other, _, _ := r.NewOrganization(t, "Outra")
	if none := r.report(t, true, r.on("2027-01-01", "--organization", other.ID)...); none.Notes != 0 {
		t.Errorf("of another organization it is %+v", none)
	}
	misused(t, r.operator, "--last must be 1 or more", r.on("2027-01-01", "--last", "0")...)
	misused(t, r.operator, "--on must be a day", r.on("01/01/2027")...)

	r.linked(t, good, second)
	r.company(t)
	r.erasedAndUnreadable(t, good, []string{first, second})
}

// linked: what the calculator's table does not link may be refused, which is said without being
// counted as that: no rule of the authority refuses by the table.
func (r *rehearsed) linked(t *testing.T, service, example string) {
	t.Helper()
	succeeds(t, r.operator, "classification", "import", write(t, "links.tsv", []byte(linksTable())), "--valid-from",
		"2026-11-03")
	report := r.report(t, false, r.on("2027-01-01")...)
	var warned []rehearsal.Line
	for _, line := range report.Lines {
		if line.Outcome == rehearsal.Warned {
			warned = append(warned, line)
		}
	}
	if len(warned) != 1 || warned[0].ServiceID != service || warned[0].Rule != "unlinked" || warned[0].Notes != 2 ||
		warned[0].Example != example || report.NotIssued() != 2 || report.Changed != 2 {
		t.Errorf("with links it is %+v", report)
	}
	shown := r.classify(t, service, "115021000", "000001")
	if !strings.Contains(shown, "115021000 / 000001 / 100301) are linked by no line") {
		t.Errorf("who classifies is told %s", shown)
	}
	r.classify(t, service, "115021000", "200029")
	if report := r.report(t, false, r.on("2027-01-01")...); strings.Contains(fmt.Sprint(report), "unlinked") ||
		!strings.Contains(fmt.Sprint(report), "classified otherwise") {
		t.Errorf("classified as the links say it is %+v", report)
	}
	r.classify(t, service, "115021000", "000001")
}

// company: an issuer in Simples Nacional needs the classification from the same day, and states
// IBS and CBS from then on; its PIS and COFINS are part of its payment.
func (r *rehearsed) company(t *testing.T) {
	t.Helper()
	small := r.profile
	small.Simples, small.SimplesRegime, small.OwnContributions = nfse.SimplesME, new(1), nil
	r.SetProfile(t, small)
	r.Exec(t, `UPDATE fiscal_exchanges SET profile = (SELECT profile FROM fiscal_profiles)`)
	rules := func(report rehearsal.Report) (rules []string) {
		for _, line := range report.Lines {
			rules = append(rules, string(line.Outcome)+" "+line.Rule)
		}
		return rules
	}
	if early := r.report(t, true, r.on("2026-12-31")...); early.Same != 4 {
		t.Errorf("of a company in Simples it is %+v in December", early)
	}
	expected := []string{"refused E0316", "held classification_required", "warned unlinked",
		"changed charged_on_top", "changed ibs_cbs"}
	if found := rules(r.report(t, false, r.on("2027-01-01")...)); !slices.Equal(found, expected) {
		t.Errorf("of a company in Simples it is %q, expected %q", found, expected)
	}
	later := r.operator.with("EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM", "2027-07-01")
	succeeds(t, later, r.on("2027-01-01")...)
	r.SetProfile(t, r.profile)
	r.Exec(t, `UPDATE fiscal_exchanges SET profile = (SELECT profile FROM fiscal_profiles)`)
}

// erasedAndUnreadable: the requests of who was erased are left out, and one that cannot be read
// keeps no other from being rehearsed, whether its snapshot or its row is broken.
func (r *rehearsed) erasedAndUnreadable(t *testing.T, service string, notes []string) {
	t.Helper()
	erased := r.issued(t, service, 700_00)
	document := r.Database.Text(t, `SELECT customer ->> 'document' FROM notes WHERE id = '`+erased+`'`)
	succeeds(t, r.operator, "customer", "erase", "--document", document, "--organization", r.organization, "--yes")
	r.Exec(t, `UPDATE notes SET service = '"no service"' WHERE id = $1`, notes[0])
	broken := r.report(t, false, r.on("2027-01-01")...)
	if broken.Notes != 5 || broken.Erased != 1 || broken.Unreadable != 1 || broken.Refused+broken.Held != 2 ||
		broken.Changed != 1 || !slices.Equal(broken.UnreadableNotes, notes[:1]) {
		t.Errorf("beside a broken snapshot it is %+v", broken)
	}
	r.Exec(t, `UPDATE notes SET authority_totals = '"no totals"' WHERE id = $1`, notes[1])
	broken = r.report(t, false, r.on("2027-01-01")...)
	if broken.Unreadable != 2 || broken.Refused+broken.Held != 2 || broken.Changed != 0 ||
		!slices.Equal(broken.UnreadableNotes, []string{notes[1], notes[0]}) {
		t.Errorf("beside a broken row it is %+v", broken)
	}
}
