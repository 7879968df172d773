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
)

// person is a CPF: nothing of it may be in the audit log but its last two digits.
const person nfse.TaxID = "52998224725"

// audited is what an entry of the audit log is about.
type audited struct {
	action  store.AuditAction
	subject string
}

func each(action store.AuditAction, subjects ...string) (entries []audited) {
	for _, subject := range subjects {
		entries = append(entries, audited{action, subject})
	}
	return entries
}

// change makes a change, with what it needs, and says which entries it leaves.
type change struct {
	method any // of store.Changes
	make   func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error)
}

var changes = []change{
	{(*store.Changes).CreateOrganization, func(t *testing.T, _ tenancy, by *store.Changes) ([]audited, error) {
		created, err := by.CreateOrganization(t.Context(), "João da Silva")
		return each(store.AuditOrganizationCreate, created.ID), err
	}},
	{(*store.Changes).RenameOrganization, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		must(t, by.RenameOrganization(t.Context(), n.scope.OrganizationID, "Maria da Silva"))
		err := by.RenameOrganization(t.Context(), n.scope.OrganizationID, "Maria da Silva") // it has that name already
		return each(store.AuditOrganizationRename, n.scope.OrganizationID), err
	}},
	{(*store.Changes).SetAlert, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n.Exec(t, `INSERT INTO users (id, email) VALUES ('usr_1', 'x@example.com')`)
		err := by.SetAlert(t.Context(), n.scope.OrganizationID, store.AlertHeld, store.AlertDaily)
		return each(store.AuditAlertSet, "usr_1"), err
	}},
	{(*store.Changes).SetEmailTemplate, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		to := store.EmailTemplate{Portuguese: "Olá, {customer}", Logo: []byte("png")}
		must(t, by.SetEmailTemplate(t.Context(), n.scope.OrganizationID, to, store.EmailTemplate{}.Version()))
		must(t, by.SetEmailTemplate(t.Context(), n.scope.OrganizationID, to, to.Version())) // nothing changes
		err := by.SetEmailTemplate(t.Context(), n.scope.OrganizationID, store.EmailTemplate{}, "seen before")
		if !errors.Is(err, store.ErrChanged) {
			t.Errorf("another version: %v", err)
		}
		if kept, err := n.Store.EmailTemplate(t.Context(), n.scope.OrganizationID); err != nil || kept.Version() != to.Version() {
			t.Errorf("kept is %+v, %v", kept, err)
		}
		return each(store.AuditEmailTemplate, n.scope.OrganizationID), nil
	}},
	{(*store.Changes).CreateAPIKey, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		created, err := by.CreateAPIKey(t.Context(), nfse.APIKey{Scope: n.scope, Label: "loja"}, secretKey)
		return each(store.AuditKeyCreate, created.ID), err
	}},
	{(*store.Changes).SetAPIKey, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		key, err := by.SetAPIKey(t.Context(), n.key.ID, func(key *nfse.APIKey) error {
			key.AllowedNetworks = nfse.Networks{netip.MustParsePrefix("2001:db8::/48")}
			return nil
		})
		return each(store.AuditKeySet, key.ID), err
	}},
	{(*store.Changes).RevokeAPIKey, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		key, err := by.RevokeAPIKey(t.Context(), n.key.ID)
		return each(store.AuditKeyRevoke, key.ID), err
	}},
	{(*store.Changes).ExportCustomer, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		customerID := n.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, n.accept(t, "order"))
		err := by.ExportCustomer(t.Context(), n.scope.OrganizationID, n.takerOf(t, customerID),
			func([]store.RecordedCustomer) error { return nil }, func(store.ExportedNote) error { return nil },
			func(store.ExportedReceived) error { return nil })
		return each(store.AuditCustomerExport, customerID), err
	}},
	// Its notes, in batches, and its row.
	{(*store.Changes).EraseCustomer, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.begin(t, "order")
		customerID := n.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, id)
		must(t, second(n.settleIssued(t, n.Store, id)))
		_, err := by.EraseCustomer(t.Context(), n.scope.OrganizationID, n.takerOf(t, customerID), true)
		return each(store.AuditCustomerErase, customerID, customerID), err
	}},
	{(*store.Changes).CreateEndpoint, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		created, err := by.CreateEndpoint(t.Context(), n.newEndpoint())
		return each(store.AuditWebhookAdd, created.ID), err
	}},
	{(*store.Changes).Listen, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		endpoint := n.newEndpoint()
		key := nfse.APIKey{ID: n.Text(t, `SELECT id FROM api_keys WHERE NOT livemode LIMIT 1`), Scope: nfse.Scope{
			OrganizationID: n.scope.OrganizationID}}
		return each(store.AuditWebhookListen, endpoint.ID), by.Listen(t.Context(), key, endpoint)
	}},
	{(*store.Changes).SetEndpoint, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addEndpoint(t)
		_, err := by.SetEndpoint(t.Context(), id, "https://other.example.com", []string{"nfse.issued"}, nil)
		return each(store.AuditWebhookSet, id), err
	}},
	{(*store.Changes).RotateSecret, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addEndpoint(t)
		_, err := by.RotateSecret(t.Context(), id, []byte("sealed secret 2"), false)
		return each(store.AuditWebhookRotate, id), err
	}},
	{(*store.Changes).DisableEndpoint, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addEndpoint(t)
		_, err := by.DisableEndpoint(t.Context(), id, fact.InWords("a test"))
		return each(store.AuditWebhookDisable, id), err
	}},
	{(*store.Changes).EnableEndpoint, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addEndpoint(t)
		_, err := by.EnableEndpoint(t.Context(), id)
		return each(store.AuditWebhookEnable, id), err
	}},
	{(*store.Changes).DeleteEndpoint, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addEndpoint(t)
		_, err := by.DeleteEndpoint(t.Context(), id)
		return each(store.AuditWebhookRemove, id), err
	}},
	{(*store.Changes).AddCertificate, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		added, err := by.AddCertificate(t.Context(), n.personal())
		return each(store.AuditCertificateAdd, added.ID), err
	}},
	{(*store.Changes).RetryCertificate, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addCertificate(t, n.personal()).ID
		_, err := by.RetryCertificate(t.Context(), n.scope.OrganizationID, id)
		return each(store.AuditCertificateRetry, id), err
	}},
	{(*store.Changes).RemoveCertificate, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.addCertificate(t, n.personal()).ID
		_, err := by.RemoveCertificate(t.Context(), n.scope.OrganizationID, id)
		return each(store.AuditCertificateRemove, id), err
	}},
	{(*store.Changes).SetFiscalProfile, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		must(t, n.Changes().SetFiscalProfile(t.Context(), n.profile()))
		profile := n.profile()
		profile.TaxID = person
		return each(store.AuditFiscalProfileSet, n.scope.OrganizationID), by.SetFiscalProfile(t.Context(), profile)
	}},
	{(*store.Changes).ReplaceFiscalProfile, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		must(t, n.Changes().ReplaceFiscalProfile(t.Context(), n.profile(), store.NoFiscalProfile))
		profile := n.profile()
		profile.TaxID = person
		err := n.Changes().ReplaceFiscalProfile(t.Context(), profile, nfse.VersionOf(profile))
		if !errors.Is(err, store.ErrChanged) {
			t.Errorf("another version: %v", err)
		}
		err = by.ReplaceFiscalProfile(t.Context(), profile, nfse.VersionOf(n.profile()))
		return each(store.AuditFiscalProfileSet, n.scope.OrganizationID), err
	}},
	{(*store.Changes).CreateService, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		service, err := by.CreateService(t.Context(), n.scope, n.service)
		return each(store.AuditServiceCreate, service.ID), err
	}},
	{(*store.Changes).UpdateService, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		_, err := by.UpdateService(t.Context(), n.scope, n.service.ID, func(service *nfse.Service) error {
			service.Active = false
			return nil
		})
		must(t, err)
		_, err = by.UpdateService(t.Context(), n.scope, n.service.ID, func(*nfse.Service) error { return nil })
		return each(store.AuditServiceSet, n.service.ID), err // of the first: the second changes nothing
	}},
	{(*store.Changes).SyncCustomer, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		customer, _, err := by.SyncCustomer(t.Context(), n.scope, person, named("Maria da Silva"))
		return each(store.AuditCustomerCreate, customer.ID), err
	}},
	{(*store.Changes).UpdateCustomer, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		customer, _, err := n.Store.SyncCustomer(t.Context(), n.scope, person, named("Maria"))
		must(t, err)
		_, err = by.UpdateCustomer(t.Context(), n.scope, customer.ID, named("Maria da Silva"))
		return each(store.AuditCustomerSet, customer.ID), err
	}},
	{(*store.Changes).SetNextNumber, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		profile := n.profile()
		profile.TaxID = person
		n.ClaimIssuer(t, profile)
		err := by.SetNextNumber(t.Context(), profile, 500)
		return each(store.AuditSeriesNextNumber, n.scope.OrganizationID), err
	}},
	{(*store.Changes).ReleaseSeries, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		profile := n.profile()
		profile.MunicipalRegistration = nil
		n.Exec(t, `INSERT INTO fiscal_series (authority, production, tax_id, municipality_code, series, registration,
			held_reason)
			VALUES ($1, $2, $3, $4, $5, '', $6)`, profile.Authority, profile.Production, string(profile.TaxID),
			profile.MunicipalityCode, profile.Series, fact.InWords("somebody else uses it"))
		n.ClaimIssuer(t, profile)
		err := by.ReleaseSeries(t.Context(), profile.OrganizationID, profile.SeriesKey())
		return each(store.AuditSeriesRelease, n.scope.OrganizationID), err
	}},
	{(*store.Changes).BeginRecovery, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		_, err := by.BeginRecovery(t.Context())
		return each(store.AuditRecoveryBegin, "all"), err
	}},
	{(*store.Changes).LeaveDocument, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n.foundUnder(t, 7)
		err := by.LeaveDocument(t.Context(), n.scope.OrganizationID, n.issuer().SeriesKey(), 7)
		return each(store.AuditRecoveryLeave, n.scope.OrganizationID), err
	}},
	{(*store.Changes).TakeOverDocument, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n = addTenant(t, n.Database, true)
		n.foundUnder(t, 8)
		n.SetProfile(t, n.issuer())
		err := by.TakeOverDocument(t.Context(), n.scope.OrganizationID, n.issuer().SeriesKey(), 8, n.begin(t, "its own"))
		return each(store.AuditRecoveryTakeOver, n.scope.OrganizationID), err
	}},
	{(*store.Changes).ReplaceNextNumber, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		profile := n.profile()
		profile.TaxID = person
		n.ClaimIssuer(t, profile)
		err := by.ReplaceNextNumber(t.Context(), profile, 1, 500)
		return each(store.AuditSeriesNextNumber, n.scope.OrganizationID), err
	}},
	{(*store.Changes).ClaimTaxID, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		issuer := n.personalIssuer()
		must(t, by.ClaimTaxID(t.Context(), n.scope.OrganizationID, issuer))
		err := by.ClaimTaxID(t.Context(), n.scope.OrganizationID, issuer) // which changes nothing
		return each(store.AuditTaxIDClaim, n.scope.OrganizationID), err
	}},
	{(*store.Changes).AllowTaxID, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		_, err := by.AllowTaxID(t.Context(), n.scope.OrganizationID, n.personalIssuer())
		return each(store.AuditTaxIDAllow, n.scope.OrganizationID), err
	}},
	{(*store.Changes).RevokeTaxID, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		must(t, n.Changes().ClaimTaxID(t.Context(), n.scope.OrganizationID, n.personalIssuer()))
		_, err := by.RevokeTaxID(t.Context(), n.scope.OrganizationID, n.personalIssuer())
		return each(store.AuditTaxIDRevoke, n.scope.OrganizationID), err
	}},
	{(*store.Changes).RescanEvents, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		profile := n.profile()
		n.SetProfile(t, profile)
		must(t, second(n.Store.StartDistributions(t.Context(),
			[]store.ServedEnvironment{{Authority: profile.Authority, Production: profile.Production}})))
		rescanned, err := by.RescanEvents(t.Context(), n.scope.OrganizationID)
		return each(store.AuditEventsRescan, rescanned[0].ID), err
	}},
	{(*store.Changes).ReadReceivedAgain, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		profile := n.profile()
		n.SetProfile(t, profile)
		must(t, second(n.Store.StartDistributions(t.Context(),
			[]store.ServedEnvironment{{Authority: profile.Authority, Production: profile.Production}})))
		reread, err := by.ReadReceivedAgain(t.Context(), n.scope.OrganizationID, 7)
		return each(store.AuditReceivedReadAgain, reread[0].ID), err
	}},
	{(*store.Changes).RetryDeliveries, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		endpoint := n.addEndpoint(t)
		for _, reference := range []string{"a", "b"} {
			_, err := n.settleIssued(t, n.Store, n.begin(t, reference))
			must(t, err)
		}
		ids, err := by.RetryDeliveries(t.Context(), store.DeliveryFilter{EndpointID: endpoint, Limit: 10})
		if len(ids) != 2 {
			t.Errorf("%v are sent again", ids)
		}
		return each(store.AuditDeliveryRetry, ids...), err
	}},
	{(*store.Changes).RetryEmail, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t).withDefaults(t, nfse.Defaults{EmailCustomer: true})
		id := live.emailOf(t, live.issue(t, "order", "")).ID
		return each(store.AuditEmailRetry, id), by.RetryEmail(t.Context(), id)
	}},
	{(*store.Changes).EmailNote, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t).withDefaults(t, nfse.Defaults{EmailCustomer: true})
		note := live.issue(t, "order", "")
		_, err := by.EmailNote(t.Context(), live.scope, store.SentAgainTo{NoteID: note, Address: "a@example.com"})
		return each(store.AuditEmailNote, note), err
	}},
	{(*store.Changes).AcceptNote, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		accepted, _, err := by.AcceptNote(t.Context(), n.note("by hand"))
		return each(store.AuditNoteIssue, accepted.ID), err
	}},
	{(*store.Changes).CreateBatch, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id, _, err := by.CreateBatch(t.Context(), store.Batch{Scope: n.scope, Digest: "x"},
			[]store.BatchLine{{Line: 2}})
		return each(store.AuditBatchCheck, id), err
	}},
	{(*store.Changes).AcceptBatch, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id, _, err := by.CreateBatch(t.Context(), store.Batch{Scope: n.scope, Digest: "x"},
			[]store.BatchLine{{Line: 2}})
		must(t, err)
		_, err = by.AcceptBatch(t.Context(), n.scope, id, "2026-11", "2026-11-30", nfse.Defaults{})
		return append(each(store.AuditBatchCheck, id), each(store.AuditBatchAccept, id)...), err
	}},
	{(*store.Changes).DiscardBatch, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id, _, err := by.CreateBatch(t.Context(), store.Batch{Scope: n.scope, Digest: "x"},
			[]store.BatchLine{{Line: 2}})
		must(t, err)
		return append(each(store.AuditBatchCheck, id), each(store.AuditBatchDiscard, id)...),
			by.DiscardBatch(t.Context(), n.scope, id)
	}},
	{(*store.Changes).CreateRecurrence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := nfse.NewID(nfse.PrefixRecurrence)
		customer, terms := n.recurringCustomer(t), n.terms(t, 10)
		for range 2 { // of a form that is sent twice
			must(t, by.CreateRecurrence(t.Context(), n.scope, id, customer, terms, "2027-01-05"))
		}
		return each(store.AuditRecurrenceCreate, id), nil
	}},
	{(*store.Changes).SetRecurrence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		one, err := n.Store.Recurrence(t.Context(), n.scope, id)
		must(t, err)
		version := one.Version()
		one.AmountCents++
		return each(store.AuditRecurrenceSet, id),
			by.SetRecurrence(t.Context(), n.scope, id, version, one.RecurrenceTerms, "2027-01-05")
	}},
	{(*store.Changes).PauseRecurrence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		return each(store.AuditRecurrencePause, id), by.PauseRecurrence(t.Context(), n.scope, id)
	}},
	{(*store.Changes).ResumeRecurrence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		must(t, by.PauseRecurrence(t.Context(), n.scope, id))
		return append(each(store.AuditRecurrencePause, id), each(store.AuditRecurrenceResume, id)...),
			by.ResumeRecurrence(t.Context(), n.scope, id, "2027-01-05")
	}},
	{(*store.Changes).EndRecurrence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		return each(store.AuditRecurrenceEnd, id), by.EndRecurrence(t.Context(), n.scope, id)
	}},
	{(*store.Changes).SkipMonth, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		return each(store.AuditRecurrenceSkip, id), by.SkipMonth(t.Context(), n.scope, id, "2027-01")
	}},
	{(*store.Changes).IssueMonth, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		n.start(t, "2027-02-09")
		return each(store.AuditRecurrenceIssue, id), by.IssueMonth(t.Context(), n.scope, id+"-2027-01", "2027-02-09")
	}},
	{(*store.Changes).LeaveMonth, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.recurrence(t, 10, "2027-01-05", "")
		n.start(t, "2027-02-09")
		return each(store.AuditRecurrenceLeave, id), by.LeaveMonth(t.Context(), n.scope, id+"-2027-01")
	}},
	{(*store.Changes).RetryFailedEmails, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t).withDefaults(t, nfse.Defaults{EmailCustomer: true})
		id := live.emailOf(t, live.issue(t, "order", "")).ID
		live.Exec(t, `UPDATE emails SET status = 'failed', resolved_at = now() WHERE id = $1`, id)
		return each(store.AuditEmailRetry, id), second(by.RetryFailedEmails(t.Context(), live.scope, 10))
	}},
	{(*store.Changes).RedriveNote, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.begin(t, "order")
		return each(store.AuditNoteRedrive, id), by.RedriveNote(t.Context(), id)
	}},
	{(*store.Changes).RequestAnalysis, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t)
		id := live.begin(t, "order")
		live.RefuseByTerm(t, id)
		_, _, err := by.RequestAnalysis(t.Context(), live.scope, id, "req_x")
		return each(store.AuditNoteAnalysis, id), err
	}},
	{(*store.Changes).Replace, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t)
		id := live.begin(t, "order")
		live.RefuseByTerm(t, id)
		accepted, _, err := by.Replace(t.Context(), live.replacementOf(id, "order-2"))
		return append(each(store.AuditNoteIssue, accepted.ID), each(store.AuditNoteReplace, id)...), err
	}},
	{(*store.Changes).SetCompetence, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t)
		id, _ := live.refusedCompetence(t, "order")
		return each(store.AuditNoteCompetence, id), by.SetCompetence(t.Context(), live.scope, id, "2026-10-31")
	}},
	{(*store.Changes).RedriveHeldNotes, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		live := n.inLive(t)
		held := []string{live.hold(t, "a"), live.hold(t, "b")}
		redriven, err := by.RedriveHeldNotes(t.Context(), "")
		if redriven != 2 {
			t.Errorf("%d are redriven", redriven)
		}
		return each(store.AuditNoteRedrive, held...), err
	}},
	{(*store.Changes).RequestCancellation, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.begin(t, "order")
		request := store.NewCancellation{Key: n.key, RequestID: "req_1", ReasonCode: "1",
			ReasonText: "Maria da Silva desistiu"}
		_, _, err := by.RequestCancellation(t.Context(), id, request)
		if err == nil { // asked again it changes nothing
			_, _, err = by.RequestCancellation(t.Context(), id, request)
		}
		return each(store.AuditNoteCancel, id), err
	}},
	{(*store.Changes).ReplaceZipCodeRanges, func(t *testing.T, _ tenancy, by *store.Changes) ([]audited, error) {
		return each(store.AuditZipCodesImport, "zip_code_ranges"), by.ReplaceZipCodeRanges(t.Context(),
			[]store.ZipCodeRange{{Start: "01000000", End: "05999999", MunicipalityCode: "3550308"}})
	}},
	{(*store.Changes).ClassifyServices, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		other := tenantOf(t, n.Database, n.scope.OrganizationID, n.scope.Livemode).service.ID
		classification := usualClassification()
		classification.Property = &nfse.Property{Registration: new("529982"),
			Address: &nfse.PropertyAddress{Street: "Rua Maria da Silva"}}
		changed, err := by.ClassifyServices(t.Context(), n.scope, []store.ServiceClassification{
			{ServiceID: n.service.ID, Classification: classification},
			{ServiceID: other, Classification: classification},
		})
		if changed != 2 {
			t.Errorf("%d are classified", changed)
		}
		return each(store.AuditServiceClassify, n.service.ID, other), err
	}},
	{(*store.Changes).RemoveClassification, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n.classify(t, usualClassification())
		return each(store.AuditServiceUnclassify, n.service.ID),
			by.RemoveClassification(t.Context(), n.scope, n.service.ID)
	}},
	{(*store.Changes).TaxService, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		return each(store.AuditServiceTax, n.service.ID), by.TaxService(t.Context(), n.scope, n.service.ID,
			nfse.ServiceTaxation{Withholding: &nfse.Withholding{IRRF: 1_50}}, "")
	}},
	{(*store.Changes).AddWork, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		added, err := by.AddWork(t.Context(), n.scope, nfse.Work{Name: "Casa de Maria da Silva"})
		return each(store.AuditWorkCreate, added.ID), err
	}},
	{(*store.Changes).SetWork, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		work, err := n.Changes().AddWork(t.Context(), n.scope, nfse.Work{Name: "Casa"})
		must(t, err)
		return each(store.AuditWorkSet, work.ID),
			by.SetWork(t.Context(), n.scope, work.ID, nfse.Work{Name: "Casa de Maria da Silva"}, "")
	}},
	{(*store.Changes).CloseWork, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		work, err := n.Changes().AddWork(t.Context(), n.scope, nfse.Work{Name: "Casa"})
		must(t, err)
		return each(store.AuditWorkClose, work.ID), by.CloseWork(t.Context(), n.scope, work.ID)
	}},
	{(*store.Changes).MakeArchive, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		err := by.MakeArchive(t.Context(), n.scope, "2026-10")
		return each(store.AuditArchiveMake, n.Text(t, `SELECT id FROM month_archives`)), err
	}},
	{(*store.Changes).RestoreMonth, func(t *testing.T, _ tenancy, by *store.Changes) ([]audited, error) {
		_, err := by.RestoreMonth(t.Context(), "2026-01")
		return each(store.AuditDocumentsRestore, "2026-01"), err
	}},
	{(*store.Changes).DownloadArchive, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		archive := store.Archive{ID: "zip_1", Scope: n.scope, Month: "2026-10"}
		return each(store.AuditArchiveDownload, archive.ID), by.DownloadArchive(t.Context(), archive, false)
	}},
	{(*store.Changes).AddCulturalEvent, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		added, err := by.AddCulturalEvent(t.Context(), n.scope, nfse.CulturalEvent{Name: "Festa de Maria da Silva"})
		return each(store.AuditCulturalEventCreate, added.ID), err
	}},
	{(*store.Changes).SetCulturalEvent, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		event, err := n.Changes().AddCulturalEvent(t.Context(), n.scope, nfse.CulturalEvent{Name: "Festa"})
		must(t, err)
		return each(store.AuditCulturalEventSet, event.ID), by.SetCulturalEvent(t.Context(), n.scope, event.ID,
			nfse.CulturalEvent{Name: "Festa de Maria da Silva"}, "")
	}},
	{(*store.Changes).CloseCulturalEvent, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		event, err := n.Changes().AddCulturalEvent(t.Context(), n.scope, nfse.CulturalEvent{Name: "Festa"})
		must(t, err)
		return each(store.AuditCulturalEventClose, event.ID),
			by.CloseCulturalEvent(t.Context(), n.scope, event.ID)
	}},
	{(*store.Changes).TaxCustomer, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		customer, _, err := n.Store.SyncCustomer(t.Context(), n.scope, person, named("Maria"))
		must(t, err)
		id := customer.ID
		return each(store.AuditCustomerTax, id), by.TaxCustomer(t.Context(), n.scope, id,
			nfse.CustomerTaxation{Simples: true}, "")
	}},
	{(*store.Changes).ImportClassification, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		err := by.ImportClassification(t.Context(), []store.ClassificationEdition{edition("nbs", "2027-01-01", "1")})
		return each(store.AuditClassificationImport, n.Text(t, `SELECT id FROM classification_editions`)), err
	}},
	{(*store.Changes).ImportCityTable, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		err := by.ImportCityTable(t.Context(), store.CityTable{SourceName: "cities.tsv",
			SourceSHA256: strings.Repeat("0", 64), Content: "rows"})
		return each(store.AuditCityImport, n.Text(t, `SELECT id FROM city_tables`)), err
	}},
	{(*store.Changes).RefreshCity, func(t *testing.T, _ tenancy, by *store.Changes) ([]audited, error) {
		key := store.CityKey{Authority: "national", MunicipalityCode: "3550308"}
		return each(store.AuditCityRefresh, "3550308"), by.RefreshCity(t.Context(), key)
	}},
	{(*store.Changes).KeysetRotated, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		return each(store.AuditKeysetRotate, "keyset"), by.KeysetRotated(t.Context(), store.KeyIDs{1},
			store.KeyIDs{1, 2}, "added the key 2")
	}},
	{(*store.Changes).PruneAuditLog, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		n.auditedAt(t, time.Now().AddDate(-2, 0, 0))
		_, err := by.PruneAuditLog(t.Context(), 366*24*time.Hour, 10)
		return each(store.AuditLogPrune, "audit_log"), err
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

func (n tenancy) newEndpoint() store.Endpoint {
	return store.Endpoint{ID: nfse.NewID(nfse.PrefixEndpoint), Scope: n.scope,
		URL: "https://hooks.example.com:8443/T0/secret-path?token=secret-token", Secret: []byte("sealed secret 1")}
}

func (n tenancy) addEndpoint(t *testing.T) (id string) {
	t.Helper()
	created, err := n.Changes().CreateEndpoint(t.Context(), n.newEndpoint())
	must(t, err)
	return created.ID
}

// personal is the certificate of a person.
func (n tenancy) personal() store.Certificate {
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
func (n tenancy) auditLog(t *testing.T, filter store.AuditFilter) []store.AuditEntry {
	t.Helper()
	filter.Limit = 1000
	entries, more, err := n.Store.AuditLog(t.Context(), filter)
	must(t, err)
	if more {
		t.Fatal("there are more")
	}
	return entries
}

// Every change that there is leaves an entry in its transaction: who, when, from
// where and what, without secrets and without personal data. A new method of
// Changes has no test until it is in the list.
func TestChanges_EachIsAudited(t *testing.T) {
	listed := map[uintptr]change{}
	for _, one := range slices.Concat(changes, peoplesChanges) {
		code := reflect.ValueOf(one.method).Pointer()
		if _, twice := listed[code]; twice {
			t.Errorf("%T is tested twice", one.method)
		}
		listed[code] = one
	}
	actor := nfse.Actor{Kind: nfse.ActorUser, ID: "usr_1", From: "2001:db8::7", RequestID: "req_1"}
	methods := reflect.TypeFor[*store.Changes]()
	for i := range methods.NumMethod() {
		method := methods.Method(i)
		change, ok := listed[method.Func.Pointer()]
		if !ok {
			t.Errorf("%s is not tested to leave an entry in the audit log", method.Name)
			continue
		}
		delete(listed, method.Func.Pointer())
		t.Run(method.Name, func(t *testing.T) {
			tenant := newTenant(t)
			began := time.Now().Add(-time.Minute)
			expected, err := change.make(t, tenant, tenant.Store.By(actor))
			must(t, err)
			var left []audited
			for _, entry := range tenant.auditLog(t, store.AuditFilter{ActorID: "usr_1"}) {
				left = append(left, audited{entry.Action, entry.SubjectID})
				if !slices.Contains(store.AuditActions, entry.Action) || entry.Actor != actor ||
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
	for _, other := range listed {
		t.Errorf("%T is no method of Changes", other.method)
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
		if _, err := by.RevokeAPIKey(t.Context(), tenant.key.ID); pq.As(err, pqerror.CheckViolation) == nil {
			t.Errorf("%+v is answered %v", nobody, err)
		}
	}
	if n := tenant.Count(t, `SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL`); n != 0 {
		t.Error("the key is revoked all the same")
	}
}

func TestAuditLog_BeforeAndAfter(t *testing.T) {
	tenant := newTenant(t)
	must(t, second(tenant.Changes().SetAPIKey(t.Context(), tenant.key.ID, func(key *nfse.APIKey) error {
		key.Label, key.AllowedNetworks = "loja", nfse.Networks{netip.MustParsePrefix("203.0.113.0/24")}
		return nil
	})))
	entry := tenant.auditLog(t, store.AuditFilter{Action: "key.set"})[0]
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
	created := tenant.auditLog(t, store.AuditFilter{Action: "key.create"})[0]
	if string(created.Before) != "null" || !strings.Contains(string(created.After), `"label": "test"`) {
		t.Errorf("before a creation there was %s, and after it %s", created.Before, created.After)
	}
	// A change that is refused is none.
	must(t, second(tenant.Changes().RevokeAPIKey(t.Context(), tenant.key.ID)))
	_, err := tenant.Changes().SetAPIKey(t.Context(), tenant.key.ID, func(*nfse.APIKey) error { return nil })
	if !nfse.IsCode(err, nfse.CodeInvalidRequest) ||
		len(tenant.auditLog(t, store.AuditFilter{Action: "key.set"})) != 1 {
		t.Errorf("setting a revoked key is answered %v", err)
	}
}

func TestAuditLog_Filters(t *testing.T) {
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, true)
	must(t, second(tenant.Store.By(nfse.Actor{Kind: nfse.ActorUser, ID: "usr_1", From: "::1"}).
		RevokeAPIKey(t.Context(), tenant.key.ID)))
	old := tenant.auditedAt(t, time.Now().AddDate(0, 0, -3))
	organization := tenant.scope.OrganizationID
	for name, expected := range map[string]struct {
		filter store.AuditFilter
		count  int
	}{
		"all":                    {store.AuditFilter{}, 6},
		"an organization":        {store.AuditFilter{OrganizationID: organization}, 3},
		"another":                {store.AuditFilter{OrganizationID: other.scope.OrganizationID}, 2},
		"an actor":               {store.AuditFilter{ActorID: "usr_1"}, 1},
		"a kind of actions":      {store.AuditFilter{Action: "key"}, 4},
		"an action":              {store.AuditFilter{Action: "key.create"}, 2},
		"part of an action":      {store.AuditFilter{Action: "key.cre"}, 0},
		"a subject":              {store.AuditFilter{SubjectID: tenant.key.ID}, 2},
		"since":                  {store.AuditFilter{Since: time.Now().AddDate(0, 0, -1)}, 5},
		"until":                  {store.AuditFilter{Until: time.Now().AddDate(0, 0, -1)}, 1},
		"two of them":            {store.AuditFilter{OrganizationID: organization, Action: "key.revoke"}, 1},
		"nothing":                {store.AuditFilter{OrganizationID: "org_x"}, 0},
		"the end of another day": {store.AuditFilter{Until: time.Now().AddDate(0, 0, -4)}, 0},
	} {
		if entries := tenant.auditLog(t, expected.filter); len(entries) != expected.count {
			t.Errorf("%s finds %d, expected %d", name, len(entries), expected.count)
		}
	}
	page, more, err := tenant.Store.AuditLog(t.Context(), store.AuditFilter{Page: store.Page{Limit: 5}})
	if err != nil || !more || len(page) != 5 || page[0].ID != old {
		t.Fatalf("the first page is %+v, %v, %v", page, more, err)
	}
	rest, more, err := tenant.Store.AuditLog(t.Context(),
		store.AuditFilter{Page: store.Page{Limit: 5, After: page[4].ID}})
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
	// Only the owner may delete, whatever was granted.
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

	pruned, err := tenant.Changes().PruneAuditLog(t.Context(), 366*24*time.Hour, 10)
	if err != nil || pruned != 1 {
		t.Errorf("%d are pruned, %v", pruned, err)
	}
	if n := tenant.Count(t, `SELECT count(*) FROM audit_log WHERE id = $1`, old); n != 0 {
		t.Error("the old entry is still there")
	}
	if again, err := tenant.Changes().PruneAuditLog(t.Context(), 366*24*time.Hour, 10); err != nil || again != 0 ||
		len(tenant.auditLog(t, store.AuditFilter{Action: "audit.prune"})) != 1 {
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
		created, err := tenant.Changes().CreateAPIKey(t.Context(), limit.key, text)
		must(t, err)
		from, _ := netip.ParseAddr(limit.from)
		found, err := tenant.Store.APIKey(t.Context(), text, from)
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
	must(t, tenant.Store.APIKeysUsed(t.Context(), []string{tenant.key.ID, "key_unknown"}))
	used := tenant.Text(t, `SELECT last_used_at::text FROM api_keys WHERE id = $1`, tenant.key.ID)
	must(t, tenant.Store.APIKeysUsed(t.Context(), []string{tenant.key.ID}))
	if again := tenant.Text(t, `SELECT last_used_at::text FROM api_keys WHERE id = $1`, tenant.key.ID); again != used {
		t.Error("it is written again within a minute")
	}
	if n := tenant.Count(t, `SELECT count(*) FROM api_keys WHERE id = $1 AND last_used_at IS NULL`, unused.ID); n != 1 {
		t.Error("a key that was not used has a last use")
	}
	// Whoever is changing a key holds up no other.
	tx := begun(t, tenant.Database)
	_, err := tx.Exec(`SELECT FROM api_keys WHERE id = $1 FOR UPDATE`, tenant.key.ID)
	must(t, err)
	must(t, tenant.Store.APIKeysUsed(t.Context(), []string{tenant.key.ID, unused.ID}))
	if n := tenant.Count(t, `SELECT count(*) FROM api_keys WHERE last_used_at IS NOT NULL`); n != 2 {
		t.Errorf("%d keys have a last use", n)
	}
}
