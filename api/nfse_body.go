package api

import "emissor/nfse"

// readIssuance reads the body of section 4.1. It checks only what never changes
// with time: a replay must be recognized before anything else is looked at.
func readIssuance(sent *object, livemode bool) (nfse.Issuance, error) {
	var issuance nfse.Issuance
	sent.required("reference", &issuance.Reference, true, reference)
	sent.required("service_id", &issuance.ServiceID, true, anyText)
	sent.amount("amount_cents", &issuance.AmountCents, true)
	readTaker(sent, &issuance)
	if service, _ := sent.object("service"); service != nil {
		service.optional("description", &issuance.Description, lines(3, 2000))
		service.leaveUnknown()
	}
	sent.boolean("iss_withheld", &issuance.ISSWithheld, false)
	readScenario(sent, &issuance, livemode)
	return issuance, sent.close()
}

// readTaker reads the customer: by id, or inline and complete.
func readTaker(sent *object, issuance *nfse.Issuance) {
	var customerID *string
	sent.optional("customer_id", &customerID, anyText)
	customer, _ := sent.object("customer")
	switch {
	case customerID != nil && customer != nil:
		sent.refuse("customer_id", "must not be sent together with customer")
	case customerID != nil:
		issuance.CustomerID = *customerID
	case customer == nil:
		sent.refuse("customer", "is required, or customer_id in its place")
	}
	if customer == nil {
		return
	}
	taker := &nfse.InlineTaker{}
	issuance.Customer = taker
	customer.required("document", (*string)(&taker.TaxID), true, document)
	customer.required("name", &taker.Name, true, line(1, 150))
	address, _ := customer.object("address")
	if address == nil {
		address = &object{body: sent.body, path: "customer.address."}
	}
	readTakerAddress(address, &taker.Address)
	customer.optional("municipality_code", &taker.MunicipalityCode, ibgeForm)
	address.leaveUnknown()
	customer.leaveUnknown()
}

func readTakerAddress(sent *object, address *nfse.Address) {
	required := func(name string, target **string, rule rule) {
		var value string
		sent.required(name, &value, true, rule)
		*target = &value
	}
	required("zip_code", &address.ZipCode, zipCode)
	required("street", &address.Street, street)
	required("number", &address.Number, number)
	required("district", &address.District, district)
	sent.optional("complement", &address.Complement, complement)
	sent.optional("street_type", &address.StreetType, streetType)
	if !streetFits(*address) {
		sent.refuse("street", streetTooLong)
	}
}

// readScenario reads what only a test key may send.
func readScenario(sent *object, issuance *nfse.Issuance, livemode bool) {
	if livemode {
		if value, _ := sent.take("sandbox_scenario"); value != nil && sent.body.problem == nil {
			sent.body.problem = nfse.NewError(nfse.CodeSandboxScenarioNotAllowed, "sandbox_scenario",
				"sandbox_scenario is for the test environment only")
		}
		return
	}
	scenario := string(nfse.ScenarioAuthorized)
	var chosen *string
	sent.optional("sandbox_scenario", &chosen,
		oneOf(string(nfse.ScenarioAuthorized), string(nfse.ScenarioRejected), string(nfse.ScenarioSlow)))
	if chosen != nil {
		scenario = *chosen
	}
	issuance.Scenario = nfse.Scenario(scenario)
}
