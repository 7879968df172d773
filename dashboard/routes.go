package dashboard

import (
	"slices"

	accesspages "emissor/dashboard/access"
	batchpages "emissor/dashboard/batches"
	bookpages "emissor/dashboard/books"
	cataloguepages "emissor/dashboard/catalogues"
	companypages "emissor/dashboard/companies"
	"emissor/dashboard/frame"
	mailpages "emissor/dashboard/mails"
	notepages "emissor/dashboard/notes"
	operatepages "emissor/dashboard/operate"
	receivedpages "emissor/dashboard/received"
	webhookpages "emissor/dashboard/webhooks"
)

// allRoutes are all routes of the dashboard, and who may use them. A page of an organization
// names it in its address (?org=…&env=test|live).
func allRoutes(d *frame.Dashboard) []frame.Route {
	return slices.Concat(routesOfNobody(d), routesOfAccounts(d), routesOfNotes(d), routesOfIntegrations(d),
		routesOfCatalogue(d), cataloguepages.Works.Routes(), cataloguepages.CulturalEvents.Routes(),
		routesOfCompany(d),
		routesOfRecords(d), routesOfPeople(d), batchpages.RoutesOfBatches(d), batchpages.RoutesOfRecurring(d),
		receivedpages.RoutesOfReceived(d), bookpages.RoutesOfClosing(d), operatepages.RoutesOfRequests(d),
		operatepages.RoutesOfCompanies(d),
		operatepages.RoutesOfStatus(d), operatepages.RoutesOfAlerts(d), notepages.RoutesOfNoteDetails(d),
		notepages.RoutesOfFilters(d),
		mailpages.RoutesOfEmailTemplate(d), operatepages.RoutesOfDoctor(d))
}

// routesOfNobody are for anybody, without a session.
func routesOfNobody(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/health", frame.Stranger, frame.Nothing, health),
		frame.On("GET", "/assets/{file}", frame.Stranger, frame.Nothing, asset),
		frame.On("GET", "/reference", frame.Visitor, frame.Nothing, operatepages.ShowReference),
		frame.On("GET", "/openapi.yaml", frame.Stranger, frame.Nothing, operatepages.DownloadDescription),
		frame.On("any", "/", frame.Visitor, frame.Nothing, notFound),
	}
}

// routesOfAccounts are for signing in, and for the user's own account.
func routesOfAccounts(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/sign-in", frame.Visitor, frame.LooksUpKnown, accesspages.ShowSignIn),
		frame.On("POST", "/sign-in/options", frame.Visitor, frame.ATry, accesspages.BeginSignIn),
		frame.On("POST", "/sign-in", frame.Visitor, frame.ATry, accesspages.FinishSignIn),
		frame.On("GET", "/link/{text}", frame.Visitor, frame.ATry, accesspages.ShowLink),
		frame.On("POST", "/link/{text}", frame.Visitor, frame.ATry, accesspages.UseLink),
		frame.On("GET", "/classify/{text}", frame.Visitor, frame.ATry, cataloguepages.ShowAsked),
		frame.On("POST", "/classify/{text}", frame.Visitor, frame.ATry, cataloguepages.ClassifyAsked),
		frame.On("POST", "/language", frame.Visitor, frame.Nothing, accesspages.SetLanguage),
		frame.On("GET", "/session", frame.User, frame.Nothing, accesspages.ShowSession),
		frame.On("POST", "/session/sign-out", frame.User, frame.Nothing, accesspages.SignOut),
		frame.On("POST", "/session/sessions/{id}/end", frame.User, frame.Nothing, accesspages.EndSession),
		frame.On("GET", "/session/passkeys/new", frame.User, frame.OwnPasskey, accesspages.NewPasskey),
		frame.On("POST", "/session/passkeys/options", frame.User, frame.OwnPasskey, accesspages.BeginPasskey),
		frame.On("POST", "/session/passkeys", frame.User, frame.OwnPasskey, accesspages.FinishPasskey),
		frame.On("POST", "/session/passkeys/{id}/remove", frame.User, frame.FreshPasskey|frame.AConfirmation,
			accesspages.RemovePasskey),
		frame.On("POST", "/confirm/options", frame.User, frame.ATry, accesspages.BeginConfirmation),
		frame.On("POST", "/confirm", frame.User, frame.ATry, accesspages.FinishConfirmation),

		frame.On("GET", "/oidc/sign-in", frame.Visitor, frame.ATry, accesspages.SignInByProvider),
		frame.On("GET", "/oidc/callback", frame.Visitor, frame.ATry, accesspages.ArriveFromProvider),
		frame.On("GET", "/oidc/anew", frame.Visitor, frame.ATry, accesspages.ShowAnew),
		frame.On("POST", "/oidc/anew", frame.Visitor, frame.ATry, accesspages.StartAnew),
		frame.On("GET", "/oidc/confirm", frame.User, frame.ATry, accesspages.ConfirmByProvider),
		frame.On("GET", "/oidc/link", frame.User, frame.FreshPasskey|frame.ATry, accesspages.LinkProvider),
		frame.On("POST", "/oidc/unlink", frame.User, frame.FreshPasskey|frame.AConfirmation, accesspages.UnlinkProvider),
	}
}

// routesOfNotes are the overview and the notes.
func routesOfNotes(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/{$}", frame.SeeNotes, frame.Nothing, operatepages.ShowOverview),
		frame.On("GET", "/search", frame.SeeNotes, frame.Nothing, notepages.Search),

		frame.On("GET", "/notes", frame.SeeNotes, frame.Nothing, notepages.ListNotes),
		frame.On("GET", "/notes.csv", frame.SeeBooks, frame.Nothing, notepages.DownloadNotes),
		frame.On("GET", "/notes/new", frame.IssueNotes, frame.Nothing, notepages.NewNote),
		frame.On("POST", "/notes", frame.IssueNotes, frame.FreshInLive, notepages.IssueNote),
		frame.On("GET", "/notes/{id}", frame.SeeNotes, frame.Follows, notepages.ShowNote),
		frame.On("GET", "/notes/{id}/xml", frame.SeeNotes, frame.Nothing, notepages.DownloadXML),
		frame.On("GET", "/notes/{id}/danfse", frame.SeeNotes, frame.Nothing, notepages.DownloadDANFSe),
		frame.On("POST", "/notes/{id}/cancel", frame.IssueNotes, frame.FreshInLive|frame.AConfirmation,
			notepages.CancelNote),
		frame.On("POST", "/notes/{id}/analysis", frame.IssueNotes, frame.FreshInLive|frame.AConfirmation,
			notepages.RequestAnalysis),
		frame.On("GET", "/notes/{id}/replace", frame.IssueNotes, frame.Nothing, notepages.NewReplacement),
		frame.On("POST", "/notes/{id}/replace", frame.IssueNotes, frame.FreshInLive, notepages.ReplaceNote),
		frame.On("POST", "/notes/{id}/redrive", frame.IssueNotes, frame.AConfirmation, notepages.RedriveNote),
		frame.On("POST", "/notes/{id}/competence", frame.IssueNotes, frame.FreshInLive, notepages.SetCompetence),
		frame.On("POST", "/notes/{id}/deliveries/{delivery}/retry", frame.RetryDeliveries, frame.Nothing,
			notepages.RetryOfNote),
	}
}

// routesOfIntegrations are API keys, webhook endpoints and the deliveries to them.
func routesOfIntegrations(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/integrations", frame.SeeIntegrations, frame.Nothing, webhookpages.ShowIntegrations),
		frame.On("POST", "/integrations/keys", frame.ManageKeys, frame.FreshPasskey|frame.WhenValid,
			webhookpages.CreateKey),
		frame.On("GET", "/integrations/keys/{id}", frame.SeeIntegrations, frame.Nothing, webhookpages.ShowKey),
		frame.On("POST", "/integrations/keys/{id}", frame.ManageKeys, frame.FreshPasskey|frame.WhenValid,
			webhookpages.ChangeKey),
		frame.On("POST", "/integrations/keys/{id}/revoke", frame.ManageKeys, frame.FreshPasskey|frame.AConfirmation,
			webhookpages.RevokeKey),
		frame.On("POST", "/integrations/endpoints", frame.ManageEndpoints, frame.FreshPasskey|frame.WhenValid,
			webhookpages.AddEndpoint),
		frame.On("GET", "/integrations/endpoints/{id}", frame.SeeIntegrations, frame.Nothing, webhookpages.ShowEndpoint),
		frame.On("POST", "/integrations/endpoints/{id}", frame.ManageEndpoints,
			frame.FreshPasskey|frame.WhenValid|frame.ATry, webhookpages.ChangeEndpoint),
		frame.On("POST", "/integrations/endpoints/{id}/test", frame.RetryDeliveries, frame.ATry, webhookpages.TestEndpoint),
		frame.On("POST", "/integrations/endpoints/{id}/rotate", frame.ManageEndpoints,
			frame.FreshPasskey|frame.AConfirmation, webhookpages.RotateSecret),
		frame.On("POST", "/integrations/endpoints/{id}/disable", frame.ManageEndpoints,
			frame.FreshPasskey|frame.AConfirmation, webhookpages.DisableEndpoint),
		frame.On("POST", "/integrations/endpoints/{id}/enable", frame.ManageEndpoints, frame.Nothing,
			webhookpages.EnableEndpoint),
		frame.On("POST", "/integrations/endpoints/{id}/remove", frame.ManageEndpoints,
			frame.FreshPasskey|frame.AConfirmation, webhookpages.RemoveEndpoint),
		frame.On("POST", "/integrations/endpoints/{id}/retry", frame.RetryDeliveries, frame.Nothing,
			webhookpages.RetryFailed),
		frame.On("GET", "/integrations/deliveries", frame.SeeIntegrations, frame.Nothing, webhookpages.ListDeliveries),
		frame.On("GET", "/integrations/deliveries/{id}", frame.SeeIntegrations, frame.Nothing, webhookpages.ShowDelivery),
		frame.On("POST", "/integrations/deliveries/{id}/retry", frame.RetryDeliveries, frame.Nothing,
			webhookpages.RetryDelivery),
		frame.On("GET", "/integrations/receiver", frame.SeeIntegrations, frame.Nothing, webhookpages.ShowReceiver),
	}
}

// routesOfCatalogue are services and customers.
func routesOfCatalogue(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/catalogue/services", frame.SeeCatalogue, frame.Nothing, cataloguepages.ListServices),
		frame.On("GET", "/catalogue/services/new", frame.ChangeCatalogue, frame.Nothing, cataloguepages.NewService),
		frame.On("POST", "/catalogue/services", frame.ChangeCatalogue, frame.Nothing, cataloguepages.SaveService),
		frame.On("GET", "/catalogue/services/{id}", frame.SeeCatalogue, frame.Nothing, cataloguepages.EditService),
		frame.On("POST", "/catalogue/services/{id}", frame.ChangeCatalogue, frame.Nothing, cataloguepages.SaveService),
		frame.On("GET", "/catalogue/services/{id}/classification", frame.SeeCatalogue, frame.Nothing,
			cataloguepages.ShowClassification),
		frame.On("POST", "/catalogue/services/{id}/classification", frame.ChangeCatalogue, frame.Nothing,
			cataloguepages.Classify),
		frame.On("POST", "/catalogue/services/{id}/classification/links", frame.ChangeCatalogue, frame.Nothing,
			cataloguepages.AskAccountant),
		frame.On("POST", "/catalogue/services/{id}/classification/links/{link}/revoke", frame.ChangeCatalogue,
			frame.AConfirmation, cataloguepages.RevokeAsked),
		frame.On("GET", "/catalogue/services/{id}/taxation", frame.SeeCatalogue, frame.Nothing,
			cataloguepages.ShowServiceTaxation),
		frame.On("POST", "/catalogue/services/{id}/taxation", frame.ChangeCatalogue, frame.Nothing,
			cataloguepages.TaxService),
		frame.On("GET", "/catalogue/customers/{id}/taxation", frame.SeeCatalogue, frame.Nothing,
			cataloguepages.ShowCustomerTaxation),
		frame.On("POST", "/catalogue/customers/{id}/taxation", frame.ChangeCatalogue, frame.Nothing,
			cataloguepages.TaxCustomer),
		frame.On("POST", "/catalogue/services/{id}/classification/remove", frame.ChangeCatalogue, frame.AConfirmation,
			cataloguepages.Unclassify),
		frame.On("GET", "/catalogue/customers", frame.SeeCatalogue, frame.Nothing, cataloguepages.ListCustomers),
		frame.On("GET", "/catalogue/customers/new", frame.ChangeCatalogue, frame.Nothing, cataloguepages.NewCustomer),
		frame.On("POST", "/catalogue/customers", frame.ChangeCatalogue, frame.Nothing, cataloguepages.SaveCustomer),
		frame.On("GET", "/catalogue/customers/{id}", frame.SeeCatalogue, frame.Nothing, cataloguepages.EditCustomer),
		frame.On("POST", "/catalogue/customers/{id}", frame.ChangeCatalogue, frame.Nothing, cataloguepages.SaveCustomer),
	}
}

// routesOfCompany are for how the organization issues.
func routesOfCompany(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/company", frame.SeeCompany, frame.Nothing, companypages.ShowCompany),
		frame.On("GET", "/company/calendar", frame.SeeCompany, frame.Nothing, batchpages.ShowCalendar),
		frame.On("POST", "/company/profile", frame.ManageCompany, frame.FreshPasskey|frame.WhenValid|frame.AConfirmation,
			companypages.SaveProfile),
		frame.On("POST", "/company/next-number", frame.ManageCompany,
			frame.FreshPasskey|frame.WhenValid|frame.AConfirmation, companypages.SetNextNumber),
		frame.On("POST", "/company/city", frame.ManageCompany, frame.Nothing, companypages.RefreshCity),
		frame.On("GET", "/company/city-login", frame.ManageCompany, frame.FreshPasskey, companypages.ShowCityLogin),
		frame.On("POST", "/company/city-login", frame.ManageCompany, frame.FreshPasskey, companypages.SetCityLogin),
		frame.On("POST", "/company/city-login/remove", frame.ManageCompany, frame.FreshPasskey|frame.AConfirmation,
			companypages.RemoveCityLogin),
		frame.On("GET", "/company/certificates/new", frame.ManageCompany, frame.FreshPasskey, companypages.NewCertificate),
		frame.On("POST", "/company/certificates", frame.ManageCompany, frame.FreshPasskey|frame.AFile,
			companypages.AddCertificate),
		frame.On("POST", "/company/certificates/{id}/retry", frame.ManageCompany, frame.FreshPasskey,
			companypages.RetryCertificate),
		frame.On("POST", "/company/certificates/{id}/remove", frame.ManageCompany, frame.FreshPasskey|frame.AConfirmation,
			companypages.RemoveCertificate),
	}
}

// routesOfRecords are e-mails, the ledger, the audit log, operations and what pages are made of.
func routesOfRecords(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/emails", frame.SeeBooks, frame.Nothing, mailpages.ListEmails),
		frame.On("POST", "/emails/retry-failed", frame.SendEmails, frame.Nothing, mailpages.RetryFailedEmails),
		frame.On("POST", "/emails/{id}/retry", frame.SendEmails, frame.Nothing, mailpages.RetryEmail),

		frame.On("GET", "/ledger", frame.SeeBooks, frame.Nothing, bookpages.ShowLedger),
		frame.On("GET", "/ledger.csv", frame.SeeBooks, frame.Nothing, bookpages.DownloadLedger),

		frame.On("GET", "/audit", frame.SeeAudit, frame.Nothing, operatepages.ShowAudit),
		frame.On("GET", "/operations", frame.Operator, frame.Nothing, operatepages.ShowOperations),
		frame.On("GET", "/design", frame.Operator, frame.Nothing, showDesign),
	}
}

// routesOfPeople are for the members of the organization.
func routesOfPeople(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/people", frame.SeePeople, frame.Nothing, accesspages.ListPeople),
		frame.On("POST", "/people/invitations", frame.ManagePeople, frame.FreshPasskey|frame.WhenValid, accesspages.Invite),
		frame.On("POST", "/people/invitations/{id}/revoke", frame.ManagePeople, frame.FreshPasskey|frame.AConfirmation,
			accesspages.RevokeInvitation),
		frame.On("POST", "/people/{id}/role", frame.ManagePeople, frame.FreshPasskey|frame.AConfirmation,
			accesspages.ChangeRole),
		frame.On("POST", "/people/{id}/link", frame.ManagePeople, frame.FreshPasskey|frame.AConfirmation,
			accesspages.RecoverMember),
		frame.On("POST", "/people/{id}/remove", frame.ManagePeople, frame.FreshPasskey|frame.AConfirmation,
			accesspages.RemoveMember),
	}
}
