package catalogue

import (
	"context"
	"time"

	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/store"
)

// Catalogue decides about services, customers and issuances, and stores the result.
type Catalogue struct {
	store    *store.Store
	writes   records
	resolver *municipality.Resolver
	asked    time.Time // when the person asked; now where it is zero
}

// records stores services and customers: the Store for a key, store.Changes for a
// person, whose changes are in the audit log.
type records interface {
	CreateService(context.Context, nfse.Scope, nfse.Service) (nfse.Service, error)
	UpdateService(context.Context, nfse.Scope, string, func(*nfse.Service) error) (nfse.Service, error)
	SyncCustomer(context.Context, nfse.Scope, nfse.TaxID, func(*nfse.Customer) error) (nfse.Customer, bool, error)
	UpdateCustomer(context.Context, nfse.Scope, string, func(*nfse.Customer) error) (nfse.Customer, error)
}

// New makes the Catalogue of a store, which looks up zip codes with the resolver.
func New(s *store.Store, resolver *municipality.Resolver) *Catalogue {
	return &Catalogue{store: s, writes: s.Catalogues, resolver: resolver}
}

// Asked is the Catalogue of what a person asked for at a moment: a day of competence that was possible then still is.
func (c *Catalogue) Asked(at time.Time) *Catalogue {
	asked := *c
	asked.asked = at
	return &asked
}

// By is the Catalogue with which a person makes these changes.
func (c *Catalogue) By(changes *store.Changes) *Catalogue {
	by := *c
	by.writes = changes.Catalogues
	return &by
}
