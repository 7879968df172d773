package doctor

import (
	"context"
	"errors"

	"emissor/issuing/company"
	"emissor/nfse/fact"
)

// openLogin opens the user and the password that the organization has with its city, where its server takes some. Where
// they do not open nothing is asked, as the worker asks nothing then.
func (c *credentials) openLogin(d *Doctor) func(context.Context, patient) ([]Finding, error) {
	return func(ctx context.Context, p patient) ([]Finding, error) {
		if !company.TakesLogin(p.profile) {
			return nil, nil
		}
		if d.Sealer == nil {
			return []Finding{skipped(Login, fact.DoctorNeedsFirst.Fact())}, nil
		}
		access, err := company.Access(ctx, d.Store, d.Sealer, p.profile, c.Credentials)
		var closed company.ErrLoginClosed
		switch {
		case errors.As(err, &closed):
			c.Credentials = nil
			return []Finding{problem(Login, closed.Reason, fact.DoctorDoLogin.Fact())}, nil
		case err != nil:
			return nil, err
		case access.Login == nil:
			return []Finding{good(Login, fact.DoctorLoginNone.Fact())}, nil
		}
		c.login = access.Login
		return []Finding{good(Login, fact.DoctorLoginGood.Fact())}, nil
	}
}
