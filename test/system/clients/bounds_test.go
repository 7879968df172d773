package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"golang.org/x/text/unicode/norm"

	"emissor/test/generate"
	"emissor/test/testkit"
)

// What the service takes and answers is valid by the description, and what is beyond a bound of it is refused by the
// service and by validators of three languages, to which numbers are binary floats.
func TestDescription_BoundsAreTheServices(t *testing.T) {
	t.Parallel()
	b := &bounds{system: testkit.NewSystem(t, testkit.Options{})}
	b.sendRates(t)
	b.sendGenerated(t)
	b.sendEdges(t)
	schemas := testkit.Description(t).Components.Schemas
	t.Run("go", func(t *testing.T) {
		var valid []bool
		for _, c := range b.cases {
			valid = append(valid, schemas[c.Schema].Value.VisitJSON(plain(t, c.Value)) == nil)
		}
		b.compare(t, valid)
	})
	asked := map[string]any{"schemas": jsonSchema(plain(t, schemas)), "cases": b.cases}
	const scripts = "testdata/validators/"
	t.Run("python", func(t *testing.T) {
		b.compare(t, answers(t, asked, pythonWith(t, "jsonschema"), scripts+"validate.py"))
	})
	t.Run("javascript", func(t *testing.T) {
		b.compare(t, answers(t, asked, "node", scripts+"validate.mjs", npm(t, "ajv", "ajv-formats")))
	})
}

// bounds are bodies with what the service made of them.
type bounds struct {
	system *testkit.System
	cases  []boundsCase
}

type boundsCase struct {
	Schema string `json:"schema"`
	Value  any    `json:"value"`
	valid  bool
}

// send sends a body that the service must take or refuse, and keeps it and the record that it answers with.
func (b *bounds) send(t *testing.T, method, path, schema string, body testkit.Body, valid bool) (id string) {
	t.Helper()
	composed := composed(body)
	answer := b.system.Call(t, method, path, b.system.TestKey, composed)
	if (answer.Status != http.StatusBadRequest) != valid {
		t.Errorf("%s %v is answered %s", schema, composed, answer.Raw)
	}
	b.cases = append(b.cases, boundsCase{schema, composed, valid})
	id = answer.Text("id")
	record := map[string]string{"CreateService": "Service", "UpdateService": "Service", "CreateCustomer": "Customer",
		"UpdateCustomer": "Customer", "CreateNfse": "NfseAccepted", "CancelNfse": "Nfse"}[schema]
	if id != "" {
		b.cases = append(b.cases, boundsCase{record, answer.JSON, true})
	}
	return id
}

// sendRates sends every rate of ISS that there is.
func (b *bounds) sendRates(t *testing.T) {
	t.Helper()
	service := b.system.NewService(t, b.system.TestKey)
	for hundredths := 1; hundredths <= 500; hundredths++ {
		rate := json.Number(fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100))
		b.send(t, http.MethodPatch, "/v1/services/"+service, "UpdateService", testkit.Body{"iss_rate": rate}, true)
	}
}

// sendGenerated sends bodies of the generator: texts of any script, and of any length that is allowed.
func (b *bounds) sendGenerated(t *testing.T) {
	t.Helper()
	g := generate.New(41)
	for range 30 {
		service := b.send(t, http.MethodPost, "/v1/services", "CreateService", g.Service(), true)
		b.send(t, http.MethodPatch, "/v1/services/"+service, "UpdateService", g.ServiceChange(), true)
		customer := b.send(t, http.MethodPost, "/v1/customers", "CreateCustomer", g.Customer(g.Person(), true), true)
		b.send(t, http.MethodPatch, "/v1/customers/"+customer, "UpdateCustomer", g.CustomerChange(), true)
		b.send(t, http.MethodPost, "/v1/nfse", "CreateNfse", g.IssuanceTo(service, customer), true)
		if note := b.send(t, http.MethodPost, "/v1/nfse", "CreateNfse", g.Issuance(service, g.Person()),
			true); note != "" {
			b.send(t, http.MethodPost, "/v1/nfse/"+note+"/cancel", "CancelNfse", g.Cancellation(), true)
		}
	}
}

// sendEdges sends bodies in which one field is at the edge of its bounds, or just beyond.
func (b *bounds) sendEdges(t *testing.T) {
	t.Helper()
	service := b.system.NewService(t, b.system.TestKey)
	issuance := testkit.Issuance(service, "order-1")
	customer := issuance["customer"].(testkit.Body)
	// Left out, it would be that of an edge before, with which a street counts.
	customer["address"].(testkit.Body)["street_type"] = nil
	note := b.system.Issue(t, b.system.TestKey, issuance)
	for schema, to := range map[string]struct {
		path string
		body testkit.Body
	}{
		"CreateService": {"/v1/services", testkit.Body{"name": "Consulta", "description": "Consulta médica",
			"municipality_code": "3550308", "default_amount_cents": 15000}},
		"CreateCustomer": {"/v1/customers", customer},
		"CreateNfse":     {"/v1/nfse", issuance},
		"CancelNfse": {"/v1/nfse/" + note + "/cancel",
			testkit.Body{"reason_code": "9", "reason_text": "Um erro na emissão"}},
	} {
		sent := 0
		for _, edge := range edges(testkit.Description(t).Components.Schemas[schema].Value, to.body) {
			b.send(t, http.MethodPost, to.path, schema, edge.body, edge.within)
			sent++
		}
		if sent < 4 {
			t.Errorf("%s has %d edges", schema, sent)
		}
	}
}

// edge is a body in which one field is at the edge of its bounds.
type edge struct {
	body   testkit.Body
	within bool
}

// edges returns the edges of the fields of a body, and of the objects in it.
func edges(schema *openapi3.Schema, body testkit.Body) (found []edge) {
	with := func(field string, value any, within bool) {
		changed := maps.Clone(body)
		changed[field] = value
		found = append(found, edge{changed, within})
	}
	with("unknown", 1, false)
	for _, field := range schema.Required {
		without := maps.Clone(body)
		delete(without, field)
		found = append(found, edge{without, false})
	}
	for field, of := range schema.Properties {
		value := of.Value
		if inner, is := body[field].(testkit.Body); is {
			for _, one := range edges(value, inner) {
				with(field, one.body, one.within)
			}
			continue
		}
		with(field, []any{}, false)
		if _, given := body["customer"]; value.Nullable && !(field == "customer_id" && !given) {
			with(field, nil, true)
		}
		for _, one := range value.Enum {
			with(field, one, true)
		}
		if len(value.Enum) > 0 {
			with(field, "x", false)
		}
		if value.Type.Is("string") {
			for length, within := range lengthsOf(value) {
				with(field, textOf(field, length), within)
			}
		}
		if value.Min != nil && value.Type.Is("integer") {
			with(field, *value.Min-1, false)
			with(field, *value.Min, true)
			with(field, *value.Max, true)
			with(field, *value.Max+1, false)
		}
	}
	for number, within := range map[string]bool{"0": false, "0.01": true, "5": true, "5.00": true, "5.01": false} {
		if schema.Properties["iss_rate"] != nil {
			with("iss_rate", json.Number(number), within)
		}
	}
	return found
}

// lengthsOf are lengths of a text at the edges of its bounds, and whether they are within.
func lengthsOf(text *openapi3.Schema) map[int]bool {
	lengths := map[int]bool{}
	if text.MinLength > 0 {
		lengths[int(text.MinLength)-1], lengths[int(text.MinLength)] = false, true
	}
	if text.MaxLength != nil {
		lengths[int(*text.MaxLength)], lengths[int(*text.MaxLength)+1] = true, false
	}
	return lengths
}

// textOf is a text of so many characters that its field can have.
func textOf(field string, length int) string {
	if field == "email" { // of a form that the service takes, and validators of the format email do not
		const begin, end = ".", "@x.example"
		return begin + strings.Repeat("a", length-len(begin+end)) + end
	}
	return strings.Repeat("é", length)
}

// compare holds what a validator says of the cases against what the service did.
func (b *bounds) compare(t *testing.T, valid []bool) {
	t.Helper()
	if len(valid) != len(b.cases) {
		t.Fatalf("%d of %d values were looked at", len(valid), len(b.cases))
	}
	for i, c := range b.cases {
		if valid[i] != c.valid {
			t.Errorf("valid is %v, by the service %v: %s %v", valid[i], c.valid, c.Schema, c.Value)
		}
	}
}

// answers runs a program that reads a value as JSON and writes one.
func answers(t *testing.T, asked any, program string, arguments ...string) (valid []bool) {
	t.Helper()
	need(t, program)
	sent, err := json.Marshal(asked)
	must(t, err)
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Stdin = bytes.NewReader(sent)
	var said strings.Builder
	command.Stderr = &said
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	must(t, json.Unmarshal(output, &valid))
	return valid
}

// jsonSchema is a schema of OpenAPI 3.0 in the terms of JSON Schema, as those do who validate by it.
func jsonSchema(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = jsonSchema(value[i])
		}
	case map[string]any:
		if value["nullable"] == true {
			value["type"] = []any{value["type"], "null"}
		}
		if value["exclusiveMinimum"] == true {
			value["exclusiveMinimum"] = value["minimum"]
		}
		for name := range value {
			value[name] = jsonSchema(value[name])
		}
		for _, name := range []string{"nullable", "example"} {
			delete(value, name)
		}
	}
	return value
}

// plain is a value as it is read from JSON.
func plain(t *testing.T, value any) (same any) {
	t.Helper()
	text, err := json.Marshal(value)
	must(t, err)
	must(t, json.Unmarshal(text, &same))
	return same
}

// composed has the texts of a body in composed form, in which lengths count: see the description.
func composed(body testkit.Body) testkit.Body {
	made := testkit.Body{}
	for field, value := range body {
		switch value := value.(type) {
		case string:
			made[field] = norm.NFC.String(value)
		case testkit.Body:
			made[field] = composed(value)
		default:
			made[field] = value
		}
	}
	return made
}
