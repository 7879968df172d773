package dashboard

import "slices"

// routes are all routes of the dashboard, and who may use them. A page of an organization
// names it in its address (?org=…&env=test|live).
func (d *Dashboard) routes() []route {
	return slices.Concat(d.routesOfNobody(), d.routesOfAccounts(), d.routesOfNotes(), d.routesOfIntegrations(),
		d.routesOfCatalogue(), d.works().routes(), d.culturalEvents().routes(), d.routesOfCompany(),
		d.routesOfRecords(), d.routesOfPeople(), d.routesOfBatches(), d.routesOfRecurring(),
		d.routesOfReceived(), d.routesOfClosing(), d.routesOfRequests(), d.routesOfCompanies(),
		d.routesOfStatus(), d.routesOfAlerts(), d.routesOfNoteDetails(), d.routesOfFilters(),
		d.routesOfEmailTemplate(), d.routesOfDoctor())
}

// routesOfNobody are for anybody, without a session.
func (d *Dashboard) routesOfNobody() []route {
	return []route{
		{"GET", "/health", stranger, nothing, d.health},
		{"GET", "/assets/{file}", stranger, nothing, d.asset},
		{"GET", "/reference", visitor, nothing, d.showReference},
		{"GET", "/openapi.yaml", stranger, nothing, d.downloadDescription},
		{"any", "/", visitor, nothing, d.notFound},
	}
}

// routesOfAccounts are for signing in, and for the user's own account.
func (d *Dashboard) routesOfAccounts() []route {
	return []route{
		{"GET", "/sign-in", visitor, looksUpKnown, d.showSignIn},
		{"POST", "/sign-in/options", visitor, aTry, d.beginSignIn},
		{"POST", "/sign-in", visitor, aTry, d.finishSignIn},
		{"GET", "/link/{text}", visitor, aTry, d.showLink},
		{"POST", "/link/{text}", visitor, aTry, d.useLink},
		{"POST", "/language", visitor, nothing, d.setLanguage},
		{"GET", "/session", user, nothing, d.showSession},
		{"POST", "/session/sign-out", user, nothing, d.signOut},
		{"POST", "/session/sessions/{id}/end", user, nothing, d.endSession},
		{"GET", "/session/passkeys/new", user, ownPasskey, d.newPasskey},
		{"POST", "/session/passkeys/options", user, ownPasskey, d.beginPasskey},
		{"POST", "/session/passkeys", user, ownPasskey, d.finishPasskey},
		{"POST", "/session/passkeys/{id}/remove", user, freshPasskey | aConfirmation, d.removePasskey},
		{"POST", "/confirm/options", user, aTry, d.beginConfirmation},
		{"POST", "/confirm", user, aTry, d.finishConfirmation},

		{"GET", "/oidc/sign-in", visitor, aTry, d.signInByProvider},
		{"GET", "/oidc/callback", visitor, aTry, d.arriveFromProvider},
		{"GET", "/oidc/anew", visitor, aTry, d.showAnew},
		{"POST", "/oidc/anew", visitor, aTry, d.startAnew},
		{"GET", "/oidc/confirm", user, aTry, d.confirmByProvider},
		{"GET", "/oidc/link", user, freshPasskey | aTry, d.linkProvider},
		{"POST", "/oidc/unlink", user, freshPasskey | aConfirmation, d.unlinkProvider},
	}
}

// routesOfNotes are the overview and the notes.
func (d *Dashboard) routesOfNotes() []route {
	return []route{
		{"GET", "/{$}", seeNotes, nothing, d.showOverview},
		{"GET", "/search", seeNotes, nothing, d.search},

		{"GET", "/notes", seeNotes, nothing, d.listNotes},
		{"GET", "/notes.csv", seeBooks, nothing, d.downloadNotes},
		{"GET", "/notes/new", issueNotes, nothing, d.newNote},
		{"POST", "/notes", issueNotes, freshInLive, d.issueNote},
		{"GET", "/notes/{id}", seeNotes, follows, d.showNote},
		{"GET", "/notes/{id}/xml", seeNotes, nothing, d.downloadXML},
		{"GET", "/notes/{id}/danfse", seeNotes, nothing, d.downloadDANFSe},
		{"POST", "/notes/{id}/cancel", issueNotes, freshInLive | aConfirmation, d.cancelNote},
		{"POST", "/notes/{id}/analysis", issueNotes, freshInLive | aConfirmation, d.requestAnalysis},
		{"GET", "/notes/{id}/replace", issueNotes, nothing, d.newReplacement},
		{"POST", "/notes/{id}/replace", issueNotes, freshInLive, d.replaceNote},
		{"POST", "/notes/{id}/redrive", issueNotes, aConfirmation, d.redriveNote},
		{"POST", "/notes/{id}/competence", issueNotes, freshInLive, d.setCompetence},
		{"POST", "/notes/{id}/deliveries/{delivery}/retry", retryDeliveries, nothing, d.retryOfNote},
	}
}

// routesOfIntegrations are API keys, webhook endpoints and the deliveries to them.
func (d *Dashboard) routesOfIntegrations() []route {
	return []route{
		{"GET", "/integrations", seeIntegrations, nothing, d.showIntegrations},
		{"POST", "/integrations/keys", manageKeys, freshPasskey | whenValid, d.createKey},
		{"GET", "/integrations/keys/{id}", seeIntegrations, nothing, d.showKey},
		{"POST", "/integrations/keys/{id}", manageKeys, freshPasskey | whenValid, d.changeKey},
		{"POST", "/integrations/keys/{id}/revoke", manageKeys, freshPasskey | aConfirmation, d.revokeKey},
		{"POST", "/integrations/endpoints", manageEndpoints, freshPasskey | whenValid, d.addEndpoint},
		{"GET", "/integrations/endpoints/{id}", seeIntegrations, nothing, d.showEndpoint},
		{"POST", "/integrations/endpoints/{id}", manageEndpoints, freshPasskey | whenValid | aTry, d.changeEndpoint},
		{"POST", "/integrations/endpoints/{id}/test", retryDeliveries, aTry, d.testEndpoint},
		{"POST", "/integrations/endpoints/{id}/rotate", manageEndpoints, freshPasskey | aConfirmation, d.rotateSecret},
		{"POST", "/integrations/endpoints/{id}/disable", manageEndpoints, freshPasskey | aConfirmation, d.disableEndpoint},
		{"POST", "/integrations/endpoints/{id}/enable", manageEndpoints, nothing, d.enableEndpoint},
		{"POST", "/integrations/endpoints/{id}/remove", manageEndpoints, freshPasskey | aConfirmation, d.removeEndpoint},
		{"POST", "/integrations/endpoints/{id}/retry", retryDeliveries, nothing, d.retryFailed},
		{"GET", "/integrations/deliveries", seeIntegrations, nothing, d.listDeliveries},
		{"GET", "/integrations/deliveries/{id}", seeIntegrations, nothing, d.showDelivery},
		{"POST", "/integrations/deliveries/{id}/retry", retryDeliveries, nothing, d.retryDelivery},
		{"GET", "/integrations/receiver", seeIntegrations, nothing, d.showReceiver},
	}
}

// routesOfCatalogue are services and customers.
func (d *Dashboard) routesOfCatalogue() []route {
	return []route{
		{"GET", "/catalogue/services", seeCatalogue, nothing, d.listServices},
		{"GET", "/catalogue/services/new", changeCatalogue, nothing, d.newService},
		{"POST", "/catalogue/services", changeCatalogue, nothing, d.saveService},
		{"GET", "/catalogue/services/{id}", seeCatalogue, nothing, d.editService},
		{"POST", "/catalogue/services/{id}", changeCatalogue, nothing, d.saveService},
		{"GET", "/catalogue/services/{id}/classification", seeCatalogue, nothing, d.showClassification},
		{"POST", "/catalogue/services/{id}/classification", changeCatalogue, nothing, d.classify},
		{"GET", "/catalogue/services/{id}/taxation", seeCatalogue, nothing, d.showServiceTaxation},
		{"POST", "/catalogue/services/{id}/taxation", changeCatalogue, nothing, d.taxService},
		{"GET", "/catalogue/customers/{id}/taxation", seeCatalogue, nothing, d.showCustomerTaxation},
		{"POST", "/catalogue/customers/{id}/taxation", changeCatalogue, nothing, d.taxCustomer},
		{"POST", "/catalogue/services/{id}/classification/remove", changeCatalogue, aConfirmation, d.unclassify},
		{"GET", "/catalogue/customers", seeCatalogue, nothing, d.listCustomers},
		{"GET", "/catalogue/customers/new", changeCatalogue, nothing, d.newCustomer},
		{"POST", "/catalogue/customers", changeCatalogue, nothing, d.saveCustomer},
		{"GET", "/catalogue/customers/{id}", seeCatalogue, nothing, d.editCustomer},
		{"POST", "/catalogue/customers/{id}", changeCatalogue, nothing, d.saveCustomer},
	}
}

// routesOfCompany are for how the organization issues.
func (d *Dashboard) routesOfCompany() []route {
	return []route{
		{"GET", "/company", seeCompany, nothing, d.showCompany},
		{"GET", "/company/calendar", seeCompany, nothing, d.showCalendar},
		{"POST", "/company/profile", manageCompany, freshPasskey | whenValid | aConfirmation, d.saveProfile},
		{"POST", "/company/next-number", manageCompany, freshPasskey | whenValid | aConfirmation, d.setNextNumber},
		{"POST", "/company/city", manageCompany, nothing, d.refreshCity},
		{"GET", "/company/certificates/new", manageCompany, freshPasskey, d.newCertificate},
		{"POST", "/company/certificates", manageCompany, freshPasskey | aFile, d.addCertificate},
		{"POST", "/company/certificates/{id}/retry", manageCompany, freshPasskey, d.retryCertificate},
		{"POST", "/company/certificates/{id}/remove", manageCompany, freshPasskey | aConfirmation, d.removeCertificate},
	}
}

// routesOfRecords are e-mails, the ledger, the audit log and operations.
func (d *Dashboard) routesOfRecords() []route {
	return []route{
		{"GET", "/emails", seeBooks, nothing, d.listEmails},
		{"POST", "/emails/retry-failed", sendEmails, nothing, d.retryFailedEmails},
		{"POST", "/emails/{id}/retry", sendEmails, nothing, d.retryEmail},

		{"GET", "/ledger", seeBooks, nothing, d.showLedger},
		{"GET", "/ledger.csv", seeBooks, nothing, d.downloadLedger},

		{"GET", "/audit", seeAudit, nothing, d.showAudit},
		{"GET", "/operations", operator, nothing, d.showOperations},
	}
}

// routesOfPeople are for the members of the organization.
func (d *Dashboard) routesOfPeople() []route {
	return []route{
		{"GET", "/people", seePeople, nothing, d.listPeople},
		{"POST", "/people/invitations", managePeople, freshPasskey | whenValid, d.invite},
		{"POST", "/people/invitations/{id}/revoke", managePeople, freshPasskey | aConfirmation, d.revokeInvitation},
		{"POST", "/people/{id}/role", managePeople, freshPasskey | aConfirmation, d.changeRole},
		{"POST", "/people/{id}/link", managePeople, freshPasskey | aConfirmation, d.recoverMember},
		{"POST", "/people/{id}/remove", managePeople, freshPasskey | aConfirmation, d.removeMember},
	}
}
