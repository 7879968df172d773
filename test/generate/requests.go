package generate

import (
	"encoding/json"
	"fmt"
)

// Body is the body of a request.
type Body = map[string]any

// Service is the body of POST /v1/services: a service of any municipality, with any
// codes. One in twenty is not active.
func (g *Generator) Service() Body {
	body := Body{
		"name": g.Text(2, 80), "description": g.Description(), "municipality_code": g.Place().MunicipalityCode,
		"default_amount_cents": g.AmountCents(),
	}
	g.maybe(body, "national_tax_code", g.nationalTaxCode())
	g.maybe(body, "municipal_tax_code", fmt.Sprintf("%0*d", 4+g.IntN(2), 1+g.IntN(9999)))
	g.maybe(body, "municipal_taxation", Pick(g, []string{"T", "F"}))
	g.maybe(body, "iss_rate", g.rate())
	g.maybe(body, "active", g.Chance(0.9))
	return body
}

// ServiceChange is the body of PATCH /v1/services/{id}. It changes neither codes
// nor place, by which an authority takes its notes.
func (g *Generator) ServiceChange() Body {
	body := Body{}
	g.maybe(body, "name", g.Text(2, 80))
	g.maybe(body, "description", g.Description())
	g.maybe(body, "default_amount_cents", g.AmountCents())
	g.maybe(body, "active", true)
	return body
}

// Person is a customer as a body describes one: of POST /v1/customers, or within
// that of a note.
type Person struct {
	TaxID string // as it is kept
	Name  string
	Place Place
}

// Person makes a new person.
func (g *Generator) Person() Person {
	return Person{TaxID: g.TaxID(), Name: g.Name(), Place: g.Place()}
}

// Customer is the body of POST /v1/customers. Of complete ones a note can be issued
// by their id.
func (g *Generator) Customer(person Person, complete bool) Body {
	body := Body{"document": g.Written(person.TaxID), "name": person.Name}
	g.maybe(body, "nickname", g.Nickname())
	g.maybe(body, "email", g.Email())
	if complete || g.Chance(0.7) {
		address := g.address(person.Place)
		if address["street_type"] == nil { // that of a record would not fit, perhaps
			address["street_type"] = nil
		}
		body["address"] = address
		g.declare(body, person.Place)
	}
	return body
}

// CustomerChange is the body of PATCH /v1/customers/{id}: fields are changed, and
// optional ones cleared.
func (g *Generator) CustomerChange() Body {
	body := Body{}
	g.maybe(body, "name", g.Name())
	g.maybe(body, "nickname", g.orNull(g.Nickname()))
	g.maybe(body, "email", g.orNull(g.Email()))
	if !g.Chance(0.5) {
		return body
	}
	address := Body{}
	g.maybe(address, "number", g.Text(1, maxNumber))
	g.maybe(address, "district", g.Text(1, maxDistrict))
	g.maybe(address, "complement", g.orNull(g.Text(1, maxComplement)))
	if g.Chance(0.5) { // one alone may not go together with the other on record
		kind, name := g.street()
		address["street_type"], address["street"] = nil, name
		if kind != "" {
			address["street_type"] = kind
		}
	}
	if g.Chance(0.5) {
		place := g.Place()
		address["zip_code"] = g.zipCode(place.ZipCode)
		g.declare(body, place)
	}
	body["address"] = address
	return body
}

// Issuance is the body of POST /v1/nfse for a customer that is described in it.
func (g *Generator) Issuance(serviceID string, person Person) Body {
	body := g.issuance(serviceID)
	customer := Body{"document": g.Written(person.TaxID), "name": person.Name, "address": g.address(person.Place)}
	g.declare(customer, person.Place)
	body["customer"] = customer
	return body
}

// IssuanceTo is the body of POST /v1/nfse for a customer on record.
func (g *Generator) IssuanceTo(serviceID, customerID string) Body {
	body := g.issuance(serviceID)
	body["customer_id"] = customerID
	return body
}

func (g *Generator) issuance(serviceID string) Body {
	body := Body{"reference": g.Reference(), "service_id": serviceID, "amount_cents": g.AmountCents()}
	if g.Chance(0.4) {
		body["service"] = Body{"description": g.Description()}
	}
	if g.Chance(0.3) {
		body["iss_withheld"] = g.Chance(0.3)
	}
	return body
}

// Scenario is how a note of the test environment is to end; one in forty is slow.
func (g *Generator) Scenario() string {
	switch g.IntN(40) {
	case 0:
		return "slow"
	case 1, 2, 3, 4, 5, 6, 7, 8:
		return "rejected"
	}
	return "authorized"
}

// Cancellation is the body of POST /v1/nfse/{id}/cancel.
func (g *Generator) Cancellation() Body {
	return Body{"reason_code": Pick(g, []string{"1", "2", "9"}), "reason_text": g.ReasonText()}
}

// address is an address with all that a note needs.
func (g *Generator) address(place Place) Body {
	kind, street := g.street()
	address := Body{
		"zip_code": g.zipCode(place.ZipCode), "street": street, "number": g.Text(1, maxNumber),
		"district": g.Text(1, maxDistrict),
	}
	if kind != "" {
		address["street_type"] = kind
	}
	g.maybe(address, "complement", g.Text(1, maxComplement))
	return address
}

// declare names the municipality, which must be done where nobody knows the zip code.
func (g *Generator) declare(body Body, place Place) {
	if !place.Known || g.Chance(0.3) {
		body["municipality_code"] = place.MunicipalityCode
	}
}

// maybe sets an optional field, or leaves it out.
func (g *Generator) maybe(body Body, field string, value any) {
	if g.Chance(0.5) {
		body[field] = value
	}
}

func (g *Generator) orNull(text string) any {
	if g.Chance(0.2) {
		return nil
	}
	return text
}

func (g *Generator) nationalTaxCode() string {
	code := Pick(g, []string{"010701", "040101", "170101", "080201", "999999"})
	if g.Chance(0.5) {
		return code[:2] + "." + code[2:4] + "." + code[4:]
	}
	return code
}

// rate is an ISS rate, exact: 0.01 to 5, with at most two decimals.
func (g *Generator) rate() json.Number {
	return json.Number(Pick(g, []string{"0.01", "2", "2.01", "2.5", "3.99", "4.1", "5", "5.00", "2.90"}))
}
