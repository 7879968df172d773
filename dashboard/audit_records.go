package dashboard

import (
	"net/url"
	"strings"

	"emissor/nfse"
)

// recordPage is where a record is shown.
type recordPage struct {
	path string // one that ends in / is followed by the record's id; any other is of a list
	who  audience
}

// recordPages are the pages of records, by the prefixes of their ids.
var recordPages = map[nfse.Prefix]recordPage{
	nfse.PrefixNote:          {"/notes/", seeNotes},
	nfse.PrefixBatch:         {"/batches/", seeNotes},
	nfse.PrefixRecurrence:    {"/recurring/", seeNotes},
	nfse.PrefixService:       {"/catalogue/services/", seeCatalogue},
	nfse.PrefixCustomer:      {"/catalogue/customers/", seeCatalogue},
	nfse.PrefixWork:          {"/catalogue/works/", seeCatalogue},
	nfse.PrefixCulturalEvent: {"/catalogue/events/", seeCatalogue},
	nfse.PrefixAPIKey:        {"/integrations/keys/", seeIntegrations},
	nfse.PrefixEndpoint:      {"/integrations/endpoints/", seeIntegrations},
	nfse.PrefixDelivery:      {"/integrations/deliveries/", seeIntegrations},
	nfse.PrefixEmail:         {"/emails", seeBooks},
	nfse.PrefixLedgerEntry:   {"/ledger", seeBooks},
	nfse.PrefixArchive:       {"/closing", seeBooks},
	nfse.PrefixOrganization:  {"/company", seeCompany},
	nfse.PrefixCertificate:   {"/company", seeCompany},
	nfse.PrefixUser:          {"/people", seePeople},
	nfse.PrefixLink:          {"/people", seePeople},
}

// recordURL is the address of the page of a record, in its own organization and environment;
// empty where there is none, or the reader may not see it. A record of both environments is
// shown in the reader's.
func (r *request) recordURL(id string, organizationID *string, livemode *bool) string {
	kind, _, found := strings.Cut(id, "_")
	page, known := recordPages[nfse.Prefix(kind+"_")]
	if !found || !known || organizationID == nil || !r.role.May(page.who.permission()) {
		return ""
	}
	scope := nfse.Scope{OrganizationID: *organizationID, Livemode: r.scope.Livemode}
	if livemode != nil {
		scope.Livemode = *livemode
	}
	path := page.path
	if strings.HasSuffix(path, "/") {
		path += url.PathEscape(id)
	}
	return path + "?" + url.Values{"org": {scope.OrganizationID}, "env": {scope.Environment()}}.Encode()
}
