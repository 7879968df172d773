package activities

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/store/companies"
)

// Asker is a certificate with which an authority may be asked in an issuer's name.
type Asker struct {
	*fiscal.Credentials
	ShutOut bool // the authority answered it with 401 or 403 within the last hour
}

// Askers returns the certificates of a holder, of any of these organizations, that open here,
// in the order in which they are to be tried: the one that worked last, others, and those
// that were answered with 401 or 403 within the last hour, the longest ago first. There is at
// least one, or an error as of Open.
func (c *CertificateCache) Askers(ctx context.Context, organizations []string, of fiscal.Holder,
	at time.Time) (askers []Asker, err error) {
	c.Metrics.CertificateOpened()
	var all []companies.Certificate
	var closed error
	for _, organization := range organizations {
		usable, err := c.Store.Companies.UsableCertificates(ctx, organization, of, at)
		var none *companies.NoUsableCertificate
		switch {
		case errors.As(err, &none):
			closed = cmp.Or(closed, error(&ActionRequired{Reason: none.Reason}))
		case err != nil:
			return nil, err
		}
		all = append(all, usable...)
	}
	slices.SortStableFunc(all, func(a, b companies.Certificate) int { return compareAskers(a, b, at) })
	for _, one := range all {
		credentials, err := c.open(one)
		if err != nil {
			closed = cmp.Or(closed, error(doesNotOpen(one, err)))
			continue
		}
		askers = append(askers, Asker{credentials, one.ShutOut(at)})
	}
	if len(askers) == 0 {
		return nil, closed
	}
	return askers, nil
}

func compareAskers(a, b companies.Certificate, at time.Time) int {
	switch shutA, shutB := a.ShutOut(at), b.ShutOut(at); {
	case shutA && shutB:
		return a.ShutOutAt.Compare(b.ShutOutAt.Time)
	case shutA:
		return 1
	case shutB:
		return -1
	}
	worked := func(one companies.Certificate) time.Time {
		if one.WorkedAt == nil {
			return time.Time{}
		}
		return one.WorkedAt.Time
	}
	return cmp.Or(worked(b).Compare(worked(a)), b.CreatedAt.Compare(a.CreatedAt.Time))
}

// Asked records how the authority took a question asked with a certificate: nothing when it
// neither answered it nor shut the certificate out.
func (c *CertificateCache) Asked(ctx context.Context, logger *slog.Logger, id string, answered, shutOut bool) error {
	switch {
	case answered:
		return c.Store.Companies.CertificateWorked(ctx, id)
	case shutOut:
		logger.WarnContext(ctx, "the authority does not let a certificate in to ask", "certificate_id", id)
		return c.Store.Companies.CertificateShutOut(ctx, id)
	}
	return nil
}
