package companies

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strings"
	"time"

	"emissor/dashboard/frame"
	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/internal/seal"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/companies"
)

// shownCertificate is a certificate as the company's page shows it.
type shownCertificate struct {
	companies.Certificate
	State    string
	StateKey string
	DaysLeft int // whole days; negative once it has expired
}

// Holder is the name in the certificate, without the CNPJ or CPF that follows it.
func (c shownCertificate) Holder() string { return strings.TrimSuffix(c.Subject, ":"+string(c.TaxID)) }

// certificateStates are the keys of the states of certificates.
var certificateStates = map[string]string{
	companies.CertificateUsable: "certificate.usable", companies.CertificateOtherIssuer: "certificate.other_issuer",
	companies.CertificateNotYetValid: "certificate.not_yet", companies.CertificateExpired: "certificate.expired",
	companies.CertificateRefused: "certificate.refused", companies.CertificateRemoved: "certificate.removed",
}

func certificatesOf(r *frame.Request) (shown []shownCertificate, err error) {
	now := time.Now()
	certificates, err := company.Certificates(r.Context(), r.D.Store, r.Scope.OrganizationID)
	for _, one := range certificates {
		state := one.State(now)
		shown = append(shown, shownCertificate{one, state, certificateStates[state],
			int(math.Floor(one.NotAfter.Sub(now).Hours() / 24))})
	}
	return shown, err
}

// certificatePage is the form of a certificate.
type certificatePage struct {
	Form    *frame.Form
	NoRoots bool // no root certificates are configured: no certificate can be added here
}

func NewCertificate(r *frame.Request) error {
	return showCertificateForm(r.D, r, http.StatusOK, nil)
}

func showCertificateForm(d *frame.Dashboard, r *frame.Request, status int, form *frame.Form) error {
	return r.RenderStatus(status, "certificate", "certificate.new",
		certificatePage{Form: form, NoRoots: d.CertificateRoots == nil})
}

const (
	// OpeningTime is how long a PFX file may take to open, and how long a request waits
	// for its turn.
	OpeningTime = 10 * time.Second
	// MostOpened is how many are opened at once.
	MostOpened = 2
)

// AddCertificate opens a PFX file, checks what is in it and seals it at once. Neither
// the file nor its password is kept or logged.
func AddCertificate(r *frame.Request) error {
	form := &frame.Form{Values: map[string]string{}} // the password is never shown again
	content, err := r.File("certificate")
	if err != nil {
		return err
	}
	if len(content) == 0 {
		form.AddProblem("certificate", "certificate.file.missing")
		return showCertificateForm(r.D, r, http.StatusUnprocessableEntity, form)
	}
	holder, err := holder(r)
	if err != nil {
		return err
	}
	bundle, err := openPFX(r.Context(), r.D, r.Scope.OrganizationID, content, r.PostForm.Get("password"))
	if err == nil {
		err = bundle.Check(certificate.Checks{Holder: holder, At: time.Now(), Roots: r.D.CertificateRoots})
	}
	if err == nil {
		_, err = company.AddCertificate(r.Context(), r.D.Store, r.Changes(), r.D.Sealer, r.Scope.OrganizationID, bundle,
			true)
	}
	var invalid *nfse.Error
	switch {
	case errors.Is(err, seal.ErrNoKeyset):
		form.AddProblem("certificate", "certificate.no_keyset")
	case errors.Is(err, errOpeningTime):
		form.AddProblem("certificate", "certificate.slow")
	case errors.As(err, &invalid) && !invalid.Reason.None():
		form.WrongBecause(invalid.Field, invalid.Reason)
	case err != nil:
		return err
	default:
		return r.Redirect(r.Link("/company"), "certificate.added")
	}
	return showCertificateForm(r.D, r, http.StatusUnprocessableEntity, form)
}

// holder is whom the organization's certificates must name; empty while it has no fiscal
// profile.
func holder(r *frame.Request) (fiscal.Holder, error) {
	profile, err := r.D.Store.Companies.FiscalProfile(r.Context(), r.Scope.OrganizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return fiscal.Holder{}, nil
	}
	return company.Holder(company.Present(profile)), err
}

var errOpeningTime = errors.New("dashboard: the file takes too long to open")

// openPFX opens a PFX file, a few at once and one of an organization, in a process that
// is killed after OpeningTime: the file itself sets what opening costs, and may hide it by
// encryption.
func openPFX(ctx context.Context, d *frame.Dashboard, organizationID string, content []byte,
	password string) (*certificate.Bundle, error) {
	alone := d.Openers.Begin(organizationID)
	defer d.Openers.End(organizationID)
	if !alone { // so that one organization's files do not delay all others
		return nil, frame.Problem{Status: http.StatusServiceUnavailable, Key: "problem.busy"}
	}
	waiting, stop := context.WithTimeout(ctx, OpeningTime)
	defer stop()
	select {
	case d.Opening <- struct{}{}:
		defer func() { <-d.Opening }()
	case <-waiting.Done():
		return nil, errOpeningTime
	}
	opening, end := context.WithTimeout(ctx, d.OpeningTime)
	defer end()
	bundle, err := certificate.ReadPFXApart(opening, d.PFXProgram, content, password)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, errOpeningTime
	}
	return bundle, err
}

func RetryCertificate(r *frame.Request) error {
	_, err := r.Changes().Companies.RetryCertificate(r.Context(), r.Scope.OrganizationID, r.PathValue("id"))
	if err != nil {
		return err
	}
	return r.Redirect(r.Link("/company"), "certificate.retried")
}

func RemoveCertificate(r *frame.Request) error {
	_, err := r.Changes().Companies.RemoveCertificate(r.Context(), r.Scope.OrganizationID, r.PathValue("id"))
	if err != nil {
		return err
	}
	return r.Redirect(r.Link("/company"), "certificate.taken_out")
}
