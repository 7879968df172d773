package catalogue

import (
	"emissor/municipality"
	"emissor/store"
)

// Catalogue decides, and keeps what it decided in the store.
type Catalogue struct {
	store    *store.Store
	resolver *municipality.Resolver
}

// New makes the Catalogue of a store, which looks up zip codes with the resolver.
func New(s *store.Store, resolver *municipality.Resolver) *Catalogue {
	return &Catalogue{store: s, resolver: resolver}
}
