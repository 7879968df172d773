package municipality

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/singleflight"

	"emissor/internal/recent"
	"emissor/nfse"
)

// Records are what is kept in the database of zip codes. Package store implements it.
type Records interface {
	// ZipCode returns the remembered answer of an on-line service ("" when there is
	// none or it is too old) and the municipality of the imported range around the
	// zip code ("" when there is none).
	ZipCode(ctx context.Context, zip string) (remembered, ranged string, err error)

	// RememberZipCode keeps the answer of an on-line service.
	RememberZipCode(ctx context.Context, zip, code string) error
}

const (
	defaultTimeout  = 2 * time.Second
	defaultHedge    = 700 * time.Millisecond
	rememberTimeout = time.Second

	defaultUnknownFor = 6 * time.Hour
	maxUnknown        = 10_000
)

// Options configure a Resolver. The zero value asks no on-line service.
type Options struct {
	Services []Service     // on-line services, asked in this order
	Timeout  time.Duration // how long all services together may take; 2 s when zero
	Hedge    time.Duration // how long one is awaited before the next is asked too; 700 ms when zero
	Log      *slog.Logger  // slog.Default() when nil

	// Rate bounds the look-ups a second that ask the services for one scope; bursts of
	// BurstSeconds times as many. Zero is no bound.
	Rate int

	// UnknownFor is how long a zip code that no service knows is not asked for again;
	// 6 h when zero.
	UnknownFor time.Duration
}

// BurstSeconds is how many seconds of look-ups a scope may save up.
const BurstSeconds = 4

// Resolver looks up the municipality of zip codes. It is safe for concurrent use.
type Resolver struct {
	records Records
	timeout time.Duration
	hedge   time.Duration
	log     *slog.Logger
	flights singleflight.Group
	quotas  quotas
	unknown *recent.Set[string] // zip codes that no service knows
}

// NewResolver makes a Resolver.
func NewResolver(records Records, options Options) *Resolver {
	r := &Resolver{
		records: records,
		timeout: cmp.Or(options.Timeout, defaultTimeout),
		hedge:   cmp.Or(options.Hedge, defaultHedge),
		log:     cmp.Or(options.Log, slog.Default()),
		unknown: recent.NewSet[string](cmp.Or(options.UnknownFor, defaultUnknownFor), maxUnknown),
	}
	r.quotas = quotas{services: options.Services, rate: options.Rate, log: r.log,
		those: recent.NewCache[nfse.Scope, *quota](mostQuotas)}
	return r
}

// Lookup finds the municipality of a zip code of eight digits, for the scope whose
// quota of the on-line services it takes. It fails only when the records cannot be
// read or ctx ends; that no source answers is a LookupResult.
func (r *Resolver) Lookup(ctx context.Context, scope nfse.Scope, zip string) (LookupResult, error) {
	if !isZipCode(zip) {
		return LookupResult{Outcome: Unknown}, nil
	}
	remembered, ranged, err := r.records.ZipCode(ctx, zip)
	if err != nil {
		return LookupResult{}, fmt.Errorf("read the records of zip codes: %w", err)
	}
	if remembered != "" {
		return LookupResult{Outcome: Known, Code: remembered, Decisive: true}, nil
	}

	answer, err := r.lookupOnline(ctx, scope, zip)
	if err != nil || answer.Outcome == Known {
		return answer, err
	}

	code := cmp.Or(ranged, builtInCode(zip))
	if code == "" {
		return answer, nil
	}
	// Ranges become outdated: one is decisive only if every service was asked and none knows the zip code.
	return LookupResult{Outcome: Known, Code: code, Decisive: answer.Outcome == Unknown}, nil
}

// lookupOnline asks the on-line services, unless they have said not long ago that they do not know the zip code. It
// asks once for all callers of a scope that look the same zip code up at the same time; one that stops waiting leaves
// without disturbing the others.
func (r *Resolver) lookupOnline(ctx context.Context, scope nfse.Scope, zip string) (LookupResult, error) {
	if r.unknown.Has(zip, time.Now()) {
		return LookupResult{Outcome: Unknown}, nil
	}
	quota := r.quotas.of(scope)
	flight := r.flights.DoChan(scope.OrganizationID+" "+scope.Environment()+" "+zip, func() (any, error) {
		ctx := context.WithoutCancel(ctx)
		if !quota.allow(time.Now()) {
			return LookupResult{Outcome: Unavailable}, nil
		}
		answer := r.askOnline(ctx, quota.services, zip)
		switch answer.Outcome {
		case Known:
			r.remember(ctx, zip, answer.Code)
		case Unknown:
			r.unknown.Add(zip, time.Now())
		}
		return answer, nil
	})
	select {
	case result := <-flight:
		return result.Val.(LookupResult), nil
	case <-ctx.Done():
		return LookupResult{}, ctx.Err()
	}
}

// askOnline asks the services in order: the next one as soon as one fails, does not know
// the zip code, or is slow. The first to know it decides. Without services the zip code
// is unknown.
func (r *Resolver) askOnline(ctx context.Context, services []Service, zip string) LookupResult {
	deadline := time.Now().Add(r.timeout)
	type reply struct {
		code string
		err  error
	}
	replies := make(chan reply, len(services))
	waiting := services
	askNext := func() {
		if len(waiting) == 0 {
			return
		}
		service := waiting[0]
		waiting = waiting[1:]
		go func() {
			// Not cancelled when another service answers first: the circuit breaker must
			// see a service that never answers, or it would slow every look-up.
			ctx, cancel := context.WithDeadline(ctx, deadline)
			defer cancel()
			code, err := service.Lookup(ctx, zip)
			replies <- reply{code, err}
		}()
	}

	slow := time.NewTicker(r.hedge)
	defer slow.Stop()
	late := time.After(time.Until(deadline))
	outcome := Unknown
	askNext()
	for answered := 0; answered < len(services); {
		select {
		case reply := <-replies:
			answered++
			if reply.err == nil {
				return LookupResult{Outcome: Known, Code: reply.code, Decisive: true}
			}
			if !errors.Is(reply.err, ErrUnknown) {
				outcome = Unavailable
			}
			askNext()
		case <-slow.C:
			askNext()
		case <-late:
			return LookupResult{Outcome: Unavailable}
		}
	}
	return LookupResult{Outcome: outcome}
}

// remember keeps an answer for later. A failure is logged: the answer holds without
// it.
func (r *Resolver) remember(ctx context.Context, zip, code string) {
	ctx, cancel := context.WithTimeout(ctx, rememberTimeout)
	defer cancel()
	if err := r.records.RememberZipCode(ctx, zip, code); err != nil {
		r.log.WarnContext(ctx, "the answer of a zip-code service could not be kept", "error", err)
	}
}
