package exchange

import (
	"context"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/nfse/fact"
)

// signElsewhere has an attempt begin to sign by a certificate whose key is kept elsewhere, where a signature may take
// seconds: at the authority's queue, a few of a certificate at a time, so that nobody else waits for them. While the
// program gives no signature the note is held here, before it takes a number.
func (t *exchangeAttempt) signElsewhere(ctx context.Context, by *fiscal.Credentials) error {
	key := certificate.External(by)
	switch {
	case key == nil, t.signsBy == by.ID:
		return nil
	case t.gate.first():
		return errQueued
	}
	free, err := t.Certificates.TakeSlot(ctx, by.ID)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	go t.exchangeLease.keep(ctx)
	t.signsBy, t.ends = by.ID, append(t.ends, stop, free)
	if unsigned := notSigned(key.Ready()); unsigned != nil {
		return unsigned
	}
	return nil
}

// unsignedPause is the first pause after the program gave no signature; those that follow grow.
const unsignedPause = 30 * time.Second

// notSigned is ActionRequired where err says that the program gave no signature: nothing was sent, and the message is
// signed under the same number once it does.
func notSigned(err error) *activities.ActionRequired {
	if why := fact.OfError(err); why.Is(fact.SigningProgramFailed) {
		// It was asked just now: that is not done again at once.
		return &activities.ActionRequired{Reason: why, Answered: true, RetryAfter: unsignedPause}
	}
	return nil
}
