package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"emissor/store/lifecycle"
	"emissor/test/simulators/calculator"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// Going live as the operator's guide says it: a note waits for what is missing,
// says so, and goes on as soon as it is there.
func TestLiveNote_ByCommand(t *testing.T) {
	t.Parallel()
	authority, err := sefin.Start(sefin.Options{})
	must(t, err)
	t.Cleanup(func() { _ = authority.Close() })
	roots := write(t, "roots.pem", authority.RootsPEM())
	database := testkit.NewDatabase(t)
	organization, _, key := database.NewOrganization(t, "Clínica Exemplo")
	s := withKeyset(t, settingsOf(database)).with("EMISSOR_NATIONAL_RESTRICTED_URL", authority.URL()).
		with("EMISSOR_AUTHORITY_CA", roots).with("EMISSOR_NATIONAL_DOCUMENT_SIGNERS", "CN="+sefin.SignerName).
		with("EMISSOR_CERTIFICATE_ROOTS", roots).with("EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM", "2026-01-01")
	program := start(t, s, "serve")
	caller := caller{program.api, key}
	service := caller.post(t, "/v1/services", testkit.Body{
		"name": "Suporte", "description": "Suporte técnico", "municipality_code": "3304557",
		"default_amount_cents": 15000, "national_tax_code": "01.07.01",
	}, http.StatusCreated)["id"].(string)
	id := caller.post(t, "/v1/nfse", testkit.Issuance(service, "order"), http.StatusAccepted)["id"].(string)
	held := func(reason string) {
		t.Helper()
		eventuallyPrints(t, s, func(list string) bool {
			var notes []lifecycle.HeldNote
			must(t, json.Unmarshal([]byte(list), &notes))
			return len(notes) == 1 && notes[0].ID == id && strings.Contains(notes[0].Reason.English(), reason)
		}, "note", "held", "--organization", organization.ID, "--json")
	}
	held("fiscal-profile set")
	database.Exec(t, `UPDATE notes SET competence = '2026-11-25' WHERE id = $1`, id) // what is asked for is of 2026
	succeeds(t, s, "fiscal-profile", "set", "--organization", organization.ID, "--document", "11.222.333/0001-81",
		"--municipality", "3304557",
		"--simples", "none", "--series", "1", "--environment", "restricted", "--tax-federal", "13.45",
		"--tax-municipal", "2.90")
	held("service classify")
	if unclassified := succeeds(t, s, "service", "list", "--organization", organization.ID,
		"--unclassified"); !strings.Contains(unclassified, service) {
		t.Errorf("services without a classification are %s", unclassified)
	}
	misused(t, s, "E0901", "service", "classify", service, "--organization", organization.ID, "--nbs", "115013000",
		"--cindop", "010101", "--cclasstrib", "000001")
	succeeds(t, s, "service", "classify", service, "--organization", organization.ID, "--nbs", "1.1501.30.00",
		"--cindop", "100301", "--cclasstrib", "000001")
	held("certificate add")

	pfx, err := authority.NewPFX(sefin.Subject{TaxID: "11222333000181"}, "secret")
	must(t, err)
	foreign, err := authority.NewPFX(sefin.Subject{TaxID: "11222333000181", Foreign: true}, "secret")
	must(t, err)
	password := write(t, "password", []byte("secret\n"))
	add := func(pfx []byte) []string {
		return []string{"certificate", "add", "--organization", organization.ID, "--password-file", password,
			write(t, "a1.pfx", pfx)}
	}
	fails(t, s, "root", add(foreign)...)
	succeeds(t, s, add(pfx)...)
	eventuallyShows(t, s, id, "issued")
	if notes := printed[[]lifecycle.HeldNote](t, s, "note", "held"); len(notes) != 0 {
		t.Errorf("these still wait: %+v", notes)
	}
	rehearsed := succeeds(t, s.withoutTemporal(), "rehearse", "--on", "2027-01-01", "--organization", organization.ID)
	if !strings.Contains(rehearsed, "of 1 notes: 0 refused, 0 held") || strings.Contains(rehearsed, "another layout") {
		t.Errorf("the note is rehearsed as %s", rehearsed)
	}
	shown := succeeds(t, s, "note", "show", id)
	for _, part := range []string{"takes the classification", "cClassTrib 000001", "waits: ",
		"took the DPS number 1 of series 1", "signed DPS3304557",
		"authority: issue: accepted", "Net amount", "Charged to the customer", "150.00", "IBS", "CBS"} {
		if !strings.Contains(shown, part) {
			t.Errorf("the note is shown without %q:\n%s", part, shown)
		}
	}
	if text := testkit.PDFText(t, []byte(succeeds(t, s, "note", "danfse", id, "-o", "-"))); !strings.Contains(text,
		"NFS-e SEM VALIDADE JURÍDICA") || !strings.Contains(text, "11.222.333/0001-81") {
		t.Errorf("the note is printed as %s", text)
	}
	fails(t, s, "EMISSOR_NATIONAL_CALCULATOR_URL is not set", "note", "calculate", id)
	for name, official := range map[string]*calculator.Calculator{
		"": {}, "computes IBS of 0.15 and CBS of 12.94, and the document states 0.15 and 1.32": {CBSRate: 880},
	} {
		server := httptest.NewServer(official)
		t.Cleanup(server.Close)
		asking := s.with("EMISSOR_NATIONAL_CALCULATOR_URL", server.URL+"/api")
		if name != "" {
			fails(t, asking, name, "note", "calculate", id)
		} else if opinion := succeeds(t, asking, "note", "calculate", id); !strings.Contains(opinion, "CBS  1.32") {
			t.Errorf("the calculator says %s", opinion)
		}
		if official.Asked() != 1 {
			t.Errorf("the calculator was asked %d times", official.Asked())
		}
	}
	fails(t, s, "--next-number: numbers from 1 on are taken", "fiscal-profile", "set", "--organization",
		organization.ID, "--next-number", "1")
	if same := succeeds(t, s, "note", "compare", id); !strings.Contains(same, "is what was expected") {
		t.Errorf("compared it is %s", same)
	}
	certificates := printed[[]struct{ ID string }](t, s, "certificate", "list", "--organization", organization.ID)
	must(t, database.Store.Companies.RefuseCertificate(t.Context(), certificates[0].ID, "E1203"))
	second := caller.post(t, "/v1/nfse", testkit.Issuance(service, "second"), http.StatusAccepted)["id"].(string)
	eventuallyPrints(t, s, func(held string) bool { return strings.Contains(held, "E1203") }, "note", "held")
	if resumed := succeeds(t, s, "note", "redrive", "--held"); !strings.HasPrefix(resumed, "1 notes ") {
		t.Errorf("resumed are %s", resumed)
	}
	must(t, authority.SetFaultProfile(sefin.FaultProfile{Faults: []sefin.Fault{{Kind: sefin.WrongTotals}}}))
	succeeds(t, s, "certificate", "retry", certificates[0].ID, "--organization", organization.ID)
	eventuallyShows(t, s, second, "2 of series 1 is issued")
	differs := execute(t, s, "note", "compare", second)
	if differs.code != 1 || !strings.Contains(differs.stdout, "\nnet    150.00    150.01\n") ||
		!strings.Contains(differs.stderr, "differs from what was expected: 1 differences") {
		t.Errorf("compared it is %+v", differs)
	}
	must(t, authority.SetFaultProfile(sefin.FaultProfile{}))
	caller.post(t, "/v1/nfse/"+second+"/cancel", testkit.Body{"reason_code": "1", "reason_text": "Emitida por engano"},
		http.StatusAccepted)
	eventuallyPrints(t, s, func(page string) bool {
		return strings.Contains(testkit.PDFText(t, []byte(page)), "C A N C E L A D A")
	}, "note", "danfse", second, "-o", "-")
	misused(t, s, "or --held", "note", "redrive")
	if ledger := authority.Ledger(); len(ledger) != 2 || !strings.HasSuffix(id, ledger[0].CIntContrib) {
		t.Errorf("the authority's ledger has %+v", ledger)
	}
	if log := program.logged(); strings.Contains(log, "11222333000181") || strings.Contains(log, "52998224725") ||
		strings.Contains(log, "PRIVATE KEY") {
		t.Error("the log holds a document number or a key")
	}
}
