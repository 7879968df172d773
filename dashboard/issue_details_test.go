package dashboard_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"emissor/dashboard"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/test/testkit"
)

const nfeKey = "33261144556677000188550010000000011234567897"

// detailed are what a person can give for a note beside what the API can say: what is typed, and
// how the review shows it.
var detailed = map[string]struct{ typed, shown []string }{
	"discounts": {
		[]string{"discount_unconditional", "500,00", "discount_conditional", "200,00"},
		[]string{"<dt>Desconto incondicionado, R$</dt><dd>500,00", "<dt>Desconto condicionado, R$</dt><dd>200,00"},
	},
	"percent": {
		[]string{"deduction", "percent", "deduction_percent", "12,5"},
		[]string{"<dd>um percentual do valor", "<dd>12,50"},
	},
	"amount": {[]string{"deduction", "amount", "deduction_amount", "1,50"}, []string{"<dd>1,50"}},
	"documents": {
		[]string{"deduction", "documents", "document_1_key", nfeKey, "document_1_kind", "2", "document_1_issued",
			"2026-11-03", "document_1_deductible", "400,00", "document_1_used", "300,00", "document_2_key", nfeKey,
			"document_2_kind", "99", "document_2_description", "Pedágio", "document_2_issued", "2026-11-04",
			"document_2_deductible", "7,00", "document_2_used", "6,00"},
		[]string{nfeKey + " · 2 materiais · 03/11/2026 · R$\u00a0400,00 · R$\u00a0300,00",
			nfeKey + " · 99 outra, a descrever · Pedágio · 04/11/2026"},
	},
	"immune": {
		[]string{"iss", "immune", "iss_immunity", "3"},
		[]string{"<dt>O ISS é</dt><dd>imune", "<dd>3 partidos"},
	},
	"suspended": {
		[]string{"iss", "suspended", "iss_suspension", "1", "iss_process", "0001234-56.2025.8.19.0001"},
		[]string{"<dd>de exigibilidade suspensa", "<dd>decisão judicial", "<dd>000000000000012345620258190001"},
	},
	"benefit": {
		[]string{"iss", "benefit", "iss_benefit", "33045570200001", "iss_benefit_percent", "40"},
		[]string{"<dd>33045570200001", "<dd>40,00"},
	},
	"benefit in reais": {
		[]string{"iss", "benefit", "iss_benefit", "33045570200001", "iss_benefit_amount", "4.000,00"},
		[]string{"<dt>Redução da base, R$</dt><dd>4000,00"},
	},
	"abroad": {
		[]string{"abroad", "export", "abroad_country", "us", "abroad_result_country", "PT", "abroad_mode", "1",
			"abroad_relationship", "9", "abroad_currency", "220", "abroad_amount", "2.000,00",
			"abroad_provider_mechanism", "02", "abroad_taker_mechanism", "26", "abroad_goods", "2",
			"abroad_import_declaration", "DI 7", "abroad_export_record", "RE 8", "abroad_to_ministry", "on",
			"abroad_no_foreign_currency", "on"},
		[]string{"<dd>é exportado", "<dd>US", "<dd>PT", "<dd>1 transfronteiriço", "<dd>9 desconhecido", "<dd>220",
			"<dd>2000,00", "<dd>02", "<dd>26", "<dd>2 importação", "<dd>DI 7", "<dd>RE 8", "(MDIC)</dt><dd>Sim",
			"(senão: CST 08, sem valores)</dt><dd>Sim"},
	},
	"nothing": {
		[]string{"iss", "taxed", "abroad", "none", "deduction", "none", "withheld", "none"},
		[]string{"<dd>devido", "<dd>nada tem com o exterior", "<dt>Deduz</dt><dd>nada"},
	},
	"withheld": {
		[]string{"withheld", "own", "irrf", "1,5", "pis", "0,65", "cofins", "3", "csll", "2", "inss", "11",
			"inss-base", "50"},
		[]string{"IRRF R$\u00a015,00 · " +
			strings.Join(untilContributionsEnd("PIS R$\u00a06,50 · COFINS R$\u00a030,00 · "), "") + "CSLL R$\u00a020,00 · " +
			"INSS R$\u00a055,00", "Só se retém INSS de cessão de mão de obra e empreitada"},
	},
	"foreign": {
		[]string{"foreign_name", "Acme <Inc>", "foreign_nif", "98-7654321", "foreign_country", "us",
			"foreign_postal_code", "94105", "foreign_city", "San Francisco", "foreign_region", "CA", "foreign_street",
			"Market Street", "foreign_number", "1", "foreign_complement", "2F", "foreign_district", "SoMa"},
		[]string{"Acme &lt;Inc&gt; · 98-7654321 · Market Street · 1 · 2F · SoMa · 94105 · San Francisco · CA · US"},
	},
	"foreign without a number": {
		[]string{"foreign_name", "Acme", "foreign_no_nif", "2", "foreign_country", "US", "foreign_postal_code", "94105",
			"foreign_city", "San Francisco", "foreign_region", "CA", "foreign_street", "Market Street",
			"foreign_number", "1", "foreign_district", "SoMa"},
		[]string{"Acme · Sem NIF porque 2 o país não exige · Market Street"},
	},
	"intermediary": {
		[]string{"intermediary_tax_id", "12.345.678/0001-95", "intermediary_name", "Plataforma SA",
			"intermediary_withholds", "on", "intermediary_municipality_code", "3304557", "intermediary_zip_code",
			"20040-002", "intermediary_street", "Rua A", "intermediary_number", "20", "intermediary_complement", "S",
			"intermediary_district", "Centro"},
		[]string{"Plataforma SA · 12.345.678/0001-95 · Retém o ISS · Rua A · 20 · S · Centro · 20040-002 · " +
			"Rio de Janeiro"},
	},
}

// withDetails is a form that nothing is wrong with, and details.
func withDetails(service, reference string, typed []string) url.Values {
	sent := issueForm(service, reference)
	sent.Set("amount_cents", "1.000,00")
	sent.Set("tax_id", "33.444.555/0001-81")
	if slices.Contains(typed, "foreign_name") {
		inBrazil := []string{"tax_id", "name", "municipality_code"}
		for name := range sent {
			if strings.HasPrefix(name, "address.") || slices.Contains(inBrazil, name) {
				sent.Del(name)
			}
		}
	}
	maps.Copy(sent, form(typed...))
	sent.Set("env", "live")
	return sent
}

// Every detail is shown before it is issued, kept with the note, and filled in again where the form is opened to
// issue the note again.
func TestReview_ShowsDetails(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	service, notes := s.NewService(t, s.LiveKey), s.of("/notes", s.Organization.ID, "live")
	live := nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true}
	work, err := catalogues.Works.Add(t.Context(), s.Changes().Catalogues, live,
		nfse.Work{Name: "Casa", Registration: "900012345678", MunicipalityCode: "3304557"})
	must(t, err)
	event, err := catalogues.CulturalEvents.Add(t.Context(), s.Changes().Catalogues, live,
		nfse.CulturalEvent{Name: "Festival", From: "2026-11-20", Through: "2026-11-21", Identification: "7",
			MunicipalityCode: "3304557"})
	must(t, err)
	cases := maps.Clone(detailed)
	cases["sites"] = struct{ typed, shown []string }{[]string{"work", work.ID, "event", event.ID},
		[]string{"<dt>Obra</dt><dd>Casa", "<dt>Evento</dt><dd>Festival"}}
	typed := map[string]bool{}
	for name, one := range cases {
		sent := withDetails(service, "pedido-"+name, one.typed)
		review := editor.post(t, notes, sent).expect(t, http.StatusOK, one.shown...)
		editor.post(t, notes, review.reviewed(t)).expect(t, http.StatusSeeOther)
		id := s.Text(t, `SELECT id FROM notes WHERE reference = $1`, "pedido-"+name)
		again := editor.get(t, s.of("/notes/new", s.Organization.ID, "live")+"&from="+id)
		for i := 0; i < len(one.typed); i += 2 {
			typed[one.typed[i]] = true
			if !again.filled(one.typed[i]) {
				t.Errorf("%s: %s is not filled in again", name, one.typed[i])
			}
		}
		// The reference is the note's, with its details alone.
		editor.post(t, notes, review.reviewed(t)).expect(t, http.StatusSeeOther)
		sent.Set("discount_conditional", "0,07")
		editor.post(t, notes, sent).expect(t, http.StatusUnprocessableEntity, `aria-describedby="reference-problem"`)
	}
	for _, field := range dashboard.DetailFields {
		row, of := strings.CutPrefix(field, "document_")
		if of && row[:2] != "1_" || field == "document_1_description" {
			continue // as in another row
		}
		if !typed[field] {
			t.Errorf("nobody has typed %s", field)
		}
	}
}

// What is set for the service and the customer is shown before a note is issued as well, where the
// form says nothing else, and shown again where it changes meanwhile.
func TestReview_ShowsWhatIsSet(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	notes := s.of("/notes", s.Organization.ID, "live")
	live := nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true}
	service := s.Call(t, http.MethodPost, "/v1/services", s.LiveKey, testkit.Body{
		"name": "Reforma", "description": "Reforma de casa", "municipality_code": "3304557",
		"default_amount_cents": 15000, "national_tax_code": "07.02.01",
	}).Expect(t, http.StatusCreated).Text("id")
	work, err := catalogues.Works.Add(t.Context(), s.Changes().Catalogues, live, nfse.Work{Name: "Casa <1>",
		Registration:     "900012345678",
		MunicipalityCode: "3304557"})
	must(t, err)
	set := nfse.ServiceTaxation{WorkID: work.ID, Deduction: 12_50,
		ISS:    &nfse.ISSTreatment{Kind: nfse.ISSSuspended, Suspension: 2, Process: strings.Repeat("7", 30)},
		Abroad: &nfse.Abroad{Mode: 1, Currency: "220", AmountCents: 7_00}}
	must(t, s.Changes().Catalogues.TaxService(t.Context(), live, service, set, ""))
	shown := []string{"<dt>Obra</dt><dd>Casa &lt;1&gt;", "<dd>um percentual do valor", "<dd>12,50",
		"<dd>de exigibilidade suspensa", "<dd>processo administrativo", "<dd>" + strings.Repeat("7", 30),
		"<dd>tem parte no exterior", "<dd>7,00"}
	review := editor.post(t, notes, withDetails(service, "pedido-1", nil)).expect(t, http.StatusOK, shown...)
	otherwise := editor.post(t, notes, withDetails(service, "pedido-1", detailed["nothing"].typed))
	otherwise.expect(t, http.StatusOK, shown[0], "<dd>devido", "<dt>Deduz</dt><dd>nada")
	for _, overruled := range shown[1:] {
		if strings.Contains(otherwise.body, overruled) {
			t.Errorf("the form says otherwise, and the review shows %s", overruled)
		}
	}
	set.Deduction = 13_00
	must(t, s.Changes().Catalogues.TaxService(t.Context(), live, service, set, ""))
	editor.post(t, notes, review.reviewed(t)).expect(t, http.StatusOK, "Algo mudou desde que você revisou", "<dd>13,00")
	if n := s.Count(t, `SELECT count(*) FROM notes`); n != 0 {
		t.Errorf("%d notes are issued", n)
	}
}

// The form has rows for a few documents, and more where they are asked for; those that are filled in
// stay.
func TestIssue_MoreDocuments(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	service, notes := s.NewService(t, s.LiveKey), s.of("/notes", s.Organization.ID, "live")
	asked := func(shown page, rows int) {
		t.Helper()
		shown.expect(t, http.StatusOK, fmt.Sprintf(`<button name="more_documents" value="%d">`, rows))
		for _, one := range []struct {
			row  int
			want bool
		}{{rows, true}, {rows + 1, false}} {
			if has := strings.Contains(shown.body, fmt.Sprintf(`id="document_%d_key"`, one.row)); has != one.want {
				t.Errorf("of %d rows, row %d is there: %t", rows, one.row, has)
			}
		}
	}
	asked(editor.get(t, s.of("/notes/new", s.Organization.ID, "live")), 3)
	typed := []string{"deduction", "documents"}
	for row := 1; row <= 20; row++ {
		field := fmt.Sprintf("document_%d_", row)
		typed = append(typed, field+"key", nfeKey, field+"kind", "2", field+"issued", "2026-11-03",
			field+"deductible", "4,00", field+"used", "3,00")
	}
	for had, rows := range map[string]int{"3": 6, "18": 20, "x": 3, "-7": 6, "99": 20} {
		more := editor.post(t, notes, withDetails(service, "pedido-1", []string{"more_documents", had}))
		asked(more.expect(t, http.StatusOK, `<details class="more" open>`), rows)
	}
	few := withDetails(service, "pedido-1", append([]string{"more_documents", "6"}, typed[:42]...)) // 4 documents
	asked(editor.post(t, notes, few).expect(t, http.StatusOK, `id="document_4_key" name="document_4_key"`), 9)
	review := editor.post(t, notes, withDetails(service, "pedido-1", typed)).reviewed(t)
	editor.post(t, notes, review).expect(t, http.StatusSeeOther)
	if n := s.Count(t, `SELECT jsonb_array_length(details->'deduction'->'documents') FROM notes`); n != 20 {
		t.Errorf("the note deducts %d documents", n)
	}
	id := s.Text(t, `SELECT id FROM notes`)
	asked(editor.get(t, s.of("/notes/new", s.Organization.ID, "live")+"&from="+id), 20)
}

// filled reports whether a field of a form has a value.
func (p page) filled(name string) bool {
	_, after, found := strings.Cut(p.body, `id="`+name+`"`)
	field, _, _ := strings.Cut(after, "\n")
	return found && (strings.Contains(field, " selected>") && !strings.Contains(field, `value="" selected>`) ||
		strings.Contains(field, " checked>") ||
		strings.Contains(field, `type="`) && !strings.Contains(field, `value=""`) &&
			!strings.Contains(field, "checkbox"))
}

// What is wrong is said at its field, and what the authority would refuse before it is issued.
func TestIssue_DetailsNameTheField(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	service, notes := s.NewService(t, s.LiveKey), s.of("/notes", s.Organization.ID, "live")
	for field, typed := range map[string][]string{
		"discount_unconditional": {"discount_unconditional", "x"},
		"deduction":              {"deduction", "all"},
		"deduction_percent":      {"deduction", "percent", "deduction_percent", "101"},
		"deduction_amount":       {"deduction", "amount"},
		"document_1_key":         {"deduction", "documents"},
		"document_1_used": {"deduction", "documents", "document_1_key", nfeKey, "document_1_kind", "2",
			"document_1_issued", "2026-11-03", "document_1_deductible", "1,00", "document_1_used", "2,00"},
		"iss_immunity":           {"iss", "immune"},
		"iss_process":            {"iss", "suspended", "iss_suspension", "1", "iss_process", "7"},
		"abroad_country":         {"abroad", "export", "abroad_mode", "1", "abroad_country", "XX"},
		"abroad_mode":            {"abroad", "taxed"},
		"work":                   {"work", "wrk_1"},
		"event":                  {"event", "occ_1"},
		"foreign_no_nif":         {"foreign_name", "Acme"},
		"irrf":                   {"withheld", "own", "irrf", "x"},
		"intermediary_tax_id":    {"intermediary_name", "Plataforma"},
		"intermediary_street":    {"intermediary_tax_id", "12345678000195", "intermediary_withholds", "on"},
		"intermediary_withholds": append([]string{"iss_withheld", "on"}, detailed["intermediary"].typed...),
		"abroad_relationship":    {"abroad", "taxed", "abroad_mode", "1", "abroad_relationship", "8"},
		"iss_benefit_amount": {"iss", "benefit", "iss_benefit", "33045570200001", "iss_benefit_percent", "1",
			"iss_benefit_amount", "1"},
		"document_1_kind":        {"deduction", "documents", "document_1_key", nfeKey},
		"document_20_key":        {"deduction", "documents", "document_20_used", "1,00"},
		"iss":                    {"iss_immunity", "3"},
		"abroad":                 {"abroad_country", "US"},
		"withheld":               {"csll", "1"},
		"abroad_taker_mechanism": {"abroad", "taxed", "abroad_mode", "1", "abroad_taker_mechanism", "27"},
	} {
		answer := editor.post(t, notes, withDetails(service, "pedido-1", typed))
		answer.expect(t, http.StatusUnprocessableEntity, `aria-describedby="`+field+`-problem"`,
			`<details class="more" open>`)
	}
	both := withDetails(service, "pedido-1", detailed["foreign"].typed)
	both.Set("tax_id", "529.982.247-25")
	editor.post(t, notes, both).expect(t, http.StatusUnprocessableEntity, "tomador no exterior, não os dois")
	editor.post(t, notes, withDetails(service, "pedido-1", []string{"discount_conditional", "1.000,00"})).expect(t,
		http.StatusOK, "esta nota seria recusada", "(E0432)")
	if n := s.Count(t, `SELECT count(*) FROM notes`); n != 0 {
		t.Errorf("%d notes are issued", n)
	}
}
