package series

import (
	"context"

	"emissor/nfse"
	"emissor/store"
)

// Release lets notes of an organization be sent under one of its held series again, because a person
// has looked.
func Release(ctx context.Context, by *store.Changes, organizationID string, held store.Series) error {
	return by.ReleaseSeries(ctx, nfse.FiscalProfile{OrganizationID: organizationID, Authority: held.Authority,
		Production: held.Production, TaxID: held.TaxID, MunicipalRegistration: &held.Registration,
		Series: held.Series})
}
