package testkit

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"sync"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/nfse"
	"emissor/store"
)

// Fate is what becomes of a call to a scripted authority.
type Fate string

// The fates. The zero Fate is that all goes well.
const (
	Answered     Fate = ""
	Unanswered   Fate = "unanswered" // done, but nobody hears of it
	Lost         Fate = "lost"       // neither done nor answered
	Undelivered  Fate = "undelivered"
	Refused      Fate = "refused" // for its content
	Maintenance  Fate = "maintenance"
	ClockAhead   Fate = "clock ahead"
	BadCert      Fate = "bad certificate"
	Unreadable   Fate = "unreadable"  // done, and the document in the answer cannot be read
	Unsigned     Fate = "unsigned"    // done, and the document in the answer embeds ours without its signature
	UsedNumber   Fate = "used number" // another system has issued under the number just before
	BarredCancel Fate = "barred"
)

// ScriptedAuthority is an authority in memory whose every call a test decides.
// It keeps a ledger of what it issued. The real protocol is tested with the
// simulator; this one is for what is rare.
type ScriptedAuthority struct {
	// Issuing, Finding and Cancelling decide the fate of the nth call of their
	// kind, from 1; nil is that all go well.
	Issuing, Finding, Cancelling func(n int) Fate
	// Production is whether it also serves production.
	Production bool
	// Without are capabilities that it lacks.
	Without fiscal.Capabilities
	// Entered is called at the begin of each sending, outside every lock.
	Entered func(n int)

	mu        sync.Mutex
	issues    int
	finds     int
	cancels   int
	sent      []fiscal.Rendering
	issued    map[string]*fiscal.IssuedDocument // by document id
	cancelled map[string]bool                   // by access key
	confirmed bool
}

// Sent is everything that reached or might have reached it, in order.
func (a *ScriptedAuthority) Sent() []fiscal.Rendering {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]fiscal.Rendering(nil), a.sent...)
}

// Issued is the digest of what it issued, by document id; those of other systems
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
func (a *ScriptedAuthority) Name() string { return "scripted" }

// Capabilities implements fiscal.Authority.
func (a *ScriptedAuthority) Capabilities() fiscal.Capabilities {
	return fiscal.Capabilities{Queryable: !a.Without.Queryable, NumberIdempotent: true, Cancels: !a.Without.Cancels}
}

// Serves implements fiscal.Authority.
func (a *ScriptedAuthority) Serves(production bool) bool { return a.Production || !production }

// Check implements fiscal.Authority.
func (a *ScriptedAuthority) Check(document fiscal.Document, _ time.Time) *nfse.Rejection {
	if document.Note.Service.NationalTaxCode != nil {
		return nil
	}
	field := "service.national_tax_code"
	return &nfse.Rejection{Source: nfse.RejectedByService, Code: "national_tax_code_missing", Message: "the service has no national code", Field: &field}
}

// Render implements fiscal.Authority.
func (a *ScriptedAuthority) Render(d fiscal.Document, credentials *fiscal.Credentials, at time.Time) (fiscal.Rendering, error) {
	a.mu.Lock()
	a.confirmed = a.confirmed || d.ConfirmMunicipalOperation
	a.mu.Unlock()
	id := fmt.Sprintf("DOC-%s-%s-%05d-%015d", d.Issuer.MunicipalityCode, d.Issuer.TaxID, d.Issuer.Series, d.Number)
	return rendering(id, fmt.Sprintf("<Document id=%q note=%q made=%q with=%q/>", id, d.Note.ID, at, credentials.ID)), nil
}

func rendering(id, xml string) fiscal.Rendering {
	digest := sha256.Sum256([]byte(xml))
	return fiscal.Rendering{ID: id, Layout: "scripted", Digest: base64.StdEncoding.EncodeToString(digest[:]), XML: []byte(xml)}
}

func (a *ScriptedAuthority) fate(decide func(int) Fate, n int) Fate {
	if decide == nil {
		return Answered
	}
	return decide(n)
}

// Issue implements fiscal.Authority.
func (a *ScriptedAuthority) Issue(_ context.Context, _ fiscal.Session, r fiscal.Rendering) fiscal.Answer {
	a.mu.Lock()
	a.issues++
	n := a.issues
	a.mu.Unlock()
	if a.Entered != nil {
		a.Entered(n)
	}
	fate := a.fate(a.Issuing, n)
	a.mu.Lock()
	defer a.mu.Unlock()
	if fate != Undelivered {
		a.sent = append(a.sent, r)
	}
	switch fate {
	case Undelivered:
		return fiscal.Answer{Outcome: fiscal.NotDelivered, Reason: "connection refused"}
	case Lost:
		return fiscal.Answer{Outcome: fiscal.Unknown, Reason: "no answer"}
	case Refused:
		return rejected("E0310", fiscal.Final)
	case Maintenance:
		return rejected("E1217", fiscal.TryLater)
	case ClockAhead:
		return rejected("E0008", fiscal.RenderAgain)
	case BadCert:
		return rejected("E1203", fiscal.Certificate)
	case UsedNumber:
		a.issue(r.ID, "foreign", []byte("<Foreign/>"))
	}
	if a.issued[r.ID] != nil {
		return rejected("E0014", fiscal.Collision)
	}
	document := *a.issue(r.ID, r.Digest, r.XML)
	switch fate {
	case Unanswered:
		return fiscal.Answer{Outcome: fiscal.Unknown, Reason: "no answer"}
	case Unreadable:
		document.XML, document.Digest = nil, ""
	case Unsigned:
		document.Digest = ""
	}
	return fiscal.Answer{Outcome: fiscal.Issued, Document: &document}
}

func (a *ScriptedAuthority) issue(id, digest string, embedded []byte) *fiscal.IssuedDocument {
	if a.issued == nil {
		a.issued = map[string]*fiscal.IssuedDocument{}
	}
	number, key := fmt.Sprint(len(a.issued)+1), "KEY-"+id
	a.issued[id] = &fiscal.IssuedDocument{
		AccessKey: key, ID: id, Digest: digest, XML: fmt.Appendf(nil, "<Issued number=%q>%s</Issued>", number, embedded),
		Authority: nfse.Authorization{Number: &number, AccessKey: &key, IssuedAt: nfse.Timestamp{Time: time.Now()}},
	}
	return a.issued[id]
}

func rejected(code string, treatment fiscal.Treatment) fiscal.Answer {
	return fiscal.Answer{
		Outcome: fiscal.Rejected, Treatment: treatment,
		Rejection: &nfse.Rejection{Source: nfse.RejectedByAuthority, Code: code, Message: "the authority's words", Explanation: "ours", Action: "yours"},
	}
}

// Find implements fiscal.Authority.
func (a *ScriptedAuthority) Find(_ context.Context, _ fiscal.Session, id string) fiscal.Answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.finds++
	fate := a.fate(a.Finding, a.finds)
	switch fate {
	case Answered, Unsigned:
	case Unreadable:
		return fiscal.Answer{Outcome: fiscal.Issued, Document: &fiscal.IssuedDocument{AccessKey: "KEY-" + id}}
	default:
		return fiscal.Answer{Outcome: fiscal.Unknown, Reason: "no answer"}
	}
	if document := a.issued[id]; document != nil {
		found := *document
		if fate == Unsigned {
			found.Digest = ""
		}
		return fiscal.Answer{Outcome: fiscal.Issued, Document: &found}
	}
	return fiscal.Answer{Outcome: fiscal.Absent}
}

// RenderCancellation implements fiscal.Authority.
func (a *ScriptedAuthority) RenderCancellation(c fiscal.Cancellation, _ *fiscal.Credentials, at time.Time) (fiscal.Rendering, error) {
	return rendering("CANCEL-"+c.AccessKey, fmt.Sprintf("<Cancel key=%q reason=%q made=%q/>", c.AccessKey, c.ReasonCode, at)), nil
}

// Cancel implements fiscal.Authority.
func (a *ScriptedAuthority) Cancel(_ context.Context, _ fiscal.Session, key string, _ fiscal.Rendering) fiscal.CancelAnswer {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cancels++
	refused := func(code string, treatment fiscal.Treatment) fiscal.CancelAnswer {
		return fiscal.CancelAnswer{Outcome: fiscal.Rejected, Treatment: treatment, Refusal: &nfse.Refusal{Code: code, Message: "the authority's words", Explanation: "ours", Action: "yours"}}
	}
	switch fate := a.fate(a.Cancelling, a.cancels); fate {
	case Undelivered:
		return fiscal.CancelAnswer{Outcome: fiscal.NotDelivered, Reason: "connection refused"}
	case Lost:
		return fiscal.CancelAnswer{Outcome: fiscal.Unknown, Reason: "no answer"}
	case Refused:
		return refused("E0822", fiscal.Final)
	case BarredCancel:
		return refused("E0840", fiscal.Barred)
	case Maintenance:
		return refused("E1217", fiscal.TryLater)
	default:
		if a.cancelled[key] {
			return refused("E0802", fiscal.Collision)
		}
		if a.cancelled == nil {
			a.cancelled = map[string]bool{}
		}
		a.cancelled[key] = true
		if fate == Unanswered {
			return fiscal.CancelAnswer{Outcome: fiscal.Unknown, Reason: "no answer"}
		}
		return fiscal.CancelAnswer{Outcome: fiscal.Cancelled, XML: []byte("<Cancelled/>")}
	}
}

// FindCancellation implements fiscal.Authority.
func (a *ScriptedAuthority) FindCancellation(_ context.Context, _ fiscal.Session, key string) fiscal.CancelAnswer {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cancelled[key] {
		return fiscal.CancelAnswer{Outcome: fiscal.Cancelled, XML: []byte("<Cancelled/>")}
	}
	return fiscal.CancelAnswer{Outcome: fiscal.Absent}
}

// Issuer is the document of the organizations that NewProfile makes issue.
const Issuer nfse.TaxID = "11222333000181"

// NewProfile lets the system's organization issue live notes by an authority.
func (s *System) NewProfile(t testing.TB, authority string) nfse.FiscalProfile {
	t.Helper()
	profile := nfse.FiscalProfile{
		OrganizationID: s.Organization.ID, Authority: authority, TaxID: Issuer, MunicipalityCode: "3304557",
		Simples: nfse.SimplesNone, Series: 1, ApproximateTaxes: nfse.ApproximateTaxes{Federal: 1345, Municipal: 290},
	}
	must(t, s.Store.SetFiscalProfile(t.Context(), profile))
	return profile
}

// NewCertificate gives the system's organization a certificate of its own making,
// and returns its id. For a real authority's, see its simulator.
func (s *System) NewCertificate(t testing.TB) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "EMPRESA EXEMPLO:" + string(Issuer)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(365 * 24 * time.Hour),
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
	content, err := bundle.Marshal()
	must(t, err)
	id, err := s.Store.CertificateID(t.Context(), s.Organization.ID, bundle.Fingerprint())
	must(t, err)
	sealed, err := s.Sealer.Seal(content, s.Organization.ID, id)
	must(t, err)
	_, err = s.Store.AddCertificate(t.Context(), store.Certificate{
		ID: id, OrganizationID: s.Organization.ID, TaxID: Issuer, Subject: bundle.Leaf.Subject.CommonName,
		Issuer: bundle.Leaf.Issuer.CommonName, Serial: bundle.Leaf.SerialNumber.String(), Fingerprint: bundle.Fingerprint(),
		NotBefore: nfse.Timestamp{Time: bundle.Leaf.NotBefore}, NotAfter: nfse.Timestamp{Time: bundle.Leaf.NotAfter}, Sealed: sealed,
	})
	must(t, err)
	return id
}
