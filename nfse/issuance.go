package nfse

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"golang.org/x/text/unicode/norm"
)

// MaxAmountCents is the largest value a note can carry: 15 digits.
const MaxAmountCents int64 = 999_999_999_999_999

// Issuance is a request to issue a note, validated and in canonical form:
// masks removed, defaults filled in, nothing derived.
type Issuance struct {
	Reference   string
	ServiceID   string
	AmountCents int64
	Competence  Day          // set by a person; empty, as always by the API, is the day of acceptance
	CustomerID  string       // empty when the customer is inline
	Customer    *InlineTaker // nil when there is a customer id
	Description *string      // service.description, for this note only
	ISSWithheld bool
	Scenario    Scenario // empty in live
}

// InlineTaker is the customer sent with an issuance.
type InlineTaker struct {
	TaxID            TaxID
	Name             string
	Address          Address
	MunicipalityCode *string
}

// PayloadVersion is the version of the canonical form that new notes are
// hashed with. A note is always compared in the version that it was stored with, so
// that an upgrade never turns a replay into a conflict: a changed form gets a new
// version, and the old one stays.
const PayloadVersion = 1

// PayloadHash returns a hash of what the caller asked for, in the given version of
// the canonical form.
func (i Issuance) PayloadHash(version int) ([]byte, error) {
	if version != 1 {
		return nil, fmt.Errorf("nfse: unknown payload version %d", version)
	}
	canonical, err := json.Marshal(i.payloadV1())
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(canonical)
	return sum[:], nil
}

// payloadV1 omits an empty competence, so that requests from before the field existed keep
// their hashes.
type payloadV1 struct {
	Reference   string   `json:"reference"`
	ServiceID   string   `json:"service_id"`
	AmountCents int64    `json:"amount_cents"`
	Competence  string   `json:"competence,omitempty"`
	CustomerID  string   `json:"customer_id,omitempty"`
	Customer    *takerV1 `json:"customer,omitempty"`
	Description string   `json:"description,omitempty"`
	ISSWithheld bool     `json:"iss_withheld,omitempty"`
	Scenario    string   `json:"scenario,omitempty"`
}

type takerV1 struct {
	Document         string `json:"document"`
	Name             string `json:"name"`
	StreetType       string `json:"street_type,omitempty"`
	Street           string `json:"street"`
	Number           string `json:"number"`
	District         string `json:"district"`
	ZipCode          string `json:"zip_code"`
	Complement       string `json:"complement,omitempty"`
	MunicipalityCode string `json:"municipality_code,omitempty"`
}

// payloadV1 leaves defaults out and writes text in Unicode's composed form, so
// that two spellings of one request are one request.
func (i Issuance) payloadV1() payloadV1 {
	text := func(s *string) string { return norm.NFC.String(OrEmpty(s)) }
	payload := payloadV1{
		Reference:   i.Reference,
		ServiceID:   i.ServiceID,
		AmountCents: i.AmountCents,
		Competence:  string(i.Competence),
		CustomerID:  i.CustomerID,
		Description: text(i.Description),
		ISSWithheld: i.ISSWithheld,
	}
	if i.Scenario != ScenarioAuthorized {
		payload.Scenario = string(i.Scenario)
	}
	if taker := i.Customer; taker != nil {
		payload.Customer = &takerV1{
			Document:         string(taker.TaxID),
			Name:             text(&taker.Name),
			StreetType:       text(taker.Address.StreetType),
			Street:           text(taker.Address.Street),
			Number:           text(taker.Address.Number),
			District:         text(taker.Address.District),
			ZipCode:          text(taker.Address.ZipCode),
			Complement:       text(taker.Address.Complement),
			MunicipalityCode: text(taker.MunicipalityCode),
		}
	}
	return payload
}
