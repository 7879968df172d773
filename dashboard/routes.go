package dashboard

import "slices"

// routes are all routes of the dashboard, and who may use them. A page of an organization
// names it in its address (?org=…&env=test|live).
func (d *Dashboard) routes() []route {
	return slices.Concat(d.routesOfNobody(), d.routesOfAccounts(), d.routesOfNotes(), d.routesOfIntegrations(),
		d.routesOfCatalogue(), d.works().routes(), d.culturalEvents().routes(), d.routesOfCompany(),
		d.routesOfRecords(), d.routesOfPeople())
}

// routesOfNobody are for anybody, without a session.
func (d *Dashboard) routesOfNobody() []route {
	return []route{
		{"GET", "/health", stranger, nothing, d.health},
		{"GET", "/assets/{file}", stranger, nothing, d.asset},
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
		{"GET", "/{$}", viewer, nothing, d.showOverview},

		{"GET", "/notes", viewer, nothing, d.listNotes},
		{"GET", "/notes.csv", viewer, nothing, d.downloadNotes},
		{"GET", "/notes/new", editor, nothing, d.newNote},
		{"POST", "/notes", editor, nothing, d.issueNote},
		{"GET", "/notes/{id}", viewer, follows, d.showNote},
		{"GET", "/notes/{id}/xml", viewer, nothing, d.downloadXML},
		{"GET", "/notes/{id}/danfse", viewer, nothing, d.downloadDANFSe},
		{"POST", "/notes/{id}/cancel", editor, freshInLive | aConfirmation, d.cancelNote},
		{"POST", "/notes/{id}/analysis", editor, freshInLive | aConfirmation, d.requestAnalysis},
		{"GET", "/notes/{id}/replace", editor, nothing, d.newReplacement},
		{"POST", "/notes/{id}/replace", editor, freshInLive, d.replaceNote},
		{"POST", "/notes/{id}/redrive", editor, aConfirmation, d.redriveNote},
		{"POST", "/notes/{id}/competence", editor, freshInLive, d.setCompetence},
		{"POST", "/notes/{id}/deliveries/{delivery}/retry", editor, nothing, d.retryOfNote},
	}
}

// routesOfIntegrations are API keys, webhook endpoints and the deliveries to them.
func (d *Dashboard) routesOfIntegrations() []route {
	return []route{
		{"GET", "/integrations", viewer, nothing, d.showIntegrations},
		{"POST", "/integrations/keys", owner, freshPasskey, d.createKey},
		{"GET", "/integrations/keys/{id}", viewer, nothing, d.showKey},
		{"POST", "/integrations/keys/{id}", owner, freshPasskey, d.changeKey},
		{"POST", "/integrations/keys/{id}/revoke", owner, freshPasskey | aConfirmation, d.revokeKey},
		{"POST", "/integrations/endpoints", owner, freshPasskey, d.addEndpoint},
		{"GET", "/integrations/endpoints/{id}", viewer, nothing, d.showEndpoint},
		{"POST", "/integrations/endpoints/{id}/test", editor, aTry, d.testEndpoint},
		{"POST", "/integrations/endpoints/{id}/rotate", owner, freshPasskey | aConfirmation, d.rotateSecret},
		{"POST", "/integrations/endpoints/{id}/disable", owner, freshPasskey | aConfirmation, d.disableEndpoint},
		{"POST", "/integrations/endpoints/{id}/enable", owner, nothing, d.enableEndpoint},
		{"POST", "/integrations/endpoints/{id}/remove", owner, freshPasskey | aConfirmation, d.removeEndpoint},
		{"POST", "/integrations/endpoints/{id}/retry", editor, nothing, d.retryFailed},
		{"GET", "/integrations/deliveries", viewer, nothing, d.listDeliveries},
		{"GET", "/integrations/deliveries/{id}", viewer, nothing, d.showDelivery},
		{"POST", "/integrations/deliveries/{id}/retry", editor, nothing, d.retryDelivery},
		{"GET", "/integrations/receiver", viewer, nothing, d.showReceiver},
	}
}

// routesOfCatalogue are services and customers.
func (d *Dashboard) routesOfCatalogue() []route {
	return []route{
		{"GET", "/catalogue/services", viewer, nothing, d.listServices},
		{"GET", "/catalogue/services/new", editor, nothing, d.newService},
		{"POST", "/catalogue/services", editor, nothing, d.saveService},
		{"GET", "/catalogue/services/{id}", viewer, nothing, d.editService},
		{"POST", "/catalogue/services/{id}", editor, nothing, d.saveService},
		{"GET", "/catalogue/services/{id}/classification", viewer, nothing, d.showClassification},
		{"POST", "/catalogue/services/{id}/classification", editor, nothing, d.classify},
		{"GET", "/catalogue/services/{id}/taxation", viewer, nothing, d.showServiceTaxation},
		{"POST", "/catalogue/services/{id}/taxation", editor, nothing, d.taxService},
		{"GET", "/catalogue/customers/{id}/taxation", viewer, nothing, d.showCustomerTaxation},
		{"POST", "/catalogue/customers/{id}/taxation", editor, nothing, d.taxCustomer},
		{"POST", "/catalogue/services/{id}/classification/remove", editor, aConfirmation, d.unclassify},
		{"GET", "/catalogue/customers", viewer, nothing, d.listCustomers},
		{"GET", "/catalogue/customers/new", editor, nothing, d.newCustomer},
		{"POST", "/catalogue/customers", editor, nothing, d.saveCustomer},
		{"GET", "/catalogue/customers/{id}", viewer, nothing, d.editCustomer},
		{"POST", "/catalogue/customers/{id}", editor, nothing, d.saveCustomer},
	}
}

// routesOfCompany are for how the organization issues.
func (d *Dashboard) routesOfCompany() []route {
	return []route{
		{"GET", "/company", viewer, nothing, d.showCompany},
		{"GET", "/company/calendar", viewer, nothing, d.showCalendar},
		{"POST", "/company/profile", owner, freshPasskey | aConfirmation, d.saveProfile},
		{"POST", "/company/next-number", owner, freshPasskey | aConfirmation, d.setNextNumber},
		{"POST", "/company/city", owner, nothing, d.refreshCity},
		{"GET", "/company/certificates/new", owner, freshPasskey, d.newCertificate},
		{"POST", "/company/certificates", owner, freshPasskey | aFile, d.addCertificate},
		{"POST", "/company/certificates/{id}/retry", owner, freshPasskey, d.retryCertificate},
		{"POST", "/company/certificates/{id}/remove", owner, freshPasskey | aConfirmation, d.removeCertificate},
	}
}

// routesOfRecords are e-mails, the ledger, the audit log and operations.
func (d *Dashboard) routesOfRecords() []route {
	return []route{
		{"GET", "/emails", viewer, nothing, d.listEmails},
		{"POST", "/emails/retry-failed", editor, nothing, d.retryFailedEmails},
		{"POST", "/emails/{id}/retry", editor, nothing, d.retryEmail},

		{"GET", "/ledger", viewer, nothing, d.showLedger},
		{"GET", "/ledger.csv", viewer, nothing, d.downloadLedger},

		{"GET", "/audit", viewer, nothing, d.showAudit},
		{"GET", "/operations", operator, nothing, d.showOperations},
	}
}

// routesOfPeople are for the members of the organization.
func (d *Dashboard) routesOfPeople() []route {
	return []route{
		{"GET", "/people", viewer, nothing, d.listPeople},
		{"POST", "/people/invitations", owner, freshPasskey, d.invite},
		{"POST", "/people/invitations/{id}/revoke", owner, freshPasskey | aConfirmation, d.revokeInvitation},
		{"POST", "/people/{id}/role", owner, freshPasskey | aConfirmation, d.changeRole},
		{"POST", "/people/{id}/link", owner, freshPasskey | aConfirmation, d.recoverMember},
		{"POST", "/people/{id}/remove", owner, freshPasskey | aConfirmation, d.removeMember},
	}
}
