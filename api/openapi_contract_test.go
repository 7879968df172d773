package api_test

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"emissor/test/testkit"
)

// contractSection is the text of a section of the contract.
func contractSection(t *testing.T, begins, ends string) string {
	t.Helper()
	text, err := os.ReadFile("llms-full.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n"+begins)
	if !ok {
		t.Fatalf("the contract has no section %q", begins)
	}
	section, _, _ = strings.Cut(section, "\n"+ends)
	return section
}

// The contract and the description give each error code the same statuses and the same repetition.
func TestOpenAPI_ErrorCodesAsInTheContract(t *testing.T) {
	description := testkit.Description(t)
	described := map[string]bool{}
	for _, item := range description.Paths.Map() {
		for _, operation := range item.Operations() {
			for status, response := range operation.Responses.Map() {
				if response.Value.Content.Get("application/json") == nil || status < "400" {
					continue
				}
				for code, retryable := range testkit.ErrorCodes(t, response) {
					described[fmt.Sprintf("%s %s %v", code, status, again(retryable))] = true
				}
			}
		}
	}
	for name, status := range map[string]int{
		"RouteNotFound": http.StatusNotFound, "MethodNotAllowed": http.StatusMethodNotAllowed,
	} {
		for code, retryable := range testkit.ErrorCodes(t, description.Components.Responses[name]) {
			described[fmt.Sprintf("%s %d %v", code, status, again(retryable))] = true
		}
	}
	promised := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([a-z_]+) \| ([0-9]{3}) \| (yes|no|while)[^|]* \|`).
		FindAllStringSubmatch(contractSection(t, "## 7. Errors\n", "## 8."), -1) {
		promised[strings.Join(row[1:], " ")] = true
	}
	same(t, "the description against the contract", sorted(described), sorted(promised))
}

func again(retryable any) string {
	switch retryable {
	case true:
		return "yes"
	case false:
		return "no"
	}
	return "while"
}

// fieldRow is a row of a table whose first column names one field or several.
var fieldRow = regexp.MustCompile(`(?m)^\| ([a-z_]+(?:[., ]+[a-z_]+)*) \|`)

// fieldsIn are the fields that the tables of a section of the contract name.
func fieldsIn(section string) map[string]bool {
	found := map[string]bool{}
	for _, row := range fieldRow.FindAllStringSubmatch(section, -1) {
		for field := range strings.SplitSeq(row[1], ", ") {
			found[field] = true
		}
	}
	return found
}

// fieldsOf are the fields of a schema, those of objects in it after a full stop.
func fieldsOf(schema *openapi3.Schema, nested bool) map[string]bool {
	found := map[string]bool{}
	for name, property := range schema.Properties {
		found[name] = true
		if nested {
			for inner := range fieldsOf(property.Value, true) {
				found[name+"."+inner] = true
			}
		}
	}
	return found
}

// The tables of the contract name the fields that the description has, and no others.
func TestOpenAPI_FieldsAsInTheContract(t *testing.T) {
	schemas := testkit.Description(t).Components.Schemas
	for _, test := range []struct {
		schema, begins, ends string
		nested               bool
		without              []string // what only words name
	}{
		{"Service", "### 2.1 ", "### 2.2 ", false, nil},
		{"CreateCustomer", "### 2.2 ", "### 2.3 ", false, nil},
		{"NfseAccepted", "Fields returned when an issuance is accepted", "These six fields", false, nil},
		{"Nfse", "The note record, returned by", "`authority.totals` are", false, nil},
		{"NfseTotals", "`authority.totals` are", "A queued note:", false, nil},
		{"CreateNfse", "### 4.1 ", "### 4.2 ", true, []string{"customer.address", "service"}},
		{"CancelNfse", "### 4.2 ", "```json", false, nil},
		{"ErrorDetail", "## 7. Errors", "All codes:", false, nil},
	} {
		described := fieldsOf(schemas[test.schema].Value, test.nested)
		for _, name := range test.without {
			delete(described, name)
		}
		promised := fieldsIn(contractSection(t, test.begins, test.ends))
		same(t, "fields of "+test.schema, sorted(described), sorted(promised))
	}
}

var number = regexp.MustCompile(`[0-9]+`)

// numbersIn are the numbers of a text, in their order.
func numbersIn(text string) string { return strings.Join(number.FindAllString(text, -1), " ") }

// lengths are the least and the most characters of a text.
func lengths(text *openapi3.Schema) string { return fmt.Sprint(text.MinLength, " ", *text.MaxLength) }

// digits are the numbers of digits that a text can have.
func digits(text *openapi3.Schema) string {
	var can []string
	for n := range 30 {
		if text.VisitJSON(strings.Repeat("1", n)) == nil {
			can = append(can, strconv.Itoa(n))
		}
	}
	return strings.Join(can, " ")
}

// between are the least and the greatest value of a number.
func between(value *openapi3.Schema) string { return fmt.Sprintf("%.0f %.0f", *value.Min, *value.Max) }

// The limits in the contract's table are the same as in the description.
func TestOpenAPI_LimitsAsInTheContract(t *testing.T) {
	description := testkit.Description(t)
	field := func(schema, name string) *openapi3.Schema {
		property := description.Components.Schemas[schema].Value.Properties[name]
		if property == nil {
			t.Fatalf("%s has no field %s", schema, name)
		}
		return property.Value
	}
	pageSize := description.Components.Parameters["Limit"].Value.Schema.Value
	described := map[string]string{
		"`limit` query parameter": between(pageSize) + fmt.Sprint(" ", pageSize.Default),
		"request body":            numbersIn(regexp.MustCompile(`at most \d+ KiB`).FindString(description.Info.Description)),
		"money (`amount_cents`, `default_amount_cents`)": between(field("CreateNfse", "amount_cents")),
		"`reference`":    lengths(field("CreateNfse", "reference")),
		"service `name`": lengths(field("CreateService", "name")),
		"service `description`, also on issuance": lengths(field("CreateService", "description")),
		"service `national_tax_code`":             digits(field("Service", "national_tax_code")),
		"service `municipal_tax_code`":            digits(field("Service", "municipal_tax_code")),
		"service `iss_rate`":                      between(field("CreateService", "iss_rate")),
		"municipality codes":                      digits(field("CreateService", "municipality_code")),
		"customer `document`":                     digits(field("Customer", "document")),
		"customer `name`":                         lengths(field("CreateCustomer", "name")),
		"customer `nickname`":                     lengths(field("CreateCustomer", "nickname")),
		"customer `email`":                        fmt.Sprint(*field("CreateCustomer", "email").MaxLength),
		"address `street_type`":                   lengths(field("AddressInput", "street_type")),
		"address `street`": lengths(field("AddressInput", "street")) + " " +
			numbersIn(description.Components.Schemas["AddressInput"].Value.Description),
		"address `number`":     lengths(field("AddressInput", "number")),
		"address `district`":   lengths(field("AddressInput", "district")),
		"address `complement`": lengths(field("AddressInput", "complement")),
		"address `zip_code`":   digits(field("InlineAddress", "zip_code")),
		// The text is trimmed before it is measured, which only words can say.
		"cancel `reason_text`": numbersIn(field("CancelNfse", "reason_text").Description),
	}
	promised := map[string]string{}
	for row := range strings.Lines(contractSection(t, "## 8. Limits\n", "Requests are limited")) {
		item, limit, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		if numbersIn(limit) != "" && item != "test data retention" { // that is of the service, not of a body
			promised[item] = numbersIn(limit)
		}
	}
	for item := range promised {
		same(t, "the limit of "+item, described[item], promised[item])
		delete(described, item)
	}
	same(t, "limits that the contract has not", len(described), 0)

	rate := field("CreateService", "iss_rate")
	if !rate.ExclusiveMin.IsTrue() {
		t.Error("iss_rate is greater than 0, and the description says something else")
	}
	override := description.Components.Schemas["ServiceOverride"].Value.Properties["description"].Value
	same(t, "the description on issuance", lengths(override), lengths(field("CreateService", "description")))
	for _, name := range []string{"street_type", "street", "number", "district", "complement"} {
		same(t, "the inline "+name, lengths(field("InlineAddress", name)), lengths(field("AddressInput", name)))
	}
}

// What the contract says of objects in a note, and of what can be changed, is what the description has.
func TestOpenAPI_WordsAsInTheContract(t *testing.T) {
	schemas := testkit.Description(t).Components.Schemas
	note := contractSection(t, "The note record, returned by", "`authority.totals` are")
	for name, property := range schemas["Nfse"].Value.Properties {
		for inner := range fieldsOf(property.Value, name == "cancellation") {
			inner = inner[strings.LastIndex(inner, ".")+1:]
			if row := regexp.MustCompile(`(?m)^\| ` + name + ` \|.*$`).FindString(note); !strings.Contains(row, "`"+inner+"`") {
				t.Errorf("the contract does not name %s of %s", inner, name)
			}
		}
	}

	without := func(schema string, names ...string) []string {
		fields := fieldsOf(schemas[schema].Value, false)
		for _, name := range names {
			if !fields[name] {
				t.Errorf("%s has no field %s", schema, name)
			}
			delete(fields, name)
		}
		return sorted(fields)
	}
	// "has these fields and", "takes every field but", "The document cannot change": sections 2.1 and 2.2.
	same(t, "a customer and its creation", sorted(fieldsOf(schemas["CreateCustomer"].Value, false)),
		without("Customer", "id", "fiscal_data_complete", "created_at", "updated_at"))
	same(t, "a service and its change", sorted(fieldsOf(schemas["UpdateService"].Value, false)),
		without("Service", "id", "created_at"))
	same(t, "a customer and its change", sorted(fieldsOf(schemas["UpdateCustomer"].Value, false)),
		without("CreateCustomer", "document"))
	same(t, "the keys of an address", sorted(fieldsOf(schemas["Address"].Value, false)),
		sorted(fieldsOf(schemas["AddressInput"].Value, false)))
}

// Every value that a field can have is named in the contract.
func TestOpenAPI_ValuesAsInTheContract(t *testing.T) {
	text, err := os.ReadFile("llms-full.txt")
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	var look func(name string, schema *openapi3.Schema)
	look = func(name string, schema *openapi3.Schema) {
		for _, value := range schema.Enum {
			word, is := value.(string)
			if is && !strings.Contains(string(text), "`"+word+"`") && !strings.Contains(string(text), "| "+word+" |") {
				t.Errorf("the contract does not name %s of %s", word, name)
			}
			values++
		}
		for inner, property := range schema.Properties {
			look(name+"."+inner, property.Value)
		}
	}
	for name, schema := range testkit.Description(t).Components.Schemas {
		look(name, schema.Value)
	}
	if values < 60 {
		t.Errorf("only %d values were looked for", values)
	}
}
