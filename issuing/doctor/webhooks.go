package doctor

import (
	"context"
	"net/url"

	"emissor/internal/webhook/endpoint"
	"emissor/nfse/fact"
	"emissor/store/webhooks"
)

// webhooks checks that the secrets of the organization's endpoints open, and that their receivers are reached
// as deliveries would be. No event is posted. A path or a query may hold a secret, so that only hosts are named.
func (d *Doctor) webhooks(ctx context.Context, p patient) ([]Finding, error) {
	endpoints, err := d.Store.Webhooks.Endpoints(ctx, p.id)
	if err != nil {
		return nil, err
	}
	if len(endpoints) == 0 {
		return []Finding{skipped(Webhooks, fact.DoctorEndpointsNone.Fact())}, nil
	}
	var looks []func() []Finding
	for _, one := range endpoints {
		looks = append(looks, func() []Finding {
			return d.check(ctx, Webhooks, func(ctx context.Context) ([]Finding, error) { return d.reach(ctx, one), nil })
		})
	}
	return inParallel(looks...), nil
}

// reach connects to the receiver of one endpoint.
func (d *Doctor) reach(ctx context.Context, one webhooks.Endpoint) []Finding {
	if endpoint.ObstacleAt(one) != "" {
		return []Finding{warning(Webhooks,
			fact.DoctorEndpointOff.With("endpoint", one.ID, "environment", one.Environment()),
			fact.DoctorDoEndpointOn.Fact())}
	}
	if d.Sealer != nil && endpoint.CheckSecrets(d.Sealer, one) != nil {
		return []Finding{warning(Webhooks,
			fact.DoctorEndpointClosed.With("endpoint", one.ID, "environment", one.Environment()),
			fact.DoctorDoRotate.Fact())}
	}
	host := "?"
	if parsed, err := url.Parse(one.URL); err == nil {
		host = parsed.Host
	}
	if why := d.Webhooks.Reach(ctx, one.URL); !why.None() {
		return []Finding{warning(Webhooks, fact.DoctorEndpointFails.With("endpoint", one.ID, "host", host, "why", why,
			"environment", one.Environment()), fact.DoctorDoEndpoint.Fact())}
	}
	return []Finding{good(Webhooks, fact.DoctorEndpointGood.With("endpoint", one.ID, "host", host,
		"environment", one.Environment()))}
}
