package store_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/access"
	"emissor/store/archive"
	"emissor/store/audit"
	"emissor/store/batches"
	"emissor/store/books"
	"emissor/store/catalogues"
	"emissor/store/companies"
	"emissor/store/lifecycle"
	"emissor/store/mails"
	"emissor/store/numbers"
	"emissor/store/operate"
	"emissor/store/postgres"
	"emissor/store/privacy"
	"emissor/store/received"
	"emissor/store/webhooks"
)

// person is a CPF: nothing of it may be in the audit log but its last two digits.
const person nfse.TaxID = "52998224725"

// audited is what an entry of the audit log is about.
type audited struct {
	action  audit.Action
	subject string
}

func each(action audit.Action, subjects ...string) (entries []audited) {
	for _, subject := range subjects {
		entries = append(entries, audited{action, subject})
	}
	return entries
}

// change makes a change, with what it needs, and says which entries it leaves.
type change struct {
	method any // of a room's Changes; of a register its name
	make   func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error)
}

var changes = []change{
	{(*access.Changes).CreateOrganization, func(t *testing.T, _ tenancy, by *store.Changes) ([]audited, error) {
		created, err := by.Access.CreateOrganization(t.Context(), "João da Silva")
		return each(audit.OrganizationCreate, created.ID), err
	}},
	{(*access.Changes).RenameOrganization, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		must(t, by.Access.RenameOrganization(t.Context(), n.scope.OrganizationID, "Maria da Silva"))
		err := by.Access.RenameOrganization(t.Context(), n.scope.OrganizationID,
			"Maria da Silva") // it has that name already
		return each(audit.OrganizationRename, n.scope.OrganizationID), err
	}},
	{(*operate.Changes).SetAlert, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n.Exec(t, `INSERT INTO users (id, email) VALUES ('usr_1', 'x@example.com')`)
		err := by.Operate.SetAlert(t.Context(), n.scope.OrganizationID, operate.AlertHeld, operate.AlertDaily)
		return each(audit.AlertSet, "usr_1"), err
	}},
	{(*mails.Changes).SetEmailTemplate, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		to := mails.EmailTemplate{Portuguese: "Olá, {customer}", Logo: []byte("png")}
		must(t, by.Mails.SetEmailTemplate(t.Context(), n.scope.OrganizationID, to, mails.EmailTemplate{}.Version()))
		must(t, by.Mails.SetEmailTemplate(t.Context(), n.scope.OrganizationID, to, to.Version())) // nothing changes
		err := by.Mails.SetEmailTemplate(t.Context(), n.scope.OrganizationID, mails.EmailTemplate{}, "seen before")
		if !errors.Is(err, postgres.ErrChanged) {
			t.Errorf("another version: %v", err)
		}
		if kept, err := n.Store.Mails.EmailTemplate(t.Context(), n.scope.OrganizationID); err != nil ||
			kept.Version() != to.Version() {
			t.Errorf("kept is %+v, %v", kept, err)
		}
		return each(audit.EmailTemplate, n.scope.OrganizationID), nil
	}},
	{(*access.Changes).CreateAPIKey, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		created, err := by.Access.CreateAPIKey(t.Context(), nfse.APIKey{Scope: n.scope, Label: "loja"}, secretKey)
		return each(audit.KeyCreate, created.ID), err
	}},
	{(*access.Changes).SetAPIKey, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		key, err := by.Access.SetAPIKey(t.Context(), n.key.ID, func(key *nfse.APIKey) error {
			key.AllowedNetworks = nfse.Networks{netip.MustParsePrefix("2001:db8::/48")}
			return nil
		})
		return each(audit.KeySet, key.ID), err
	}},
	{(*access.Changes).RevokeAPIKey, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		key, err := by.Access.RevokeAPIKey(t.Context(), n.key.ID)
		return each(audit.KeyRevoke, key.ID), err
	}},
	{(*privacy.Changes).ExportCustomer, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		customerID := n.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, n.accept(t, "order"))
		err := by.Privacy.ExportCustomer(t.Context(), n.scope.OrganizationID, n.takerOf(t, customerID),
			func([]privacy.RecordedCustomer) error { return nil }, func(privacy.ExportedNote) error { return nil },
			func(privacy.ExportedReceived) error { return nil })
		return each(audit.CustomerExport, customerID), err
	}},
	// Its notes, in batches, and its row.
	{(*privacy.Changes).EraseCustomer, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.begin(t, "order")
		customerID := n.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, id)
		must(t, second(n.settleIssued(t, n.Store, id)))
		_, err := by.Privacy.EraseCustomer(t.Context(), n.scope.OrganizationID, n.takerOf(t, customerID), true)
		return each(audit.CustomerErase, customerID, customerID), err
	}},
	{(*webhooks.Changes).CreateEndpoint, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		created, err := by.Webhooks.CreateEndpoint(t.Context(), n.newEndpoint())
		return each(audit.WebhookAdd, created.ID), err
	}},
	{(*webhooks.Changes).Listen, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		endpoint := n.newEndpoint()
		key := nfse.APIKey{ID: n.Text(t, `SELECT id FROM api_keys WHERE NOT livemode LIMIT 1`), Scope: nfse.Scope{
			OrganizationID: n.scope.OrganizationID}}
		return each(audit.WebhookListen, endpoint.ID), by.Webhooks.Listen(t.Context(), key, endpoint)
	}},
	{(*webhooks.Changes).SetEndpoint, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addEndpoint(t)
		_, err := by.Webhooks.SetEndpoint(t.Context(), id, "https://other.example.com", []string{"nfse.issued"}, nil)
		return each(audit.WebhookSet, id), err
	}},
	{(*webhooks.Changes).RotateSecret, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addEndpoint(t)
		_, err := by.Webhooks.RotateSecret(t.Context(), id, []byte("sealed secret 2"), false)
		return each(audit.WebhookRotate, id), err
	}},
	{(*webhooks.Changes).DisableEndpoint, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addEndpoint(t)
		_, err := by.Webhooks.DisableEndpoint(t.Context(), id, fact.InWords("a test"))
		return each(audit.WebhookDisable, id), err
	}},
	{(*webhooks.Changes).EnableEndpoint, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addEndpoint(t)
		_, err := by.Webhooks.EnableEndpoint(t.Context(), id)
		return each(audit.WebhookEnable, id), err
	}},
	{(*webhooks.Changes).DeleteEndpoint, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addEndpoint(t)
		_, err := by.Webhooks.DeleteEndpoint(t.Context(), id)
		return each(audit.WebhookRemove, id), err
	}},
	{(*companies.Changes).AddCertificate, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		added, err := by.Companies.AddCertificate(t.Context(), n.personal())
		return each(audit.CertificateAdd, added.ID), err
	}},
	{(*companies.Changes).RetryCertificate, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addCertificate(t, n.personal()).ID
		_, err := by.Companies.RetryCertificate(t.Context(), n.scope.OrganizationID, id)
		return each(audit.CertificateRetry, id), err
	}},
	{(*companies.Changes).RemoveCertificate, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addCertificate(t, n.personal()).ID
		_, err := by.Companies.RemoveCertificate(t.Context(), n.scope.OrganizationID, id)
		return each(audit.CertificateRemove, id), err
	}},
	{(*companies.Changes).SetCityLogin, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		_, err := by.Companies.SetCityLogin(t.Context(), n.login())
		return each(audit.CityLoginSet, n.scope.OrganizationID), err
	}},
	{(*companies.Changes).RemoveCityLogin, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		_, err := n.Changes().Companies.SetCityLogin(t.Context(), n.login())
		must(t, err)
		_, err = by.Companies.RemoveCityLogin(t.Context(), n.scope.OrganizationID)
		return each(audit.CityLoginRemove, n.scope.OrganizationID), err
	}},
	{(*companies.Changes).SetFiscalProfile, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		must(t, n.Changes().Companies.SetFiscalProfile(t.Context(), n.profile()))
		profile := n.profile()
		profile.TaxID = person
		return each(audit.FiscalProfileSet, n.scope.OrganizationID), by.Companies.SetFiscalProfile(t.Context(), profile)
	}},
	{(*companies.Changes).ReplaceFiscalProfile, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		must(t, n.Changes().Companies.ReplaceFiscalProfile(t.Context(), n.profile(), companies.NoFiscalProfile))
		profile := n.profile()
		profile.TaxID = person
		err := n.Changes().Companies.ReplaceFiscalProfile(t.Context(), profile, nfse.VersionOf(profile))
		if !errors.Is(err, postgres.ErrChanged) {
			t.Errorf("another version: %v", err)
		}
		err = by.Companies.ReplaceFiscalProfile(t.Context(), profile, nfse.VersionOf(n.profile()))
		return each(audit.FiscalProfileSet, n.scope.OrganizationID), err
	}},
	{(*catalogues.Changes).CreateService, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		service, err := by.Catalogues.CreateService(t.Context(), n.scope, n.service)
		return each(audit.ServiceCreate, service.ID), err
	}},
	{(*catalogues.Changes).UpdateService, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		_, err := by.Catalogues.UpdateService(t.Context(), n.scope, n.service.ID, func(service *nfse.Service) error {
			service.Active = false
			return nil
		})
		must(t, err)
		_, err = by.Catalogues.UpdateService(t.Context(), n.scope, n.service.ID, func(*nfse.Service) error { return nil })
		return each(audit.ServiceSet, n.service.ID), err // of the first: the second changes nothing
	}},
	{(*catalogues.Changes).SyncCustomer, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		customer, _, err := by.Catalogues.SyncCustomer(t.Context(), n.scope, person, named("Maria da Silva"))
		return each(audit.CustomerCreate, customer.ID), err
	}},
	{(*catalogues.Changes).UpdateCustomer, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		customer, _, err := n.Store.Catalogues.SyncCustomer(t.Context(), n.scope, person, named("Maria"))
		must(t, err)
		_, err = by.Catalogues.UpdateCustomer(t.Context(), n.scope, customer.ID, named("Maria da Silva"))
		return each(audit.CustomerSet, customer.ID), err
	}},
	{(*lifecycle.Changes).SetNextNumber, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		profile := n.profile()
		profile.TaxID = person
		n.ClaimIssuer(t, profile)
		err := by.Lifecycle.SetNextNumber(t.Context(), profile, 500)
		return each(audit.SeriesNextNumber, n.scope.OrganizationID), err
	}},
	{(*numbers.Changes).ReleaseSeries, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		profile := n.profile()
		profile.MunicipalRegistration = nil
		n.Exec(t, `INSERT INTO fiscal_series (authority, production, tax_id, municipality_code, series, registration,
			held_reason)
			VALUES ($1, $2, $3, $4, $5, '', $6)`, profile.Authority, profile.Production, string(profile.TaxID),
			profile.MunicipalityCode, profile.Series, fact.InWords("somebody else uses it"))
		n.ClaimIssuer(t, profile)
		err := by.Numbers.ReleaseSeries(t.Context(), profile.OrganizationID, profile.SeriesKey())
		return each(audit.SeriesRelease, n.scope.OrganizationID), err
	}},
	{(*operate.Changes).BeginRecovery, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		_, err := by.Operate.BeginRecovery(t.Context())
		return each(audit.RecoveryBegin, "all"), err
	}},
	{(*operate.Changes).LeaveDocument, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n.foundUnder(t, 7)
		err := by.Operate.LeaveDocument(t.Context(), n.scope.OrganizationID, n.issuer().SeriesKey(), 7)
		return each(audit.RecoveryLeave, n.scope.OrganizationID), err
	}},
	{(*operate.Changes).TakeOverDocument, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n = addTenant(t, n.Database, true)
		n.foundUnder(t, 8)
		n.SetProfile(t, n.issuer())
		err := by.Operate.TakeOverDocument(t.Context(), n.scope.OrganizationID, n.issuer().SeriesKey(), 8,
			n.begin(t, "its own"))
		return each(audit.RecoveryTakeOver, n.scope.OrganizationID), err
	}},
	{(*lifecycle.Changes).ReplaceNextNumber, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		profile := n.profile()
		profile.TaxID = person
		n.ClaimIssuer(t, profile)
		err := by.Lifecycle.ReplaceNextNumber(t.Context(), profile, 1, 500)
		return each(audit.SeriesNextNumber, n.scope.OrganizationID), err
	}},
	{(*companies.Changes).ClaimTaxID, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		issuer := n.personalIssuer()
		must(t, by.Companies.ClaimTaxID(t.Context(), n.scope.OrganizationID, issuer))
		err := by.Companies.ClaimTaxID(t.Context(), n.scope.OrganizationID, issuer) // which changes nothing
		return each(audit.TaxIDClaim, n.scope.OrganizationID), err
	}},
	{(*companies.Changes).AllowTaxID, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		_, err := by.Companies.AllowTaxID(t.Context(), n.scope.OrganizationID, n.personalIssuer())
		return each(audit.TaxIDAllow, n.scope.OrganizationID), err
	}},
	{(*companies.Changes).RevokeTaxID, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		must(t, n.Changes().Companies.ClaimTaxID(t.Context(), n.scope.OrganizationID, n.personalIssuer()))
		_, err := by.Companies.RevokeTaxID(t.Context(), n.scope.OrganizationID, n.personalIssuer())
		return each(audit.TaxIDRevoke, n.scope.OrganizationID), err
	}},
	{(*received.Changes).RescanEvents, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		profile := n.profile()
		n.SetProfile(t, profile)
		must(t, second(n.Store.Received.StartDistributions(t.Context(),
			[]received.ServedEnvironment{{Authority: profile.Authority, Production: profile.Production}})))
		rescanned, err := by.Received.RescanEvents(t.Context(), n.scope.OrganizationID)
		return each(audit.EventsRescan, rescanned[0].ID), err
	}},
	{(*received.Changes).ReadReceivedAgain, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		profile := n.profile()
		n.SetProfile(t, profile)
		must(t, second(n.Store.Received.StartDistributions(t.Context(),
			[]received.ServedEnvironment{{Authority: profile.Authority, Production: profile.Production}})))
		reread, err := by.Received.ReadReceivedAgain(t.Context(), n.scope.OrganizationID, 7)
		return each(audit.ReceivedReadAgain, reread[0].ID), err
	}},
	{(*webhooks.Changes).RetryDeliveries, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		endpoint := n.addEndpoint(t)
		for _, reference := range []string{"a", "b"} {
			_, err := n.settleIssued(t, n.Store, n.begin(t, reference))
			must(t, err)
		}
		ids, err := by.Webhooks.RetryDeliveries(t.Context(), webhooks.DeliveryFilter{EndpointID: endpoint, Limit: 10})
		if len(ids) != 2 {
			t.Errorf("%v are sent again", ids)
		}
		return each(audit.DeliveryRetry, ids...), err
	}},
	{(*mails.Changes).RetryEmail, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t).withDefaults(t, nfse.Defaults{EmailCustomer: true})
		id := live.emailOf(t, live.issue(t, "order", "")).ID
		return each(audit.EmailRetry, id), by.Mails.RetryEmail(t.Context(), id)
	}},
	{(*mails.Changes).EmailNote, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t).withDefaults(t, nfse.Defaults{EmailCustomer: true})
		note := live.issue(t, "order", "")
		_, err := by.Mails.EmailNote(t.Context(), live.scope, mails.SentAgainTo{NoteID: note, Address: "a@example.com"})
		return each(audit.EmailNote, note), err
	}},
	{(*lifecycle.Changes).AcceptNote, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		accepted, _, err := by.Lifecycle.AcceptNote(t.Context(), n.note("by hand"))
		return each(audit.NoteIssue, accepted.ID), err
	}},
	{(*batches.Changes).CreateBatch, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id, _, err := by.Batches.CreateBatch(t.Context(), batches.Batch{Scope: n.scope, Digest: "x"},
			[]batches.BatchLine{{Line: 2}})
		return each(audit.BatchCheck, id), err
	}},
	{(*batches.Changes).AcceptBatch, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id, _, err := by.Batches.CreateBatch(t.Context(), batches.Batch{Scope: n.scope, Digest: "x"},
			[]batches.BatchLine{{Line: 2}})
		must(t, err)
		_, err = by.Batches.AcceptBatch(t.Context(), n.scope, id, "2026-11", "2026-11-30", nfse.Defaults{})
		return append(each(audit.BatchCheck, id), each(audit.BatchAccept, id)...), err
	}},
	{(*batches.Changes).DiscardBatch, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id, _, err := by.Batches.CreateBatch(t.Context(), batches.Batch{Scope: n.scope, Digest: "x"},
			[]batches.BatchLine{{Line: 2}})
		must(t, err)
		return append(each(audit.BatchCheck, id), each(audit.BatchDiscard, id)...),
			by.Batches.DiscardBatch(t.Context(), n.scope, id)
	}},
	{(*batches.Changes).CreateRecurrence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := nfse.NewID(nfse.PrefixRecurrence)
		customer, terms := n.recurringCustomer(t), n.terms(t, 10)
		for range 2 { // of a form that is sent twice
			must(t, by.Batches.CreateRecurrence(t.Context(), n.scope, id, customer, terms, "2027-01-05"))
		}
		return each(audit.RecurrenceCreate, id), nil
	}},
	{(*batches.Changes).SetRecurrence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		one, err := n.Store.Batches.Recurrence(t.Context(), n.scope, id)
		must(t, err)
		version := one.Version()
		one.AmountCents++
		return each(audit.RecurrenceSet, id),
			by.Batches.SetRecurrence(t.Context(), n.scope, id, version, one.RecurrenceTerms, "2027-01-05")
	}},
	{(*batches.Changes).PauseRecurrence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		return each(audit.RecurrencePause, id), by.Batches.PauseRecurrence(t.Context(), n.scope, id)
	}},
	{(*batches.Changes).ResumeRecurrence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		must(t, by.Batches.PauseRecurrence(t.Context(), n.scope, id))
		return append(each(audit.RecurrencePause, id), each(audit.RecurrenceResume, id)...),
			by.Batches.ResumeRecurrence(t.Context(), n.scope, id, "2027-01-05")
	}},
	{(*batches.Changes).EndRecurrence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		return each(audit.RecurrenceEnd, id), by.Batches.EndRecurrence(t.Context(), n.scope, id)
	}},
	{(*batches.Changes).SkipMonth, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		return each(audit.RecurrenceSkip, id), by.Batches.SkipMonth(t.Context(), n.scope, id, "2027-01")
	}},
	{(*batches.Changes).IssueMonth, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		n.start(t, "2027-02-09")
		return each(audit.RecurrenceIssue, id), by.Batches.IssueMonth(t.Context(), n.scope, id+"-2027-01", "2027-02-09")
	}},
	{(*batches.Changes).LeaveMonth, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		n.start(t, "2027-02-09")
		return each(audit.RecurrenceLeave, id), by.Batches.LeaveMonth(t.Context(), n.scope, id+"-2027-01")
	}},
	{(*mails.Changes).RetryFailedEmails, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t).withDefaults(t, nfse.Defaults{EmailCustomer: true})
		id := live.emailOf(t, live.issue(t, "order", "")).ID
		live.Exec(t, `UPDATE emails SET status = 'failed', resolved_at = now() WHERE id = $1`, id)
		return each(audit.EmailRetry, id), second(by.Mails.RetryFailedEmails(t.Context(), live.scope, 10))
	}},
	{(*lifecycle.Changes).RedriveNote, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.begin(t, "order")
		return each(audit.NoteRedrive, id), by.Lifecycle.RedriveNote(t.Context(), id)
	}},
	{(*lifecycle.Changes).RequestAnalysis, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t)
		id := live.begin(t, "order")
		live.RefuseByTerm(t, id)
		_, _, err := by.Lifecycle.RequestAnalysis(t.Context(), live.scope, id, "req_x")
		return each(audit.NoteAnalysis, id), err
	}},
	{(*lifecycle.Changes).Replace, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t)
		id := live.begin(t, "order")
		live.RefuseByTerm(t, id)
		accepted, _, err := by.Lifecycle.Replace(t.Context(), live.replacementOf(id, "order-2"))
		return append(each(audit.NoteIssue, accepted.ID), each(audit.NoteReplace, id)...), err
	}},
	{(*lifecycle.Changes).SetCompetence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t)
		id, _ := live.refusedCompetence(t, "order")
		return each(audit.NoteCompetence, id), by.Lifecycle.SetCompetence(t.Context(), live.scope, id, "2026-10-31")
	}},
	{(*lifecycle.Changes).RedriveHeldNotes, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t)
		held := []string{live.hold(t, "a"), live.hold(t, "b")}
		redriven, err := by.Lifecycle.RedriveHeldNotes(t.Context(), "")
		if redriven != 2 {
			t.Errorf("%d are redriven", redriven)
		}
		return each(audit.NoteRedrive, held...), err
	}},
	{(*lifecycle.Changes).RequestCancellation, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.begin(t, "order")
		request := lifecycle.NewCancellation{Key: n.key, RequestID: "req_1", ReasonCode: "1",
			ReasonText: "Maria da Silva desistiu"}
		_, _, err := by.Lifecycle.RequestCancellation(t.Context(), id, request)
		if err == nil { // asked again it changes nothing
			_, _, err = by.Lifecycle.RequestCancellation(t.Context(), id, request)
		}
		return each(audit.NoteCancel, id), err
	}},
	{(*catalogues.Changes).ReplaceZipCodeRanges, func(t *testing.T, _ tenancy, by *store.Changes) ([]audited, error) {
		return each(audit.ZipCodesImport, "zip_code_ranges"), by.Catalogues.ReplaceZipCodeRanges(t.Context(),
			[]catalogues.ZipCodeRange{{Start: "01000000", End: "05999999", MunicipalityCode: "3550308"}})
	}},
	{(*catalogues.Changes).ClassifyServices, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		other := tenantOf(t, n.Database, n.scope.OrganizationID, n.scope.Livemode).service.ID
		classification := usualClassification()
		classification.Property = &nfse.Property{Registration: new("529982"),
			Address: &nfse.PropertyAddress{Street: "Rua Maria da Silva"}}
		changed, err := by.Catalogues.ClassifyServices(t.Context(), n.scope, []catalogues.ServiceClassification{
			{ServiceID: n.service.ID, Classification: classification},
			{ServiceID: other, Classification: classification},
		})
		if changed != 2 {
			t.Errorf("%d are classified", changed)
		}
		return each(audit.ServiceClassify, n.service.ID, other), err
	}},
	{(*catalogues.Changes).RemoveClassification, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n.classify(t, usualClassification())
		return each(audit.ServiceUnclassify, n.service.ID),
			by.Catalogues.RemoveClassification(t.Context(), n.scope, n.service.ID)
	}},
	{(*catalogues.Changes).AskToClassify, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n.mayClassify(t, "usr_1")
		_, err := by.Catalogues.AskToClassify(t.Context(), n.scope, n.service.ID, "Maria@silva.example", "text",
			true, time.Hour)
		return each(audit.ServiceAsk, n.service.ID), err
	}},
	{(*catalogues.Changes).RevokeClassificationLink, func(
		t *testing.T, n tenancy, by *store.Changes,
	) ([]audited, error) {
		link := n.askToClassify(t, "Maria@silva.example", "text")
		return each(audit.ServiceUnask, n.service.ID),
			by.Catalogues.RevokeClassificationLink(t.Context(), n.scope, n.service.ID, link.ID)
	}},
	{(*catalogues.Changes).ClassifyByLink, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n.askToClassify(t, "Maria@silva.example", "text")
		return append(each(audit.ServiceClassify, n.service.ID), each(audit.ServiceAnswer, n.service.ID)...),
			by.Catalogues.ClassifyByLink(t.Context(), "text", usualClassification(), "")
	}},
	{(*catalogues.Changes).TaxService, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		return each(audit.ServiceTax, n.service.ID), by.Catalogues.TaxService(t.Context(), n.scope, n.service.ID,
			nfse.ServiceTaxation{Withholding: &nfse.Withholding{IRRF: 1_50}}, "")
	}},
	{"Works.Add", func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		added, err := catalogues.Works.Add(t.Context(), by.Catalogues, n.scope, nfse.Work{Name: "Casa de Maria da Silva"})
		return each(audit.WorkCreate, added.ID), err
	}},
	{"Works.Set", func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		work, err := catalogues.Works.Add(t.Context(), n.Changes().Catalogues, n.scope, nfse.Work{Name: "Casa"})
		must(t, err)
		return each(audit.WorkSet, work.ID),
			catalogues.Works.Set(t.Context(), by.Catalogues, n.scope, work.ID, nfse.Work{Name: "Casa de Maria da Silva"}, "")
	}},
	{"Works.Close", func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		work, err := catalogues.Works.Add(t.Context(), n.Changes().Catalogues, n.scope, nfse.Work{Name: "Casa"})
		must(t, err)
		return each(audit.WorkClose, work.ID), catalogues.Works.Close(t.Context(), by.Catalogues, n.scope, work.ID)
	}},
	{(*books.Changes).MakeArchive, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		err := by.Books.MakeArchive(t.Context(), n.scope, "2026-10")
		return each(audit.ArchiveMake, n.Text(t, `SELECT id FROM month_archives`)), err
	}},
	{(*archive.Changes).RestoreMonth, func(t *testing.T, _ tenancy, by *store.Changes) ([]audited, error) {
		_, err := by.Archive.RestoreMonth(t.Context(), "2026-01")
		return each(audit.DocumentsRestore, "2026-01"), err
	}},
	{(*books.Changes).DownloadArchive, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		archive := books.Archive{ID: "zip_1", Scope: n.scope, Month: "2026-10"}
		return each(audit.ArchiveDownload, archive.ID), by.Books.DownloadArchive(t.Context(), archive, false)
	}},
	{"CulturalEvents.Add", func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		added, err := catalogues.CulturalEvents.Add(t.Context(), by.Catalogues, n.scope,
			nfse.CulturalEvent{Name: "Festa de Maria da Silva"})
		return each(audit.CulturalEventCreate, added.ID), err
	}},
	{"CulturalEvents.Set", func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		event, err := catalogues.CulturalEvents.Add(t.Context(), n.Changes().Catalogues, n.scope,
			nfse.CulturalEvent{Name: "Festa"})
		must(t, err)
		return each(audit.CulturalEventSet, event.ID), catalogues.CulturalEvents.Set(t.Context(), by.Catalogues, n.scope,
			event.ID, nfse.CulturalEvent{Name: "Festa de Maria da Silva"}, "")
	}},
	{"CulturalEvents.Close", func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		event, err := catalogues.CulturalEvents.Add(t.Context(), n.Changes().Catalogues, n.scope,
			nfse.CulturalEvent{Name: "Festa"})
		must(t, err)
		return each(audit.CulturalEventClose, event.ID),
			catalogues.CulturalEvents.Close(t.Context(), by.Catalogues, n.scope, event.ID)
	}},
	{(*catalogues.Changes).TaxCustomer, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		customer, _, err := n.Store.Catalogues.SyncCustomer(t.Context(), n.scope, person, named("Maria"))
		must(t, err)
		id := customer.ID
		return each(audit.CustomerTax, id), by.Catalogues.TaxCustomer(t.Context(), n.scope, id,
			nfse.CustomerTaxation{Simples: true}, "")
	}},
	{(*catalogues.Changes).ImportClassification, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		err := by.Catalogues.ImportClassification(t.Context(), []catalogues.ClassificationEdition{edition("nbs",
			"2027-01-01", "1")})
		return each(audit.ClassificationImport, n.Text(t, `SELECT id FROM classification_editions`)), err
	}},
	{(*companies.Changes).ImportCityTable, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		err := by.Companies.ImportCityTable(t.Context(), companies.CityTable{SourceName: "cities.tsv",
			SourceSHA256: strings.Repeat("0", 64), Content: "rows"})
		return each(audit.CityImport, n.Text(t, `SELECT id FROM city_tables`)), err
	}},
	{(*companies.Changes).RefreshCity, func(t *testing.T, _ tenancy, by *store.Changes) ([]audited, error) {
		key := companies.CityKey{Authority: "national", MunicipalityCode: "3550308"}
		return each(audit.CityRefresh, "3550308"), by.Companies.RefreshCity(t.Context(), key)
	}},
	{(*operate.Changes).KeysetRotated, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		return each(audit.KeysetRotate, "keyset"), by.Operate.KeysetRotated(t.Context(), operate.KeyIDs{1},
			operate.KeyIDs{1, 2}, "added the key 2")
	}},
	{(*audit.Changes).PruneLog, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n.auditedAt(t, time.Now().AddDate(-2, 0, 0))
		_, err := by.Audit.PruneLog(t.Context(), 366*24*time.Hour, 10)
		return each(audit.Prune, "audit_log"), err
	}},
}

var secretKey = nfse.NewAPIKeyText(false)

// named is the change of a customer's name.
func named(name string) func(*nfse.Customer) error {
	return func(customer *nfse.Customer) error {
		customer.Name = name
		return nil
	}
}

func (n tenancy) newEndpoint() webhooks.Endpoint {
	return webhooks.Endpoint{ID: nfse.NewID(nfse.PrefixEndpoint), Scope: n.scope,
		URL: "https://hooks.example.com:8443/T0/secret-path?token=secret-token", Secret: []byte("sealed secret 1")}
}

func (n tenancy) addEndpoint(t *testing.T) (id string) {
	t.Helper()
	created, err := n.Changes().Webhooks.CreateEndpoint(t.Context(), n.newEndpoint())
	must(t, err)
	return created.ID
}

// personal is the certificate of a person.
func (n tenancy) personal() companies.Certificate {
	certificate := n.certificate("MARIA DA SILVA:"+string(person), 100)
	certificate.TaxID = person
	return certificate
}

func (n tenancy) takerOf(t *testing.T, customerID string) nfse.TaxID {
	t.Helper()
	return nfse.TaxID(n.Text(t, `SELECT tax_id FROM customers WHERE id = $1`, customerID))
}

// auditedAt adds an entry of the past.
func (n tenancy) auditedAt(t *testing.T, at time.Time) (id string) {
	t.Helper()
	id = nfse.NewID(nfse.PrefixAuditEntry)
	n.Exec(t, `INSERT INTO audit_log (id, at, actor_kind, actor_id, actor_from, request_id, action, subject_id)
		VALUES ($1, $2, 'command', 'operator', 'host', '', 'key.revoke', 'key_1')`, id, at)
	return id
}

// personalIssuer is a person who issues.
func (n tenancy) personalIssuer() nfse.IssuerKey {
	return nfse.IssuerKey{Authority: "national", Production: true, TaxID: person}
}

// auditLog reads everything, newest first.
func (n tenancy) auditLog(t *testing.T, filter audit.Filter) []audit.Entry {
	t.Helper()
	filter.Limit = 1000
	entries, more, err := n.Store.Audit.Log(t.Context(), filter)
	must(t, err)
	if more {
		t.Fatal("there are more")
	}
	return entries
}

// Every change that there is leaves an entry in its transaction: who, when, from
// where and what, without secrets and without personal data. A new method of
// Changes, or of a register, has no test until it is in the list.
func TestChanges_EachIsAudited(t *testing.T) {
	listed := map[any]change{}
	for _, one := range slices.Concat(changes, peoplesChanges) {
		key := one.method
		if code := reflect.ValueOf(key); code.Kind() == reflect.Func {
			key = code.Pointer()
		}
		if _, twice := listed[key]; twice {
			t.Errorf("%T %v is tested twice", one.method, key)
		}
		listed[key] = one
	}
	actor := nfse.Actor{Kind: nfse.ActorUser, ID: "usr_1", From: "2001:db8::7", RequestID: "req_1"}
	tested := func(name string, key any) {
		change, ok := listed[key]
		if !ok {
			t.Errorf("%s is not tested to leave an entry in the audit log", name)
			return
		}
		delete(listed, key)
		t.Run(name, func(t *testing.T) {
			tenant := newTenant(t)
			began := time.Now().Add(-time.Minute)
			expected, err := change.make(t, tenant, tenant.Store.By(actor))
			must(t, err)
			var left []audited
			for _, entry := range tenant.auditLog(t, audit.Filter{ActorID: "usr_1"}) {
				left = append(left, audited{entry.Action, entry.SubjectID})
				if !slices.Contains(audit.Actions, entry.Action) || entry.Actor != actor ||
					entry.At.Before(began) {
					t.Errorf("the entry is %+v", entry)
				}
			}
			if !slices.Equal(sortAudited(left), sortAudited(expected)) {
				t.Errorf("it leaves %v, expected %v", left, expected)
			}
			// Without the moment, whose digits are any.
			everything := tenant.Text(t, `SELECT string_agg((to_jsonb(audit_log) - 'at')::text, ' ') FROM audit_log`)
			for _, secret := range []string{
				secretKey, secretKey[len("svc_test_"):], "sealed", "secret-path", "secret-token",
				string(person), "529982", "Silva", "SILVA", "Maria",
			} {
				if strings.Contains(everything, secret) {
					t.Errorf("%q is in %s", secret, everything)
				}
			}
		})
	}
	author := reflect.TypeFor[*audit.Author]()
	for room := range reflect.TypeFor[store.Changes]().Fields() {
		for method := range room.Type.Methods() {
			if _, promoted := author.MethodByName(method.Name); !promoted {
				tested(room.Name+"."+method.Name, method.Func.Pointer())
			}
		}
	}
	for name, register := range map[string]reflect.Type{
		"Works": reflect.TypeOf(catalogues.Works), "CulturalEvents": reflect.TypeOf(catalogues.CulturalEvents),
	} {
		for method := range register.Methods() {
			if slices.Contains(slices.Collect(method.Type.Ins()), reflect.TypeFor[*catalogues.Changes]()) {
				tested(name+"."+method.Name, name+"."+method.Name)
			}
		}
	}
	for _, other := range listed {
		t.Errorf("%T %[1]v is no method of Changes or of a register", other.method)
	}
}

// sortAudited gives entries an order, since those of one moment have none.
func sortAudited(entries []audited) []audited {
	slices.SortFunc(entries, func(a, b audited) int {
		return cmp.Or(cmp.Compare(a.action, b.action), cmp.Compare(a.subject, b.subject))
	})
	return entries
}

// Who is nobody changes nothing: the entry is refused, and the change with it.
func TestChanges_NeedAnActor(t *testing.T) {
	tenant := newTenant(t)
	for _, nobody := range []nfse.Actor{
		{}, {Kind: nfse.ActorCommand, From: "host"}, {Kind: nfse.ActorCommand, ID: "root"}, {ID: "root", From: "host"},
		{Kind: "robot", ID: "1", From: "host"},
	} {
		by := tenant.Store.By(nobody)
		if _, err := by.Access.RevokeAPIKey(t.Context(), tenant.key.ID); pq.As(err, pqerror.CheckViolation) == nil {
			t.Errorf("%+v is answered %v", nobody, err)
		}
	}
	if n := tenant.Count(t, `SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL`); n != 0 {
		t.Error("the key is revoked all the same")
	}
}

func TestAuditLog_BeforeAndAfter(t *testing.T) {
	tenant := newTenant(t)
	must(t, second(tenant.Changes().Access.SetAPIKey(t.Context(), tenant.key.ID, func(key *nfse.APIKey) error {
		key.Label, key.AllowedNetworks = "loja", nfse.Networks{netip.MustParsePrefix("203.0.113.0/24")}
		return nil
	})))
	entry := tenant.auditLog(t, audit.Filter{Action: "key.set"})[0]
	var before, after map[string]any
	must(t, json.Unmarshal(entry.Before, &before))
	must(t, json.Unmarshal(entry.After, &after))
	if before["label"] != "test" || after["label"] != "loja" || fmt.Sprint(before["allowed_networks"]) != "[]" ||
		fmt.Sprint(after["allowed_networks"]) != "[203.0.113.0/24]" || before["revoked_at"] != nil {
		t.Errorf("before is %s, after is %s", entry.Before, entry.After)
	}
	if *entry.OrganizationID != tenant.scope.OrganizationID || *entry.Livemode {
		t.Errorf("the entry is of %v, %v", *entry.OrganizationID, *entry.Livemode)
	}
	created := tenant.auditLog(t, audit.Filter{Action: "key.create"})[0]
	if string(created.Before) != "null" || !strings.Contains(string(created.After), `"label": "test"`) {
		t.Errorf("before a creation there was %s, and after it %s", created.Before, created.After)
	}
	// A change that is refused is none.
	must(t, second(tenant.Changes().Access.RevokeAPIKey(t.Context(), tenant.key.ID)))
	_, err := tenant.Changes().Access.SetAPIKey(t.Context(), tenant.key.ID, func(*nfse.APIKey) error { return nil })
	if !nfse.IsCode(err, nfse.CodeInvalidRequest) ||
		len(tenant.auditLog(t, audit.Filter{Action: "key.set"})) != 1 {
		t.Errorf("setting a revoked key is answered %v", err)
	}
}

func TestAuditLog_Filters(t *testing.T) {
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, true)
	must(t, second(tenant.Store.By(nfse.Actor{Kind: nfse.ActorUser, ID: "usr_1", From: "::1"}).
		Access.RevokeAPIKey(t.Context(), tenant.key.ID)))
	old := tenant.auditedAt(t, time.Now().AddDate(0, 0, -3))
	organization := tenant.scope.OrganizationID
	for name, expected := range map[string]struct {
		filter audit.Filter
		count  int
	}{
		"all":                    {audit.Filter{}, 6},
		"an organization":        {audit.Filter{OrganizationID: organization}, 3},
		"another":                {audit.Filter{OrganizationID: other.scope.OrganizationID}, 2},
		"an actor":               {audit.Filter{ActorID: "usr_1"}, 1},
		"a kind of actions":      {audit.Filter{Action: "key"}, 4},
		"an action":              {audit.Filter{Action: "key.create"}, 2},
		"part of an action":      {audit.Filter{Action: "key.cre"}, 0},
		"a subject":              {audit.Filter{SubjectID: tenant.key.ID}, 2},
		"since":                  {audit.Filter{Since: time.Now().AddDate(0, 0, -1)}, 5},
		"until":                  {audit.Filter{Until: time.Now().AddDate(0, 0, -1)}, 1},
		"two of them":            {audit.Filter{OrganizationID: organization, Action: "key.revoke"}, 1},
		"nothing":                {audit.Filter{OrganizationID: "org_x"}, 0},
		"the end of another day": {audit.Filter{Until: time.Now().AddDate(0, 0, -4)}, 0},
	} {
		if entries := tenant.auditLog(t, expected.filter); len(entries) != expected.count {
			t.Errorf("%s finds %d, expected %d", name, len(entries), expected.count)
		}
	}
	page, more, err := tenant.Store.Audit.Log(t.Context(), audit.Filter{Page: postgres.Page{Limit: 5}})
	if err != nil || !more || len(page) != 5 || page[0].ID != old {
		t.Fatalf("the first page is %+v, %v, %v", page, more, err)
	}
	rest, more, err := tenant.Store.Audit.Log(t.Context(),
		audit.Filter{Page: postgres.Page{Limit: 5, After: page[4].ID}})
	if err != nil || more || len(rest) != 1 || rest[0].ID >= page[4].ID {
		t.Errorf("the rest is %+v, %v, %v", rest, more, err)
	}
}

func TestAuditLog_AppendOnly(t *testing.T) {
	tenant := newTenant(t)
	old := tenant.auditedAt(t, time.Now().AddDate(-1, 0, -2))
	tenant.auditedAt(t, time.Now().AddDate(0, -11, 0))
	for statement, code := range map[string]pqerror.Code{
		`UPDATE audit_log SET actor_id = 'somebody else'`:                      pqerror.RestrictViolation,
		`UPDATE audit_log SET at = '2000-01-01' WHERE subject_id = 'key_1'`:    pqerror.RestrictViolation,
		`DELETE FROM audit_log`:                                                pqerror.RestrictViolation,
		`DELETE FROM audit_log WHERE at > now() - interval '11 months 2 days'`: pqerror.RestrictViolation,
		`TRUNCATE audit_log`:                                                   pqerror.RestrictViolation,
	} {
		if _, err := tenant.SQL.Exec(statement); pq.As(err, code) == nil {
			t.Errorf("%s is answered %v", statement, err)
		}
	}
	// Only the table's owner may delete, no matter what was granted to others.
	role := "auditor_" + strings.TrimPrefix(nfse.NewID(nfse.PrefixRequest), "req_")
	tenant.Exec(t, `CREATE ROLE `+role)
	t.Cleanup(func() {
		tenant.Exec(t, `DROP OWNED BY `+role)
		tenant.Exec(t, `DROP ROLE `+role)
	})
	tenant.Exec(t, `GRANT SELECT, DELETE ON audit_log TO `+role)
	tx := begun(t, tenant.Database)
	_, err := tx.Exec(`SET LOCAL ROLE ` + role)
	must(t, err)
	if _, err := tx.Exec(`DELETE FROM audit_log WHERE id = $1`, old); pq.As(err, pqerror.InsufficientPrivilege) == nil {
		t.Errorf("a role that does not own the table deletes: %v", err)
	}
	must(t, tx.Rollback())

	pruned, err := tenant.Changes().Audit.PruneLog(t.Context(), 366*24*time.Hour, 10)
	if err != nil || pruned != 1 {
		t.Errorf("%d are pruned, %v", pruned, err)
	}
	if n := tenant.Count(t, `SELECT count(*) FROM audit_log WHERE id = $1`, old); n != 0 {
		t.Error("the old entry is still there")
	}
	if again, err := tenant.Changes().Audit.PruneLog(t.Context(), 366*24*time.Hour, 10); err != nil || again != 0 ||
		len(tenant.auditLog(t, audit.Filter{Action: "audit.prune"})) != 1 {
		t.Errorf("pruned again are %d, %v", again, err)
	}
}

func TestAPIKey_Limits(t *testing.T) {
	tenant := newTenant(t)
	for name, limit := range map[string]struct {
		key     nfse.APIKey
		from    string
		refusal string
	}{
		"none":            {nfse.APIKey{}, "203.0.113.7", ""},
		"not expired":     {nfse.APIKey{ExpiresAt: in(time.Hour)}, "203.0.113.7", ""},
		"expired":         {nfse.APIKey{ExpiresAt: in(-time.Second)}, "203.0.113.7", "the key has expired"},
		"inside":          {nfse.APIKey{AllowedNetworks: networks("10.0.0.0/8", "203.0.113.0/24")}, "203.0.113.7", ""},
		"one address":     {nfse.APIKey{AllowedNetworks: networks("203.0.113.7")}, "203.0.113.7", ""},
		"mapped":          {nfse.APIKey{AllowedNetworks: networks("203.0.113.7")}, "::ffff:203.0.113.7", ""},
		"inside of IPv6":  {nfse.APIKey{AllowedNetworks: networks("2001:db8::/48")}, "2001:db8:0:1::7", ""},
		"with a zone":     {nfse.APIKey{AllowedNetworks: networks("fe80::/10")}, "fe80::1%eth0", ""},
		"outside":         {nfse.APIKey{AllowedNetworks: networks("203.0.113.0/24")}, "203.0.114.7", notAllowed},
		"outside of IPv6": {nfse.APIKey{AllowedNetworks: networks("2001:db8::/48")}, "2001:db8:1::7", notAllowed},
		"the other kind":  {nfse.APIKey{AllowedNetworks: networks("0.0.0.0/0")}, "2001:db8::7", notAllowed},
		"no address":      {nfse.APIKey{AllowedNetworks: networks("0.0.0.0/0", "::/0")}, "", notAllowed},
	} {
		text := nfse.NewAPIKeyText(false)
		limit.key.Scope = tenant.scope
		created, err := tenant.Changes().Access.CreateAPIKey(t.Context(), limit.key, text)
		must(t, err)
		from, _ := netip.ParseAddr(limit.from)
		found, err := tenant.Store.Access.APIKey(t.Context(), text, from)
		if !reflect.DeepEqual(found, created) || found.Refusal(from, time.Now()) != limit.refusal ||
			nfse.IsCode(err, nfse.CodeInvalidAPIKey) != (limit.refusal != "") {
			t.Errorf("%s: %+v, %q, %v", name, found, found.Refusal(from, time.Now()), err)
		}
	}
}

const notAllowed = "the key is not allowed from this address"

func in(d time.Duration) *nfse.Timestamp {
	return &nfse.Timestamp{Time: time.Now().Add(d)}
}

func networks(texts ...string) (networks nfse.Networks) {
	for _, text := range texts {
		network, err := nfse.ParseNetwork(text)
		if err != nil {
			panic(err)
		}
		networks = append(networks, network)
	}
	return networks
}

func TestAPIKey_LastUsed(t *testing.T) {
	tenant := newTenant(t)
	unused := addTenant(t, tenant.Database, false).key
	must(t, tenant.Store.Access.APIKeysUsed(t.Context(), []string{tenant.key.ID, "key_unknown"}))
	used := tenant.Text(t, `SELECT last_used_at::text FROM api_keys WHERE id = $1`, tenant.key.ID)
	must(t, tenant.Store.Access.APIKeysUsed(t.Context(), []string{tenant.key.ID}))
	if again := tenant.Text(t, `SELECT last_used_at::text FROM api_keys WHERE id = $1`, tenant.key.ID); again != used {
		t.Error("it is written again within a minute")
	}
	if n := tenant.Count(t, `SELECT count(*) FROM api_keys WHERE id = $1 AND last_used_at IS NULL`, unused.ID); n != 1 {
		t.Error("a key that was not used has a last use")
	}
	// A change that holds one key does not delay what is written about others.
	tx := begun(t, tenant.Database)
	_, err := tx.Exec(`SELECT FROM api_keys WHERE id = $1 FOR UPDATE`, tenant.key.ID)
	must(t, err)
	must(t, tenant.Store.Access.APIKeysUsed(t.Context(), []string{tenant.key.ID, unused.ID}))
	if n := tenant.Count(t, `SELECT count(*) FROM api_keys WHERE last_used_at IS NOT NULL`); n != 2 {
		t.Errorf("%d keys have a last use", n)
	}
}
