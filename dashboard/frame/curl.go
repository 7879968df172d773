package frame

import (
	"encoding/json"
	"strings"

	"emissor/nfse"
)

// request of the API to issue a note, in the order of the contract.
type issuanceBody struct {
	Reference   string           `json:"reference"`
	ServiceID   string           `json:"service_id"`
	AmountCents int64            `json:"amount_cents"`
	CustomerID  string           `json:"customer_id,omitempty"`
	Customer    *takerBody       `json:"customer,omitempty"`
	Service     *descriptionBody `json:"service,omitempty"`
	ISSWithheld bool             `json:"iss_withheld,omitempty"`
	Scenario    nfse.Scenario    `json:"sandbox_scenario,omitempty"`
}

type descriptionBody struct {
	Description string `json:"description"`
}

type takerBody struct {
	TaxID            nfse.TaxID  `json:"document"`
	Name             string      `json:"name"`
	MunicipalityCode *string     `json:"municipality_code,omitempty"`
	Address          addressBody `json:"address"`
}

type addressBody struct {
	ZipCode    *string `json:"zip_code"`
	StreetType *string `json:"street_type,omitempty"`
	Street     *string `json:"street"`
	Number     *string `json:"number"`
	District   *string `json:"district"`
	Complement *string `json:"complement,omitempty"`
}

// Curl is a command that sends an issuance to the API. The key is left to the
// environment: a page shows none.
func Curl(issuance nfse.Issuance) string {
	body := issuanceBody{Reference: issuance.Reference, ServiceID: issuance.ServiceID,
		AmountCents: issuance.AmountCents, CustomerID: issuance.CustomerID, ISSWithheld: issuance.ISSWithheld}
	if issuance.Scenario != nfse.ScenarioAuthorized {
		body.Scenario = issuance.Scenario
	}
	if issuance.Description != nil {
		body.Service = &descriptionBody{*issuance.Description}
	}
	if taker := issuance.Customer; taker != nil {
		address := taker.Address
		body.Customer = &takerBody{taker.TaxID, taker.Name, taker.MunicipalityCode, addressBody{address.ZipCode,
			address.StreetType, address.Street, address.Number, address.District, address.Complement}}
	}
	var encoded strings.Builder
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(body); err != nil {
		return "" // plain values can always be encoded
	}
	quoted := "'" + strings.ReplaceAll(strings.TrimSuffix(encoded.String(), "\n"), "'", `'\''`) + "'"
	return `curl -sS "$EMISSOR_URL/v1/nfse" -H "Authorization: Bearer $KEY" \
  -H 'Content-Type: application/json' -d ` + quoted
}
