package api

import (
	"emissor/issuing/catalogue"
	"emissor/nfse"
)

// readIssuance reads the body of section 4.1. It checks only what never changes
// with time: a replay must be recognized before anything else is looked at.
func readIssuance(sent *object, livemode bool) (nfse.Issuance, error) {
	issuance := nfse.Issuance{
		Reference:   value(sent.required("reference", true, catalogue.Reference)),
		ServiceID:   value(sent.required("service_id", true, catalogue.ID)),
		AmountCents: value(sent.amount("amount_cents", true)),
	}
	readTaker(sent, &issuance)
	if service, _ := sent.object("service"); service != nil {
		issuance.Description = service.optional("description", catalogue.Description)
		service.leaveUnknown()
	}
	issuance.ISSWithheld = value(sent.boolean("iss_withheld", false))
	issuance.Scenario = readScenario(sent, livemode)
	return issuance, sent.close()
}

// readTaker reads the customer: by id, or inline and complete.
func readTaker(sent *object, issuance *nfse.Issuance) {
	customerID := sent.optional("customer_id", catalogue.ID)
	customer, _ := sent.object("customer")
	switch {
	case customerID != nil && customer != nil:
		sent.refuse("customer_id", "must not be sent together with customer")
	case customerID == nil && customer == nil:
		sent.refuse("customer", "is required, or customer_id in its place")
	}
	issuance.CustomerID = value(customerID)
	if customer != nil {
		issuance.Customer = readInlineTaker(customer)
	}
}

func readInlineTaker(sent *object) *nfse.InlineTaker {
	taker := &nfse.InlineTaker{
		TaxID: nfse.TaxID(value(sent.required("document", true, catalogue.TaxID))),
		Name:  value(sent.required("name", true, catalogue.CustomerName)),
	}
	address, _ := sent.object("address")
	if address == nil { // the contract's table has no row for it: its first field is missing
		address = &object{body: sent.body, path: sent.path + "address."}
	}
	taker.Address = readTakerAddress(address)
	taker.MunicipalityCode = sent.optional("municipality_code", catalogue.IBGECode)
	sent.leaveUnknown()
	return taker
}

func readTakerAddress(sent *object) nfse.Address {
	address := nfse.Address{
		ZipCode:    sent.required("zip_code", true, catalogue.ZipCode),
		Street:     sent.required("street", true, catalogue.Street),
		Number:     sent.required("number", true, catalogue.Number),
		District:   sent.required("district", true, catalogue.District),
		Complement: sent.optional("complement", catalogue.Complement),
		StreetType: sent.optional("street_type", catalogue.StreetType),
	}
	if err := catalogue.CheckStreet(address); err != nil {
		sent.refuse("street", err.Error())
	}
	sent.leaveUnknown()
	return address
}

// readScenario reads what only a test key may send.
func readScenario(sent *object, livemode bool) nfse.Scenario {
	if !livemode {
		if chosen := sent.optional("sandbox_scenario", catalogue.Scenario); chosen != nil {
			return nfse.Scenario(*chosen)
		}
		return nfse.ScenarioAuthorized
	}
	if value, _ := sent.take("sandbox_scenario"); value != nil && sent.body.problem == nil {
		sent.body.problem = nfse.NewError(nfse.CodeSandboxScenarioNotAllowed, "sandbox_scenario",
			"sandbox_scenario is for the test environment only")
	}
	return ""
}
