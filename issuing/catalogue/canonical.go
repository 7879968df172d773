package catalogue

import "emissor/nfse"

// canonical checks each field of an issuance by itself, in the order of the
// contract's section 4.1, and returns the issuance in the form in which it is
// compared with others. Fields of the customer are named without a prefix.
func canonical(issuance nfse.Issuance, livemode bool) (nfse.Issuance, error) {
	m := merger{complete: true}
	m.text("reference", &issuance.Reference, Reference)
	m.amount("amount_cents", &issuance.AmountCents, &issuance.AmountCents)
	if issuance.Competence != "" {
		m.text("competence", (*string)(&issuance.Competence), Competence)
	}
	if issuance.Customer != nil {
		if issuance.CustomerID != "" {
			m.refuse("customer", "must be given by its id or in full, not both")
		}
		taker := m.taker(*issuance.Customer)
		issuance.Customer = &taker
	}
	m.textOrNil("description", &issuance.Description, Description)
	issuance.Scenario = m.scenario(issuance.Scenario, livemode)
	return issuance, m.problem
}

// taker checks each field of a customer that is given in full.
func (m *merger) taker(taker nfse.InlineTaker) nfse.InlineTaker {
	m.text("tax_id", (*string)(&taker.TaxID), TaxID)
	m.text("name", &taker.Name, CustomerName)
	address := &taker.Address
	m.present("address.zip_code", &address.ZipCode, ZipCode)
	m.present("address.street", &address.Street, Street)
	m.present("address.number", &address.Number, Number)
	m.present("address.district", &address.District, District)
	m.textOrNil("address.complement", &address.Complement, Complement)
	m.textOrNil("address.street_type", &address.StreetType, StreetType)
	if err := CheckStreet(*address); err != nil {
		m.refuse("address.street", err.Error())
	}
	m.textOrNil("municipality_code", &taker.MunicipalityCode, IBGECode)
	return taker
}

// scenario fills in the default of the test environment.
func (m *merger) scenario(scenario nfse.Scenario, livemode bool) nfse.Scenario {
	switch {
	case !livemode && scenario == "":
		return nfse.ScenarioAuthorized
	case !livemode:
		m.text("scenario", (*string)(&scenario), Scenario)
	case scenario != "" && m.problem == nil:
		m.problem = nfse.NewError(nfse.CodeSandboxScenarioNotAllowed, "scenario",
			"a scenario is for the test environment only")
	}
	return scenario
}
