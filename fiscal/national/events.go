package national

import (
	"context"

	"emissor/fiscal"
	"emissor/fiscal/national/adn"
	"emissor/nfse"
)

var _ fiscal.EventFinder = (*Authority)(nil)

// FindAnswer implements fiscal.EventFinder.
func (a *Authority) FindAnswer(ctx context.Context, access fiscal.Access, issuer nfse.TaxID,
	accessKey string) fiscal.FoundEvent {
	return adn.FindAnswer(ctx, a.Client, access, issuer, accessKey)
}

// FindReplacement implements fiscal.EventFinder.
func (a *Authority) FindReplacement(ctx context.Context, access fiscal.Access, issuer nfse.TaxID,
	accessKey string) fiscal.FoundEvent {
	return adn.FindReplacement(ctx, a.Client, access, issuer, accessKey)
}

// FindBlockingEvent implements fiscal.EventFinder.
func (a *Authority) FindBlockingEvent(ctx context.Context, access fiscal.Access, issuer nfse.TaxID,
	accessKey string) fiscal.FoundEvent {
	return adn.FindBlockingEvent(ctx, a.Client, access, issuer, accessKey)
}
