package mcpserver

import (
	"context"
	"encoding/json"
	"strings"

	"emissor/client"
)

func (s *server) addExplainTool() {
	add(s, tool{name: "explain_rejection", title: "Explain a rejection",
		description: "Says why a note was rejected (code, the authority's words, what they mean), which field it is about, " +
			"what the contract asks of that field, where it is changed, and what to do then.",
		input: oneInput, needed: oneNeeded,
		output: object{"id": someText, "reference": someText, "status": status, "rejection": rejectionRecord,
			"value": said(object{}, "what the note has in that field"),
			"guidance": open(object{"field": someText, "rule": plain("what the contract asks of the field"),
				"change": plain("where it is changed"), "then": plain("what to do after the change")})}},
		func(ctx context.Context, _ call, in one) (object, error) {
			note, err := s.client.Note(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			if note.Rejection == nil {
				return nil, failure{Code: "not_rejected", Message: "the note is not rejected: its status is " + string(note.Status)}
			}
			field := ""
			if note.Rejection.Field != nil {
				field = *note.Rejection.Field
			}
			result := object{"id": note.ID, "reference": note.Reference, "status": note.Status, "rejection": note.Rejection,
				"guidance": guidanceOf(field)}
			if value, known := valueOf(note, field); known {
				result["value"] = value
			}
			return result, nil
		})
}

// guidance is what to do about a field that a note was rejected for.
type guidance struct {
	Field  string `json:"field,omitempty"`
	Rule   string `json:"rule"`
	Change string `json:"change"`
	Then   string `json:"then"`
}

// Where a field is changed.
const (
	inIssuance = "In the next issuance: the field of this name in issue_note."
	inCustomer = "In the next issuance, where the customer is sent inline; or on record by save_customer, where " +
		"customer_id is used."
	inService = "In the catalogue: the API changes a service by PATCH /v1/services/{id}; or create another with " +
		"create_service."
	byPerson = "In the dashboard, by a person: the company's fiscal profile, certificate or registration."
)

// then is what is done after any change: a reference is taken for ever.
const then = "Issue again with a new reference: that of a rejected note cannot be used for a changed request. " +
	"Nothing is to be cancelled, as no document exists."

// fieldRules are what the contract (sections 2 and 4.1) asks of the fields that rejections name, and
// where each is changed.
var fieldRules = map[string]struct{ rule, change string }{
	"reference":                    {"1 to 200 characters, none of them a control character.", inIssuance},
	"amount_cents":                 {"A whole number of cents, 1 to 999999999999999.", inIssuance},
	"iss_withheld":                 {"true where the customer withholds the ISS.", inIssuance},
	"customer":                     {"Document, name and address of the customer, as they are registered.", inCustomer},
	"customer.document":            {"A CPF or CNPJ that exists, with its right check digits.", inCustomer},
	"customer.name":                {"1 to 150 characters.", inCustomer},
	"customer.email":               {"An e-mail address of up to 80 characters.", inCustomer},
	"customer.municipality_code":   {"The IBGE code of the zip code's municipality, 7 digits.", inCustomer},
	"customer.address":             {"Zip code, street, number and district, all of them.", inCustomer},
	"customer.address.zip_code":    {"8 digits of a zip code that exists, in the customer's municipality.", inCustomer},
	"customer.address.street":      {"1 to 255 characters, together with street_type.", inCustomer},
	"customer.address.street_type": {"A word as Avenida, 1 to 20 characters.", inCustomer},
	"customer.address.number":      {"1 to 60 characters.", inCustomer},
	"customer.address.district":    {"1 to 60 characters.", inCustomer},
	"customer.address.complement":  {"1 to 156 characters.", inCustomer},
	"service":                      {"A service as it is registered for the company at the authority.", inService},
	"service.description":          {"3 to 2000 characters.", inIssuance},
	"service.municipality_code":    {"The IBGE code of where the service is rendered, 7 digits.", inService},
	"service.national_tax_code":    {"The national service code, 6 digits; live notes need it.", inService},
	"service.municipal_tax_code":   {"The city's service code, 4 or 5 digits.", inService},
	"service.municipal_taxation":   {"T or F.", inService},
	"service.iss_rate":             {"Per cent, more than 0 and at most 5: the city's for this service.", inService},
	"municipality_code":            {"The IBGE code of a municipality, 7 digits.", inCustomer},
	"competence":                   {"The day of acceptance in Brasília, unless a person sets an earlier one.", byPerson},
}

// guidanceOf is what to do about a field; none is one about no field of the request.
func guidanceOf(field string) guidance {
	for name := field; name != ""; {
		if known, is := fieldRules[name]; is {
			return guidance{Field: field, Rule: known.rule, Change: known.change, Then: then}
		}
		cut := strings.LastIndexByte(name, '.')
		name = name[:max(cut, 0)]
	}
	return guidance{Field: field, Rule: "It is about no field that a request has; rejection.action says what to do.",
		Change: byPerson, Then: then}
}

// valueOf is what a note has in a field, by the field's dotted name.
func valueOf(note client.Nfse, field string) (value any, known bool) {
	if field == "" {
		return nil, false
	}
	value = note
	for step := range strings.SplitSeq(field, ".") {
		members, err := membersOf(value)
		if err != nil {
			return nil, false
		}
		if value, known = members[step]; !known {
			return nil, false
		}
	}
	return value, true
}

// membersOf are the members of a JSON object.
func membersOf(value any) (members map[string]any, err error) {
	content, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(content, &members)
	}
	return members, err
}
