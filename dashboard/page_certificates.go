package dashboard

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"time"

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

func (d *Dashboard) certificatesOf(r *request) (shown []shownCertificate, err error) {
	now := time.Now()
	certificates, err := company.Certificates(r.Context(), d.store, r.scope.OrganizationID)
	for _, one := range certificates {
		state := one.State(now)
		shown = append(shown, shownCertificate{one, state, certificateStates[state],
			int(math.Floor(one.NotAfter.Sub(now).Hours() / 24))})
	}
	return shown, err
}

// certificatePage is the form of a certificate.
type certificatePage struct {
	Form    *form
	NoRoots bool // no root certificates are configured: no certificate can be added here
}

func (d *Dashboard) newCertificate(r *request) error {
	return d.showCertificateForm(r, http.StatusOK, nil)
}

func (d *Dashboard) showCertificateForm(r *request, status int, form *form) error {
	return r.renderStatus(status, "certificate", "certificate.new",
		certificatePage{Form: form, NoRoots: d.CertificateRoots == nil})
}

const (
	// openingTime is how long a PFX file may take to open, and how long a request waits
	// for its turn.
	openingTime = 10 * time.Second
	// mostOpened is how many are opened at once.
	mostOpened = 2
)

// addCertificate opens a PFX file, checks what is in it and seals it at once. Neither
// the file nor its password is kept or logged.
func (d *Dashboard) addCertificate(r *request) error {
	form := &form{values: map[string]string{}} // the password is never shown again
	content, err := r.file("certificate")
	if err != nil {
		return err
	}
	if len(content) == 0 {
		form.wrong("certificate", "certificate.file.missing")
		return d.showCertificateForm(r, http.StatusUnprocessableEntity, form)
	}
	holder, err := d.holder(r)
	if err != nil {
		return err
	}
	bundle, err := d.openPFX(r.Context(), r.scope.OrganizationID, content, r.PostForm.Get("password"))
	if err == nil {
		err = bundle.Check(certificate.Checks{Holder: holder, At: time.Now(), Roots: d.CertificateRoots})
	}
	if err == nil {
		_, err = company.AddCertificate(r.Context(), d.store, r.changes(), d.Sealer, r.scope.OrganizationID, bundle,
			true)
	}
	var invalid *nfse.Error
	switch {
	case errors.Is(err, seal.ErrNoKeyset):
		form.wrong("certificate", "certificate.no_keyset")
	case errors.Is(err, errOpeningTime):
		form.wrong("certificate", "certificate.slow")
	case errors.As(err, &invalid) && !invalid.Reason.None():
		form.wrongBecause(invalid.Field, invalid.Reason)
	case err != nil:
		return err
	default:
		return r.redirect(r.link("/company"), "certificate.added")
	}
	return d.showCertificateForm(r, http.StatusUnprocessableEntity, form)
}

// holder is whom the organization's certificates must name; empty while it has no fiscal
// profile.
func (d *Dashboard) holder(r *request) (fiscal.Holder, error) {
	profile, err := d.store.Companies.FiscalProfile(r.Context(), r.scope.OrganizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return fiscal.Holder{}, nil
	}
	return company.Holder(company.Present(profile)), err
}

// file reads a file that came with the form; nothing when none did.
func (r *request) file(field string) ([]byte, error) {
	file, _, err := r.FormFile(field)
	if errors.Is(err, http.ErrMissingFile) || errors.Is(err, http.ErrNotMultipart) {
		return nil, nil
	}
	if err != nil {
		return nil, problem{http.StatusBadRequest, "problem.unreadable"}
	}
	defer file.Close()
	return io.ReadAll(file)
}

var errOpeningTime = errors.New("dashboard: the file takes too long to open")

// openPFX opens a PFX file, a few at once and one of an organization, in a process that
// is killed after openingTime: the file itself sets what opening costs, and may hide it by
// encryption.
func (d *Dashboard) openPFX(ctx context.Context, organizationID string, content []byte,
	password string) (*certificate.Bundle, error) {
	alone := d.openers.Begin(organizationID)
	defer d.openers.End(organizationID)
	if !alone { // so that one organization's files do not delay all others
		return nil, problem{http.StatusServiceUnavailable, "problem.busy"}
	}
	waiting, stop := context.WithTimeout(ctx, openingTime)
	defer stop()
	select {
	case d.opening <- struct{}{}:
		defer func() { <-d.opening }()
	case <-waiting.Done():
		return nil, errOpeningTime
	}
	opening, end := context.WithTimeout(ctx, d.openingTime)
	defer end()
	bundle, err := certificate.ReadPFXApart(opening, d.PFXProgram, content, password)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, errOpeningTime
	}
	return bundle, err
}

func (d *Dashboard) retryCertificate(r *request) error {
	_, err := r.changes().Companies.RetryCertificate(r.Context(), r.scope.OrganizationID, r.PathValue("id"))
	if err != nil {
		return err
	}
	return r.redirect(r.link("/company"), "certificate.retried")
}

func (d *Dashboard) removeCertificate(r *request) error {
	_, err := r.changes().Companies.RemoveCertificate(r.Context(), r.scope.OrganizationID, r.PathValue("id"))
	if err != nil {
		return err
	}
	return r.redirect(r.link("/company"), "certificate.taken_out")
}
