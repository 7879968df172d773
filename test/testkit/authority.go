package testkit

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
)

// Script is what becomes of one call to a scripted authority.
type Script string

// The scripts. The zero Script is that all goes well.
const (
	Answered    Script = ""
	Unanswered  Script = "unanswered" // done, but no answer arrives
	Lost        Script = "lost"       // neither done nor answered
	Undelivered Script = "undelivered"
	Refused     Script = "refused" // for its content
	Maintenance Script = "maintenance"
	ClockAhead  Script = "clock ahead"
	BadCert     Script = "bad certificate"
	ShutOut     Script = "shut out"    // our certificate is not let in: nothing was read
	Unreadable  Script = "unreadable"  // done, and the document in the answer cannot be read
	Unsigned    Script = "unsigned"    // done, and the document in the answer embeds ours without its signature
	UsedNumber  Script = "used number" // another system has issued under the number just before
	// NeedsConfirmation is a refusal beside which what was asked for may exist.
	NeedsConfirmation Script = "needs confirmation"
	Unexplained       Script = "unexplained" // by a code that no catalogue has; nothing was done
	DoneUnexplained   Script = "done, and unexplained"
)

// ScriptedAuthority is an authority in memory that answers each call as a test says.
// It keeps a ledger of what it issued. The real protocol is tested with the
// simulator; this one is for what is rare.
type ScriptedAuthority struct {
	// Called is its name; "scripted" when empty.
	Called string
	// Issuing, Finding and Cancelling script the nth call of their kind, from 1;
	// nil is that all go well.
	Issuing, Finding, Cancelling func(n int) Script
	// Production is whether it also serves production.
	Production bool
	// GracePeriod is what its capabilities say; two seconds when zero.
	GracePeriod time.Duration
	// Without are capabilities that it lacks.
	Without fiscal.Capabilities
	// NotFounds is what its capabilities say; 1 when zero.
	NotFounds int
	// GreatestNumber is what its capabilities say; 0 is no bound.
	GreatestNumber int64
	// Unbuildable says whether a declaration cannot be built; nil is that every one can.
	Unbuildable func() bool
	// Entered is called at the begin of each sending, outside every lock.
	Entered func(n int)

	mu        sync.Mutex
	issues    int
	finds     int
	cancels   int
	sent      []fiscal.Message
	issued    map[string]*issuedDocument // by message id
	cancelled map[string]bool            // by access key
	confirmed bool
}

type issuedDocument struct {
	fiscal.IssuedDocument
	correlationID string
}

// Sent is everything that reached or might have reached it, in order.
func (a *ScriptedAuthority) Sent() []fiscal.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]fiscal.Message(nil), a.sent...)
}

// Issued is the digest of what it issued, by message id; those of other systems
// are "foreign".
func (a *ScriptedAuthority) Issued() map[string]string {
	a.mu.Lock()
	defer a.mu.Unlock()
	digests := map[string]string{}
	for id, document := range a.issued {
		digests[id] = document.Digest
	}
	return digests
}

// Counts are the calls so far: sendings, questions, cancellations.
func (a *ScriptedAuthority) Counts() (issues, finds, cancels int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.issues, a.finds, a.cancels
}

// Confirmed reports whether a document was to confirm the municipal operation.
func (a *ScriptedAuthority) Confirmed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.confirmed
}

// Name implements fiscal.Authority.
func (a *ScriptedAuthority) Name() string { return cmp.Or(a.Called, "scripted") }

// Capabilities implements fiscal.Authority.
func (a *ScriptedAuthority) Capabilities() fiscal.Capabilities {
	return fiscal.Capabilities{
		Queryable: !a.Without.Queryable, Cancels: !a.Without.Cancels,
		GracePeriod: cmp.Or(a.GracePeriod, 2*time.Second), NotFounds: cmp.Or(a.NotFounds, 1),
		GreatestNumber: a.GreatestNumber,
	}
}

// Serves implements fiscal.Authority.
func (a *ScriptedAuthority) Serves(production bool) bool { return a.Production || !production }

// Check implements fiscal.Authority.
func (a *ScriptedAuthority) Check(declaration fiscal.Declaration, _ time.Time) *fiscal.Objection {
	if declaration.Note.Service.NationalTaxCode != nil {
		return nil
	}
	reason := fact.NationalTaxCodeMissing.Fact()
	return &fiscal.Objection{Rejection: &nfse.Rejection{
		Source: nfse.RejectedByService, Code: "national_tax_code_missing", Message: reason.English(),
		Field: new("service.national_tax_code"), Wording: nfse.Wording{Reason: reason},
	}}
}

// SignDeclaration implements fiscal.Authority.
func (a *ScriptedAuthority) SignDeclaration(d fiscal.Declaration, credentials *fiscal.Credentials,
	at time.Time) (fiscal.Message, error) {
	a.mu.Lock()
	a.confirmed = a.confirmed || d.ConfirmMunicipalOperation
	a.mu.Unlock()
	if a.Unbuildable != nil && a.Unbuildable() {
		return fiscal.Message{}, errors.New("a value that no element takes")
	}
	id := fmt.Sprintf("DOC-%s-%s-%05d-%015d", d.Issuer.MunicipalityCode, d.Issuer.TaxID, d.Issuer.Series, d.Number)
	return message(id, fmt.Sprintf("<Document id=%q note=%q made=%q with=%q/>", id, d.Note.ID, at, credentials.ID),
		credentials), nil
}

// SignCancellation implements fiscal.Authority.
func (a *ScriptedAuthority) SignCancellation(r fiscal.CancellationRequest, credentials *fiscal.Credentials,
	at time.Time) (fiscal.Message, error) {
	return message("CANCEL-"+r.AccessKey, fmt.Sprintf("<Cancel key=%q reason=%q made=%q/>", r.AccessKey, r.ReasonCode,
		at), credentials), nil
}

func message(id, xml string, credentials *fiscal.Credentials) fiscal.Message {
	digest := sha256.Sum256([]byte(xml))
	return fiscal.Message{
		ID: id, Layout: "scripted", Digest: base64.StdEncoding.EncodeToString(digest[:]), XML: []byte(xml),
		CertificateID: credentials.ID,
	}
}

// Send implements fiscal.Authority.
func (a *ScriptedAuthority) Send(_ context.Context, _ fiscal.Access, request fiscal.Request) fiscal.Answer {
	if request.Kind == fiscal.Cancel {
		return a.cancel(request)
	}
	return a.issue(request)
}

// Find implements fiscal.Authority.
func (a *ScriptedAuthority) Find(_ context.Context, _ fiscal.Access, request fiscal.Request) fiscal.Answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	if request.Kind == fiscal.Cancel {
		if a.cancelled[request.AccessKey] {
			return cancelled
		}
		return fiscal.Answer{Outcome: fiscal.OutcomeNotFound}
	}
	a.finds++
	id := request.Message().ID
	script := scripted(a.Finding, a.finds)
	switch script {
	case Answered, Unsigned:
	case Unreadable:
		return fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Document: &fiscal.IssuedDocument{AccessKey: "KEY-" + id}}
	default:
		return noAnswer
	}
	if document := a.issued[id]; document != nil {
		return accepted(*document, script, request)
	}
	return fiscal.Answer{Outcome: fiscal.OutcomeNotFound}
}

func (a *ScriptedAuthority) issue(request fiscal.Request) fiscal.Answer {
	a.mu.Lock()
	a.issues++
	n := a.issues
	a.mu.Unlock()
	if a.Entered != nil {
		a.Entered(n)
	}
	script := scripted(a.Issuing, n)
	a.mu.Lock()
	defer a.mu.Unlock()
	sent := request.Message()
	if script != Undelivered && script != ShutOut {
		a.sent = append(a.sent, sent)
	}
	if answer, done := refused(script, "E0310"); done {
		return answer
	}
	if script == UsedNumber {
		a.record(sent.ID, "foreign", "", []byte("<Foreign/>"))
	}
	if a.issued[sent.ID] != nil {
		return rejected("E0014", fiscal.AlreadyExists)
	}
	document := a.record(sent.ID, sent.Digest, request.CorrelationID, sent.XML)
	switch script {
	case Unanswered:
		return noAnswer
	case DoneUnexplained:
		return unexplained
	}
	return accepted(*document, script, request)
}

func (a *ScriptedAuthority) cancel(request fiscal.Request) fiscal.Answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cancels++
	script := scripted(a.Cancelling, a.cancels)
	if answer, done := refused(script, "E0822"); done {
		return answer
	}
	if a.cancelled[request.AccessKey] {
		return rejected("E0802", fiscal.AlreadyExists)
	}
	if a.cancelled == nil {
		a.cancelled = map[string]bool{}
	}
	a.cancelled[request.AccessKey] = true
	switch script {
	case Unanswered:
		return noAnswer
	case DoneUnexplained:
		return unexplained
	}
	return cancelled
}

var (
	noAnswer  = fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Reason: fact.NoAnswerInTime.Fact()}
	cancelled = fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs,
		EventXML: []byte("<Cancelled/>")}
	unexplained = rejected("E999", fiscal.Uncatalogued)
)

func scripted(script func(int) Script, n int) Script {
	if script == nil {
		return Answered
	}
	return script(n)
}

// refused answers by the scripts that do nothing; done is false for the others.
func refused(script Script, contentCode string) (answer fiscal.Answer, done bool) {
	switch script {
	case Undelivered:
		return fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Reason: fact.ConnectionRefused.Fact()}, true
	case ShutOut:
		alert := fact.TLSCertificateRefused.With("alert", "bad certificate")
		return fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Reason: alert,
			NeedsPerson: fact.AddCertificateItTakes.With("why", alert)}, true
	case Lost:
		return noAnswer, true
	case Refused:
		return rejected(contentCode, fiscal.Final), true
	case Maintenance:
		return rejected("E1217", fiscal.TryLater), true
	case ClockAhead:
		return rejected("E0008", fiscal.SignAgain), true
	case BadCert:
		return rejected("E1203", fiscal.CertificateRefused), true
	case NeedsConfirmation:
		return rejected("E0840", fiscal.NeedsConfirmation), true
	case Unexplained:
		return unexplained, true
	}
	return answer, false
}

func rejected(code string, handling fiscal.Handling) fiscal.Answer {
	return fiscal.Answer{
		Outcome: fiscal.OutcomeRejected, Handling: handling,
		Rejection: &nfse.Rejection{
			Source: nfse.RejectedByAuthority, Code: code, Message: "the authority's words", Explanation: "ours",
			Action: "yours",
		},
	}
}

func (a *ScriptedAuthority) record(id, digest, correlationID string, embedded []byte) *issuedDocument {
	if a.issued == nil {
		a.issued = map[string]*issuedDocument{}
	}
	number, key := fmt.Sprint(len(a.issued)+1), "KEY-"+id
	a.issued[id] = &issuedDocument{correlationID: correlationID, IssuedDocument: fiscal.IssuedDocument{
		AccessKey: key, Digest: digest, XML: fmt.Appendf(nil, "<Issued number=%q>%s</Issued>", number, embedded),
		Authorization: nfse.Authorization{Number: &number, AccessKey: &key, IssuedAt: nfse.Timestamp{Time: time.Now()}},
	}}
	return a.issued[id]
}

// accepted answers with a document, as far as the script lets it be read.
func accepted(document issuedDocument, script Script, request fiscal.Request) fiscal.Answer {
	switch script {
	case Unreadable:
		document.XML, document.Digest = nil, ""
	case Unsigned:
		document.Digest = ""
	}
	return fiscal.Answer{
		Outcome: fiscal.OutcomeAccepted, Document: &document.IssuedDocument,
		Match: fiscal.MatchDocument(request, document.Digest, document.correlationID),
	}
}

// Issuer is the tax id of the organizations that NewProfile makes issue.
const Issuer nfse.TaxID = "11222333000181"

// NewProfile lets the system's organization issue live notes by an authority.
func (s *System) NewProfile(t testing.TB, authority string) nfse.FiscalProfile {
	t.Helper()
	profile := nfse.FiscalProfile{
		OrganizationID: s.Organization.ID, Authority: authority, TaxID: Issuer, MunicipalityCode: "3304557",
		Simples: nfse.SimplesNone, Series: 1, ApproximateTaxes: nfse.ApproximateTaxes{Federal: 1345, Municipal: 290},
	}
	s.SetProfile(t, profile)
	return profile
}

// SetProfile puts a profile on record, of an issuer that its organization has shown to be
// its own.
func (d *Database) SetProfile(t testing.TB, profile nfse.FiscalProfile) {
	t.Helper()
	d.ClaimIssuer(t, profile)
	must(t, d.Changes().Companies.SetFiscalProfile(t.Context(), profile))
}

// ClaimIssuer makes a profile's organization the owner of its issuer at each of its authorities, or
// lets it use the issuer beside the owner.
func (d *Database) ClaimIssuer(t testing.TB, profile nfse.FiscalProfile) {
	t.Helper()
	for _, period := range profile.Periods() {
		issuer := period.IssuerKey()
		must(t, d.Changes().Companies.ClaimTaxID(t.Context(), profile.OrganizationID, issuer))
		if d.Store.Companies.CheckTaxID(t.Context(), period) != nil {
			_, err := d.Changes().Companies.AllowTaxID(t.Context(), profile.OrganizationID, issuer)
			must(t, err)
		}
	}
}

// NewCertificate gives the system's organization a certificate of its own making,
// and returns its id. For a real authority's, see its simulator.
func (s *System) NewCertificate(t testing.TB) string {
	t.Helper()
	key := certificatetest.Key()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: "EMPRESA EXEMPLO:" + string(Issuer)},
		NotBefore:    time.Now().Add(-time.Hour), NotAfter: time.Now().Add(365 * 24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	leaf, err := x509.ParseCertificate(der)
	must(t, err)
	return s.AddCertificate(t, &certificate.Bundle{Key: key, Leaf: leaf})
}

// AddCertificate seals a certificate of the issuer and puts it on record.
func (s *System) AddCertificate(t testing.TB, bundle *certificate.Bundle) string {
	t.Helper()
	return s.AddCertificateOf(t, s.Organization.ID, Issuer, bundle)
}

// AddCertificateOf is AddCertificate for another organization and issuer.
func (s *System) AddCertificateOf(t testing.TB, organizationID string, issuer nfse.TaxID,
	bundle *certificate.Bundle) string {
	t.Helper()
	content, err := bundle.Marshal()
	must(t, err)
	id, err := s.Store.Companies.CertificateID(t.Context(), organizationID, bundle.Fingerprint())
	must(t, err)
	sealed, err := s.Sealer.Seal(content, organizationID, id)
	must(t, err)
	_, err = s.Changes().Companies.AddCertificate(t.Context(), companies.Certificate{
		ID: id, OrganizationID: organizationID, TaxID: issuer, Subject: bundle.Leaf.Subject.CommonName,
		Issuer: bundle.Leaf.Issuer.CommonName, Serial: bundle.Leaf.SerialNumber.String(),
		Fingerprint: bundle.Fingerprint(),
		NotBefore:   nfse.Timestamp{Time: bundle.Leaf.NotBefore}, NotAfter: nfse.Timestamp{Time: bundle.Leaf.NotAfter},
		Sealed: sealed, ChainVerified: true,
	})
	must(t, err)
	return id
}
