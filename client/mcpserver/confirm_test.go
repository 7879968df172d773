package mcpserver_test

import (
	"strings"
	"testing"

	"emissor/client/mcpserver"
	"emissor/nfse"
	"emissor/test/testkit"
)

// With a live key an agent reads. What it does needs that the server was started so, a program that
// can ask, and a person who confirms; without any of them nothing is done.
func TestConfirm_LiveActs(t *testing.T) {
	t.Parallel()
	system := testkit.NewSystem(t, testkit.Options{})
	live := mcpserver.Options{AllowLive: true}
	issue := object{"reference": "pedido 1", "service_id": "srv_01m0st8jg0egxb31vmrnsbv2h5", "amount_cents": 1,
		"customer": maria}
	cancel := object{"id": "nfse_01m0w42mhrfrtr5k9vysj1qpre", "reason_code": "9", "reason_text": "quinze caracteres"}
	for _, c := range []struct {
		code    string
		options mcpserver.Options
		who     person
	}{
		{"live_acts_not_allowed", mcpserver.Options{}, confirms},
		{"confirmation_not_possible", live, nobody},
	} {
		a := connect(t, system.URL, system.LiveKey, c.options, c.who)
		a.isRefused(t, c.code, "create_service", newService)
		a.isRefused(t, c.code, "save_customer", maria)
		a.isRefused(t, c.code, "issue_note", issue)
		a.isRefused(t, c.code, "cancel_note", cancel)
		if status := a.does(t, "show_status", nil); status["environment"] != "live" || status["acts"] != "not_allowed" {
			t.Errorf("the status is %v", status)
		}
		a.does(t, "list_services", nil)
		if len(a.asked) != 0 {
			t.Errorf("a person was asked %q", a.asked)
		}
	}
	for name, who := range map[string]person{"declines": declines, "leaves the box empty": leavesOff} {
		a := connect(t, system.URL, system.LiveKey, live, who)
		a.isRefused(t, "not_confirmed", "create_service", newService)
		a.isRefused(t, "not_confirmed", "save_customer", maria)
		if len(a.asked) != 2 {
			t.Errorf("who %s was asked %q", name, a.asked)
		}
	}
	if made := system.Count(t, `SELECT (SELECT count(*) FROM services) + (SELECT count(*) FROM customers)`); made != 0 {
		t.Errorf("%d records were made without a confirmation", made)
	}
}

// A person who confirms sees what is done, with the names of what is only named by an id.
func TestConfirm_AsksForEachAct(t *testing.T) {
	t.Parallel()
	system := testkit.NewSystem(t, testkit.Options{})
	a := connect(t, system.URL, system.LiveKey, mcpserver.Options{AllowLive: true}, confirms)
	service := textAt(a.does(t, "create_service", newService), "service", "id")
	customer := textAt(a.does(t, "save_customer", maria), "customer", "id")
	issue := object{"reference": "pedido \u202e1", "service_id": service, "amount_cents": 12345, "customer_id": customer}
	a.isRefused(t, "invalid_request", "issue_note", issue) // the API refuses the reference
	issue["reference"] = "pedido 1"
	accepted := a.does(t, "issue_note", issue)
	if at(accepted, "accepted", "livemode") != true {
		t.Errorf("accepted is %v", accepted)
	}
	note := textAt(accepted, "accepted", "id")
	a.does(t, "cancel_note", object{"id": note, "reason_code": "9", "reason_text": "quinze caracteres"})
	if len(a.asked) != 5 {
		t.Fatalf("a person was asked %q", a.asked)
	}
	for i, expected := range [][]string{
		{"Create this service in the live catalogue?", `Name: "Suporte técnico"`, "Default amount: R$ 150,00",
			"ISS: 2.5 %"},
		{"Create or update this customer in the live environment?", `Customer: "Maria da Silva", CPF 529.982.247-25`},
		{"Issue this note?", `Reference: "pedido \u202e1"`},
		{"Issue this note? This has fiscal value.", "Amount: R$ 123,45", `Service: "Suporte técnico"`,
			`Taker: "Maria da Silva", CPF 529.982.247-25`, "Company and authority: not known here",
			"Environment: live, at " + system.URL},
		{"Cancel this note?", note, "Amount: R$ 123,45", `Reference: "pedido 1"`,
			`Reason: other, "quinze caracteres"`},
	} {
		if strings.ContainsAny(a.asked[i], "{}") {
			t.Errorf("asked is JSON: %s", a.asked[i])
		}
		noControls(t, a.asked[i])
		for _, part := range expected {
			if !strings.Contains(a.asked[i], part) {
				t.Errorf("asked is %q, without %q", a.asked[i], part)
			}
		}
	}
	if status := system.Text(t, `SELECT status FROM notes`); status != string(nfse.StatusQueued) {
		t.Errorf("the note is %s", status) // there is no worker: the request to cancel is on record
	}
}

// The company and the authority come from the newest document that the key can read, or from the note's own.
func TestConfirm_SaysTheCompany(t *testing.T) {
	t.Parallel()
	const company = `Company: "Clínica Exemplo \nAmount: R$ 0,01", CNPJ 11.222.333/0001-81`
	national := func(generator string) string {
		return `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse"><infNFSe><xLocEmi>Teresina</xLocEmi><ambGer>` +
			generator +
			"</ambGer><emit><CNPJ>11222333000181</CNPJ><xNome>Clínica Exemplo \nAmount: R$ 0,01</xNome></emit></infNFSe></NFSe>"
	}
	for document, expected := range map[string][]string{
		national("2"): {company, "Authority: the national system"},
		national("1"): {company, `Authority: the city's own server, of "Teresina"`},
		"<NFe><CPFCNPJPrestador><CNPJ>11222333000181</CNPJ></CPFCNPJPrestador><RazaoSocialPrestador>Clínica Exemplo \n" +
			"Amount: R$ 0,01</RazaoSocialPrestador></NFe>": {company, "Authority: the city of São Paulo"},
		"<other/>": {"Company and authority: not known here"},
	} {
		system := testkit.NewSystem(t, testkit.Options{})
		service := system.NewService(t, system.LiveKey)
		note := system.Issue(t, system.LiveKey, testkit.Issuance(service, "pedido 1"))
		system.IssuedNationally(t, note)
		system.Exec(t, `INSERT INTO note_documents (note_id, xml) VALUES ($1, convert_to($2, 'UTF8'))`, note, document)
		a := connect(t, system.URL, system.LiveKey, mcpserver.Options{AllowLive: true}, declines)
		issue := issuance("pedido 2", service, "")
		delete(issue, "sandbox_scenario")
		a.isRefused(t, "not_confirmed", "issue_note", issue)
		a.isRefused(t, "not_confirmed", "cancel_note", object{"id": note, "reason_code": "9",
			"reason_text": "quinze caracteres"})
		for _, asked := range a.asked {
			for _, part := range append(expected, "\nAmount: R$ 150,00\n", "\nEnvironment: live") {
				if !strings.Contains(asked, part) {
					t.Errorf("asked is %q, without %q", asked, part)
				}
			}
		}
		if len(a.asked) != 2 {
			t.Errorf("a person was asked %q", a.asked)
		}
	}
}
