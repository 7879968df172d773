package mcpserver_test

import (
	"strings"
	"testing"
	"time"

	"emissor/client/mcpserver"
	"emissor/nfse"
	"emissor/test/testkit"
)

var newService = object{"name": "Suporte técnico", "description": "Suporte técnico em informática",
	"municipality_code": "3550308", "default_amount_cents": 15000, "national_tax_code": "01.07.01", "iss_rate": 2.5}

var maria = object{"document": "529.982.247-25", "name": "Maria da Silva", "address": object{"zip_code": "01310-100",
	"street": "Avenida Paulista", "number": "1578", "district": "Bela Vista"}}

func issuance(reference, service string, scenario nfse.Scenario) object {
	return object{"reference": reference, "service_id": service, "amount_cents": 15000, "customer": maria,
		"sandbox_scenario": string(scenario)}
}

// An agent with a test key does everything that a caller does, and asks nobody.
func TestTools_OneNotesLife(t *testing.T) {
	t.Parallel()
	system := testkit.NewSystem(t, testkit.Options{Worker: true, Slow: time.Hour})
	a := connect(t, system.URL, system.TestKey, mcpserver.Options{}, confirms)

	service := textAt(a.does(t, "create_service", newService), "service", "id")
	listed := a.does(t, "list_services", object{"limit": 5})["services"].([]any)
	if len(listed) != 1 || textAt(listed[0], "id") != service || at(listed[0], "iss_rate") != 2.5 {
		t.Errorf("listed is %v", listed)
	}
	customer := textAt(a.does(t, "save_customer", maria), "customer", "id")
	for _, query := range []object{{"document": "52998224725"}, {"name": "MARIA DA"},
		{"document": "529.982.247-25", "name": "silva"}} {
		found := a.does(t, "find_customers", query)["customers"].([]any)
		if len(found) != 1 || textAt(found[0], "id") != customer {
			t.Errorf("%v finds %v", query, found)
		}
	}
	if found := a.does(t, "find_customers", object{"name": "João"}); len(found["customers"].([]any)) != 0 {
		t.Errorf("found is %v", found)
	}
	a.isRefused(t, "invalid_arguments", "find_customers", object{})

	note := textAt(a.does(t, "issue_note", issuance("pedido 1", service, nfse.ScenarioAuthorized)), "accepted", "id")
	again := a.does(t, "issue_note", issuance("pedido 1", service, nfse.ScenarioAuthorized))
	if textAt(again, "accepted", "id") != note || at(again, "accepted", "idempotent") != true {
		t.Errorf("again it is %v", again)
	}
	refusal := a.isRefused(t, "idempotency_conflict", "issue_note", issuance("pedido 1", service, nfse.ScenarioSlow))
	if refusal["field"] != "reference" || refusal["status"] != 409.0 ||
		!strings.HasPrefix(textAt(refusal, "request_id"), "req_") {
		t.Errorf("the refusal is %v", refusal)
	}
	if ended := a.awaits(t, note); textAt(ended, "note", "status") != "issued" {
		t.Errorf("it ends as %v", ended)
	}
	if xml := a.does(t, "get_note_xml", object{"id": note}); !strings.HasPrefix(textAt(xml, "xml"), "<") ||
		xml["bytes"] != float64(len(textAt(xml, "xml"))) {
		t.Errorf("the XML is %v", xml)
	}
	a.isRefused(t, "not_rejected", "explain_rejection", object{"id": note})
	a.does(t, "cancel_note", object{"id": note, "reason_code": "2", "reason_text": "O serviço não foi prestado."})
	if ended := a.awaits(t, note); textAt(ended, "note", "status") != "cancelled" {
		t.Errorf("it ends as %v", ended)
	}

	slow := textAt(a.does(t, "issue_note", issuance("pedido 2", service, nfse.ScenarioSlow)), "accepted", "id")
	if waited := a.does(t, "wait_for_note", object{"id": slow, "seconds": 3}); waited["ended"] != false ||
		textAt(waited, "note", "id") != slow {
		t.Errorf("after three seconds it is %v", waited)
	}
	a.isRefused(t, "xml_not_available", "get_note_xml", object{"id": slow})

	rejected := textAt(a.does(t, "issue_note", issuance("pedido 3", service, nfse.ScenarioRejected)), "accepted", "id")
	a.awaits(t, rejected)
	explained := a.does(t, "explain_rejection", object{"id": rejected})
	shown := a.does(t, "show_note", object{"id": rejected})
	if textAt(explained, "rejection", "code") != textAt(shown, "note", "rejection", "code") ||
		textAt(explained, "guidance", "field") != textAt(shown, "note", "rejection", "field") ||
		textAt(explained, "guidance", "rule") == "" ||
		!strings.Contains(textAt(explained, "guidance", "then"), "new reference") {
		t.Errorf("it is explained as %v", explained)
	}
	a.isRefused(t, "nfse_not_cancellable", "cancel_note", object{"id": rejected, "reason_code": "9",
		"reason_text": "não serve para mais nada"})

	for _, c := range []struct {
		query    object
		expected []string
	}{
		{object{}, []string{rejected, slow, note}}, {object{"limit": 1}, []string{rejected}},
		{object{"starting_after": rejected}, []string{slow, note}}, {object{"reference": "pedido 1"}, []string{note}},
		{object{"status": "rejected", "document": "52998224725"}, []string{rejected}}, {object{"reference": "pedido"}, nil},
	} {
		found := a.does(t, "find_notes", c.query)
		var ids []string
		for _, one := range found["notes"].([]any) {
			ids = append(ids, textAt(one, "id"))
		}
		if strings.Join(ids, " ") != strings.Join(c.expected, " ") ||
			(found["next_cursor"] != nil) != (c.query["limit"] != nil) {
			t.Errorf("%v finds %v, next %v", c.query, ids, found["next_cursor"])
		}
	}
	status := a.does(t, "show_status", nil)
	if status["health"] != "ok" || status["environment"] != "test" || status["key_accepted"] != true ||
		status["acts"] != "allowed" || textAt(status, "notes", "oldest_open", "id") != slow {
		t.Errorf("the status is %v", status)
	}
	if len(a.asked) != 0 {
		t.Errorf("a person was asked %q", a.asked)
	}
}

// What a key may not, and what is not there, is said as data.
func TestTools_Refusals(t *testing.T) {
	t.Parallel()
	system := testkit.NewSystem(t, testkit.Options{})
	stranger := connect(t, system.URL, nfse.NewAPIKeyText(false), mcpserver.Options{}, nobody)
	stranger.isRefused(t, "invalid_api_key", "list_services", nil)
	if status := stranger.does(t, "show_status", nil); status["key_accepted"] != false || status["health"] != "ok" ||
		textAt(status, "error", "code") != "invalid_api_key" {
		t.Errorf("the status is %v", status)
	}
	a := connect(t, system.URL, system.TestKey, mcpserver.Options{}, nobody)
	a.isRefused(t, "invalid_request", "create_service", changed(newService, "municipality_code", "0000000"))
	a.isRefused(t, "nfse_not_found", "show_note", object{"id": "nfse_01m0w42mhrfrtr5k9vysj1qpre"})
	for tool, arguments := range map[string]object{
		"show_note":      {"id": "../services"},
		"create_service": changed(newService, "name", "x"),
		"list_services":  {"limit": 101},
		"issue_note": changed(issuance("a", "srv_01m0st8jg0egxb31vmrnsbv2h5", "authorized"), "service",
			object{"name": "b"}),
		"cancel_note": {"id": "nfse_01m0w42mhrfrtr5k9vysj1qpre", "reason_code": "3", "reason_text": "quinze caracteres"},
	} {
		a.isRefused(t, "invalid_arguments", tool, arguments)
	}
	nowhere := connect(t, "http://127.0.0.1:1", system.TestKey, mcpserver.Options{}, nobody)
	nowhere.isRefused(t, "unreachable", "create_service", newService)
}

func changed(from object, field string, value any) object {
	other := object{field: value}
	for name, value := range from {
		if name != field {
			other[name] = value
		}
	}
	return other
}
