package frame

import (
	"net/url"
	"strings"

	"emissor/nfse"
)

// recordPage is where a record is shown.
type recordPage struct {
	path string // one that ends in / is followed by the record's id; any other is of a list
	who  Audience
}

// recordPages are the pages of records, by the prefixes of their ids.
var recordPages = map[nfse.Prefix]recordPage{
	nfse.PrefixNote:          {"/notes/", SeeNotes},
	nfse.PrefixBatch:         {"/batches/", SeeNotes},
	nfse.PrefixRecurrence:    {"/recurring/", SeeNotes},
	nfse.PrefixService:       {"/catalogue/services/", SeeCatalogue},
	nfse.PrefixCustomer:      {"/catalogue/customers/", SeeCatalogue},
	nfse.PrefixWork:          {"/catalogue/works/", SeeCatalogue},
	nfse.PrefixCulturalEvent: {"/catalogue/events/", SeeCatalogue},
	nfse.PrefixAPIKey:        {"/integrations/keys/", SeeIntegrations},
	nfse.PrefixEndpoint:      {"/integrations/endpoints/", SeeIntegrations},
	nfse.PrefixDelivery:      {"/integrations/deliveries/", SeeIntegrations},
	nfse.PrefixEmail:         {"/emails", SeeBooks},
	nfse.PrefixLedgerEntry:   {"/ledger", SeeBooks},
	nfse.PrefixArchive:       {"/closing", SeeBooks},
	nfse.PrefixOrganization:  {"/company", SeeCompany},
	nfse.PrefixCertificate:   {"/company", SeeCompany},
	nfse.PrefixUser:          {"/people", SeePeople},
	nfse.PrefixLink:          {"/people", SeePeople},
}

// RecordURL is the address of the page of a record, in its own organization and environment;
// empty where there is none, or the reader may not see it. A record of both environments is
// shown in the reader's.
func (r *Request) RecordURL(id string, organizationID *string, livemode *bool) string {
	kind, _, found := strings.Cut(id, "_")
	page, known := recordPages[nfse.Prefix(kind+"_")]
	if !found || !known || organizationID == nil || !r.Role.May(page.who.Permission()) {
		return ""
	}
	scope := nfse.Scope{OrganizationID: *organizationID, Livemode: r.Scope.Livemode}
	if livemode != nil {
		scope.Livemode = *livemode
	}
	path := page.path
	if strings.HasSuffix(path, "/") {
		path += url.PathEscape(id)
	}
	return path + "?" + url.Values{"org": {scope.OrganizationID}, "env": {scope.Environment()}}.Encode()
}
