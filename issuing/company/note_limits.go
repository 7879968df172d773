package company

import (
	"context"
	"time"

	"emissor/fiscal/authorities"
	"emissor/fiscal/description"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
)

// NoteLimits are what the authority by which a note was issued does not do for it today. issuer is the
// profile with which the note was issued, nil for none.
func NoteLimits(issuer *nfse.FiscalProfile) (limits description.Limits) {
	if issuer == nil {
		return limits
	}
	if by, known := authorities.Named(issuer.Authority); known && by.Limits != nil {
		limits = by.Limits(nfse.DayOf(time.Now()))
	}
	return limits
}

// OutsideNotTold says what is not seen of cancellations that others make of an issuer's notes, where the
// authority's server does not tell of them; nothing where it does.
func OutsideNotTold(ctx context.Context, db *store.Store, issuer *nfse.FiscalProfile) ([]fact.Fact, error) {
	telling := NoteLimits(issuer).Telling
	if telling.None() {
		return nil, nil
	}
	asked, err := db.Received.DistributionAsked(ctx, issuer.IssuerKey())
	if err != nil {
		return nil, err
	}
	if asked {
		return []fact.Fact{telling, fact.CityToldByADN.Fact()}, nil
	}
	return []fact.Fact{telling, fact.CityOutsideNotSeen.Fact()}, nil
}
