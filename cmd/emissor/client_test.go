package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"emissor/client"
	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/test/testkit"
)

// callerSettingsOf are all that a caller has: an address and a key.
func callerSettingsOf(address, key string) settings {
	return settings{"EMISSOR_API_URL": address, "EMISSOR_API_KEY": key}
}

// A caller fills the catalogue, and issues, looks at and cancels notes, with an address and a key.
func TestClientCommands(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	s := callerSettingsOf(start(t, settingsOf(database), "serve").api, key)

	service := printed[nfse.Service](t, s, "client", "service", "create", "--name", "Suporte técnico", "--description",
		"Suporte técnico em informática", "--municipality-code", "3550308", "--amount-cents", "15000",
		"--national-tax-code", "01.07.01", "--iss-rate", "2.5")
	if *service.NationalTaxCode != "010701" || *service.ISSRate != 250 || !service.Active ||
		service.MunicipalTaxCode != nil {
		t.Errorf("the service is %+v", service)
	}
	file := filepath.Join(t.TempDir(), "service.json")
	must(t, os.WriteFile(file, []byte(`{"name":"Aula","description":"Aula de piano","municipality_code":"3550308",
		"default_amount_cents":9000,"active":false}`), 0o600))
	if other := printed[nfse.Service](t, s, "client", "service", "create", "--file", file); other.Active ||
		other.Name != "Aula" {
		t.Errorf("the other is %+v", other)
	}
	fails(t, s, "invalid_request (municipality_code)", "client", "service", "create", "--name", "Aula", "--description",
		"Aula de piano", "--amount-cents", "1", "--municipality-code", "0000000")
	must(t, os.WriteFile(file, []byte(`{"name":`), 0o600))
	misused(t, s, "--file holds no JSON", "client", "service", "create", "--file", file)
	must(t, os.WriteFile(file, bytes.Repeat([]byte(" "), 64<<10+1), 0o600))
	misused(t, s, "--file holds more than a request may have", "client", "service", "create", "--file", file)
	misused(t, s, "[file name]", "client", "service", "create", "--file", file, "--name", "Aula")

	create := []string{"client", "note", "create", "--reference", "pedido 1", "--service", service.ID, "--amount-cents",
		"15000", "--document", "529.982.247-25", "--name", "Maria da Silva", "--zip-code", "01310-100", "--street",
		"Avenida Paulista", "--number", "1578", "--district", "Bela Vista"}
	note := printed[nfse.Note](t, s, append(create, "--wait")...)
	if note.Status != nfse.StatusIssued || note.Customer.Address.Complement != nil {
		t.Errorf("the note is %+v", note)
	}
	again := printed[client.NfseAccepted](t, s, create...)
	if again.ID != note.ID || !again.Idempotent {
		t.Errorf("again it is %+v", again)
	}
	fails(t, s, "idempotency_conflict (reference)", append(create, "--iss-withheld")...)
	misused(t, s, "--reference is missing", "client", "note", "create", "--service", service.ID)
	for _, inline := range []string{"document", "name", "zip-code", "street-type", "street", "number", "district",
		"complement", "municipality-code"} {
		misused(t, s, "in the group [customer "+inline+"] are set none", "client", "note", "create",
			"--reference", "pedido 4", "--service", service.ID, "--amount-cents", "1", "--customer", note.CustomerID, "--"+inline, "1")
	}
	shown := succeeds(t, s, "client", "note", "show", note.ID)
	if !strings.Contains(shown, "issued") || !strings.Contains(shown, "150.00") || strings.Contains(shown, "Maria") {
		t.Errorf("it is shown as\n%s", shown)
	}
	fails(t, s, "nfse_not_found", "client", "note", "show", "nfse_x")

	// A note that is rejected is printed, and the command fails.
	body, err := json.Marshal(client.CreateNfse{Reference: "pedido 2", ServiceID: service.ID, AmountCents: 1,
		CustomerID: &note.CustomerID, SandboxScenario: new(client.SandboxScenarioRejected)})
	must(t, err)
	must(t, os.WriteFile(file, body, 0o600))
	rejected := execute(t, s, "client", "note", "create", "--file", file, "--wait", "--json")
	var record nfse.Note
	if err := json.Unmarshal([]byte(rejected.stdout), &record); err != nil || rejected.code != 1 ||
		record.Status != nfse.StatusRejected ||
		!strings.Contains(rejected.stderr, `"message": "the note was rejected: `+record.Rejection.Code) {
		t.Errorf("%+v, %v", rejected, err)
	}
	fails(t, s, "nfse_not_cancellable", "client", "note", "cancel", record.ID, "--reason-code", "9", "--reason-text",
		"não serve para mais nada")

	// With --json a failure is the API's envelope, on the standard error.
	refused := execute(t, s, "client", "note", "show", "nfse_x", "--json")
	var envelope struct{ Error cli.PrintedError }
	must(t, json.Unmarshal([]byte(refused.stderr), &envelope))
	if e := envelope.Error; refused.code != 1 || refused.stdout != "" || e.Code != nfse.CodeNoteNotFound ||
		!nfse.IsID(nfse.PrefixRequest, e.RequestID) || e.Retryable {
		t.Errorf("it fails with %+v", refused)
	}

	slow := append(slices.Clone(create), "--scenario", "slow", "--wait", "--timeout", "1s")
	slow[4] = "pedido 3"
	fails(t, s, "the time to wait is over (--timeout)", slow...)

	testClientReads(t, s, note)
	cancelled := printed[nfse.Note](t, s, "client", "note", "cancel", note.ID, "--reason-code", "2", "--reason-text",
		"O serviço não foi prestado.", "--wait")
	waited := printed[nfse.Note](t, s, "client", "note", "wait", note.ID)
	if cancelled.Status != nfse.StatusCancelled || waited.Status != nfse.StatusCancelled {
		t.Errorf("it is %s, and %s", cancelled.Status, waited.Status)
	}
}

// testClientReads lists notes, services and customers, shows them, saves a customer again, and reads a document.
func testClientReads(t *testing.T, s settings, note nfse.Note) {
	t.Helper()
	notes := printed[client.List[nfse.Note]](t, s, "client", "note", "list", "--limit", "1")
	rest := printed[client.List[nfse.Note]](t, s, "client", "note", "list", "--starting-after", *notes.NextCursor)
	if len(notes.Data) != 1 || !slices.ContainsFunc(rest.Data, func(n nfse.Note) bool { return n.ID == note.ID }) {
		t.Errorf("the notes are %+v and %+v", notes, rest)
	}
	table := execute(t, s, "client", "note", "list", "--limit", "1")
	if cells(table.stdout)[0][0] != "ID" || !strings.Contains(table.stderr, "--starting-after "+*notes.NextCursor) {
		t.Errorf("a list is printed as %+v", table)
	}
	services := printed[client.List[nfse.Service]](t, s, "client", "service", "list")
	one := printed[nfse.Service](t, s, "client", "service", "show", services.Data[0].ID)
	if len(services.Data) != 2 || one.ID != services.Data[0].ID {
		t.Errorf("the services are %+v", services)
	}
	saved := printed[nfse.Customer](t, s, "client", "customer", "save", "--document", "529.982.247-25", "--name",
		"Maria Souza", "--email", "maria@example.com")
	customers := printed[client.List[nfse.Customer]](t, s, "client", "customer", "list")
	read := printed[nfse.Customer](t, s, "client", "customer", "show", note.CustomerID)
	if saved.ID != note.CustomerID || read.Name != "Maria Souza" || *read.Email != "maria@example.com" ||
		*read.Address.District != "Bela Vista" || len(customers.Data) != 1 {
		t.Errorf("the customers are %+v, and %+v", customers, read)
	}
	if table := succeeds(t, s, "client", "customer", "list"); strings.Contains(table, "529") {
		t.Errorf("the table has the document\n%s", table)
	}
	file := filepath.Join(t.TempDir(), "note.xml")
	succeeds(t, s, "client", "note", "xml", note.ID, "-o", file)
	document, err := os.ReadFile(file)
	must(t, err)
	if same := succeeds(t, s, "client", "note", "xml", note.ID, "-o", "-"); same != string(document) ||
		!strings.HasPrefix(same, "<") {
		t.Errorf("the document is %q and %q", document, same)
	}
}

// What is missing is said before anything is asked, and a wrong key by the API.
func TestClientCommands_WithoutWhatTheyNeed(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	key := nfse.NewAPIKeyText(false)
	fails(t, settings{"EMISSOR_API_KEY": key}, "EMISSOR_API_URL is not set", "client", "note", "show", "nfse_x")
	fails(t, settings{"EMISSOR_API_URL": "http://127.0.0.1:1"}, "EMISSOR_API_KEY is not set", "trigger", "nfse.issued")
	fails(t, callerSettingsOf("http://api.example.com", key), "EMISSOR_API_URL must begin with https://",
		"client", "note", "show", "nfse_x")
	api := start(t, settingsOf(database).withoutTemporal(), "api")
	fails(t, callerSettingsOf(api.api, key), "invalid_api_key", "client", "note", "show", "nfse_x")
}

// Each event happens, with what --with says, and only in the test environment.
func TestTriggerCommand(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	s := callerSettingsOf(start(t, settingsOf(database), "serve").api, key)
	issued := printed[nfse.Note](t, s, "trigger", "nfse.issued", "--with", "amount_cents=123", "--with",
		"customer.name=José", "--with", "service.description=Aula de piano")
	if issued.Status != nfse.StatusIssued || issued.AmountCents != 123 || issued.Customer.Name != "José" ||
		issued.Service.Description != "Aula de piano" || issued.Livemode {
		t.Errorf("issued is %+v", issued)
	}
	rejected := printed[nfse.Note](t, s, "trigger", "nfse.rejected", "--with", "reference=pedido 7")
	if rejected.Status != nfse.StatusRejected || rejected.Reference != "pedido 7" {
		t.Errorf("rejected is %+v", rejected)
	}
	cancelled := printed[nfse.Note](t, s, "trigger", "nfse.cancelled", "--with", "reason_code=2", "--with",
		"customer_id="+issued.CustomerID)
	if cancelled.Status != nfse.StatusCancelled || *cancelled.Cancellation.ReasonCode != "2" ||
		cancelled.CustomerID != issued.CustomerID {
		t.Errorf("cancelled is %+v", cancelled)
	}
	for event, count := range map[string]int{"nfse.issued": 2, "nfse.rejected": 1, "nfse.cancelled": 1} {
		if events := database.Count(t, `SELECT count(*) FROM events WHERE type = $1`, event); events != count {
			t.Errorf("%s happened %d times, expected %d", event, events, count)
		}
	}
	if services := database.Count(t, `SELECT count(*) FROM services`); services != 1 {
		t.Errorf("%d services were made for three notes", services)
	}
	fails(t, s, "idempotency_conflict (reference)", "trigger", "nfse.issued", "--with", "reference=pedido 7")
	misused(t, s, "there is no event", "trigger", "nfse.paid")
	misused(t, s, "--with must be FIELD=VALUE", "trigger", "nfse.issued", "--with", "sandbox_scenario=slow")
	misused(t, s, "--with amount_cents: the value must be a whole number", "trigger", "nfse.issued", "--with",
		"amount_cents=1.5")
	notes := `SELECT count(*) FROM notes`
	before := database.Count(t, notes)
	for field, must := range map[string]string{"reason_code=7": "be one of: 1, 2, 9",
		"reason_text=x": "have 15 to 255"} {
		misused(t, s, "the value must "+must, "trigger", "nfse.cancelled", "--with", field)
	}
	if after := database.Count(t, notes); after != before {
		t.Errorf("%d notes were issued for a reason that is refused", after-before)
	}
	fails(t, s, "invalid_request (customer.document)", "trigger", "nfse.issued", "--with", "customer.document=1")
	fails(t, s.with("EMISSOR_API_KEY", nfse.NewAPIKeyText(true)), "is a live key", "trigger", "nfse.issued")
}

// No field is dropped in silence: of two that exclude each other, in any order, both are named.
func TestTriggerCommand_DropsNothing(t *testing.T) {
	t.Parallel()
	s := callerSettingsOf("http://127.0.0.1:1", nfse.NewAPIKeyText(false))
	const exclude = "--with customer_id names a customer on record, and --with customer.name is of another one"
	for _, c := range []struct {
		event, expected string
		with            []string
	}{
		{"nfse.issued", exclude, []string{"customer.name=X", "customer_id=cus_1"}},
		{"nfse.issued", exclude, []string{"customer_id=cus_1", "amount_cents=1", "customer.name=X"}},
		{"nfse.issued", "--with amount_cents is there twice", []string{"amount_cents=1", "amount_cents=2"}},
		{"nfse.issued", "--with reason_code is of a cancellation, and nfse.issued has none", []string{"reason_code=2"}},
		{"nfse.issued", "--with iss_withheld: the value must be true or false", []string{"iss_withheld=yes"}},
		{"nfse.rejected", "--with reason_text is of a cancellation, and nfse.rejected has none",
			[]string{"reason_text=Sem motivo nenhum."}},
	} {
		args := []string{"trigger", c.event}
		for _, field := range c.with {
			args = append(args, "--with", field)
		}
		misused(t, s, c.expected, args...)
	}
}

// Every command of callers has --json and an example, and its choices are completed.
func TestCallerCommands_Help(t *testing.T) {
	t.Parallel()
	count := 0
	var look func(command *cobra.Command)
	look = func(command *cobra.Command) {
		for _, child := range command.Commands() {
			look(child)
		}
		if command.HasSubCommands() {
			return
		}
		count++
		if command.Example == "" || !strings.Contains(command.Example, command.CommandPath()) {
			t.Errorf("%s has no example", command.CommandPath())
		}
		if command.Flags().Lookup("json") == nil {
			t.Errorf("%s has no --json", command.CommandPath())
		}
	}
	for _, name := range []string{"client", "trigger", "mcp"} {
		command, _, err := rootCommand().Find([]string{name})
		must(t, err)
		look(command)
	}
	if count != 14 {
		t.Errorf("%d commands were looked at", count)
	}
	for _, c := range []struct {
		typed    []string
		expected []string
	}{
		{[]string{"trigger", ""}, []string{"nfse.issued", "nfse.rejected", "nfse.cancelled"}},
		{[]string{"trigger", "nfse.issued", "--with", "customer.address.z"}, []string{"customer.address.zip_code="}},
		{[]string{"client", "note", "create", "--scenario", ""}, []string{"authorized", "rejected", "slow"}},
		{[]string{"client", "note", "cancel", "nfse_1", "--reason-code", ""}, []string{"1", "2", "9"}},
		{[]string{"client", "service", "create", "--municipal-taxation", ""}, []string{"T", "F"}},
	} {
		if completed := completions(t, c.typed...); !slices.Equal(completed, c.expected) {
			t.Errorf("%v is completed by %v", c.typed, completed)
		}
	}
}

// completions are what a shell offers for the last word.
func completions(t *testing.T, typed ...string) []string {
	t.Helper()
	root := rootCommand()
	var out, errors bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&errors)
	root.SetArgs(append([]string{cobra.ShellCompNoDescRequestCmd}, typed...))
	must(t, root.Execute())
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return slices.DeleteFunc(lines[:len(lines)-1], func(offered string) bool { // the last is the directive
		return !strings.HasPrefix(offered, typed[len(typed)-1]) // which the shell leaves out
	})
}
