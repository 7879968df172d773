package nfse

import "slices"

// Permission is one kind of act in the dashboard. Roles are in no order: what each may do is
// said by the table below, and nowhere else.
type Permission string

// The permissions.
const (
	SeeNotes        Permission = "see_notes"        // the overview, notes and their documents
	IssueNotes      Permission = "issue_notes"      // issues, cancels, replaces and retries notes
	SeeCatalogue    Permission = "see_catalogue"    // services, customers, works and events
	ChangeCatalogue Permission = "change_catalogue" //
	SeeBooks        Permission = "see_books"        // e-mails to customers, the ledger, exports
	SendEmails      Permission = "send_emails"      //

	SeeIntegrations Permission = "see_integrations" // API keys, endpoints, deliveries
	ManageKeys      Permission = "manage_keys"      //
	ManageEndpoints Permission = "manage_endpoints" //
	RetryDeliveries Permission = "retry_deliveries" // also sends test events
	SeeRequests     Permission = "see_requests"     // the log of requests to the API

	SeeCompany    Permission = "see_company"    // profile, certificates, numbers
	ManageCompany Permission = "manage_company" //
	SeePeople     Permission = "see_people"     //
	ManagePeople  Permission = "manage_people"  //
	SeeAudit      Permission = "see_audit"      //
)

// members are the roles that have each permission. Operators have all of them.
var members = map[Permission][]Role{
	SeeNotes:        {RoleViewer, RoleEditor, RoleAccountant, RoleDeveloper, RoleOwner},
	IssueNotes:      {RoleEditor, RoleOwner},
	SeeCatalogue:    {RoleViewer, RoleEditor, RoleAccountant, RoleDeveloper, RoleOwner},
	ChangeCatalogue: {RoleEditor, RoleOwner},
	SeeBooks:        {RoleViewer, RoleEditor, RoleAccountant, RoleOwner},
	SendEmails:      {RoleEditor, RoleOwner},

	SeeIntegrations: {RoleViewer, RoleEditor, RoleDeveloper, RoleOwner},
	ManageKeys:      {RoleDeveloper, RoleOwner},
	ManageEndpoints: {RoleDeveloper, RoleOwner},
	RetryDeliveries: {RoleEditor, RoleDeveloper, RoleOwner},
	SeeRequests:     {RoleEditor, RoleDeveloper, RoleOwner},

	SeeCompany:    {RoleViewer, RoleEditor, RoleAccountant, RoleOwner},
	ManageCompany: {RoleOwner},
	SeePeople:     {RoleViewer, RoleEditor, RoleAccountant, RoleOwner},
	ManagePeople:  {RoleOwner},
	SeeAudit:      {RoleViewer, RoleEditor, RoleAccountant, RoleOwner},
}

// May reports whether a user with this role may do something.
func (r Role) May(act Permission) bool {
	having, known := members[act]
	return known && (r == RoleOperator || slices.Contains(having, r))
}
