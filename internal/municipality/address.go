package municipality

import (
	"context"
	"errors"
	"fmt"
	"time"

	"emissor/nfse"
)

// Address is what an on-line service knows of a zip code. The texts are empty where it does not know
// them, as of a zip code of a whole town.
type Address struct {
	Municipality string // IBGE code
	Street       string
	District     string
}

// addresser is a Service that knows streets too, as those of this package do.
type addresser interface {
	Address(ctx context.Context, zip string) (Address, error)
}

// errNoStreets is the error of a service that knows only municipalities.
var errNoStreets = errors.New("the service knows no streets")

// Address looks the address of a zip code of eight digits up for a form that a person fills in. It
// asks the on-line services one after the other, by the quota of the scope and within the time of any
// look-up; where none tells the street, the address has only the municipality that Lookup finds. It
// fails only when the records cannot be read or ctx ends.
func (r *Resolver) Address(ctx context.Context, scope nfse.Scope, zip string) (Address, Outcome, error) {
	if !isZipCode(zip) {
		return Address{}, Unknown, nil
	}
	quota := r.quotas.of(scope)
	if !r.unknown.Has(zip, time.Now()) && quota.allow(time.Now()) {
		asking, cancel := context.WithTimeout(ctx, r.timeout)
		defer cancel()
		for _, service := range quota.services {
			if address, err := addressBy(asking, service, zip); err == nil {
				r.remember(context.WithoutCancel(ctx), zip, address.Municipality)
				return address, Known, nil
			}
		}
	}
	found, err := r.Lookup(ctx, scope, zip)
	return Address{Municipality: found.Code}, found.Outcome, err
}

// addressBy asks one service, with half of the time that is left, so that another can be asked too.
func addressBy(ctx context.Context, service Service, zip string) (Address, error) {
	knows, able := service.(addresser)
	if !able {
		return Address{}, errNoStreets
	}
	if end, bounded := ctx.Deadline(); bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		defer cancel()
	}
	return knows.Address(ctx, zip)
}

// Address asks for the address of a zip code, within the same bounds as Lookup.
func (s *circuitBreaker) Address(ctx context.Context, zip string) (address Address, err error) {
	knows, able := s.Service.(addresser)
	if !able {
		return Address{}, errNoStreets
	}
	_, err = s.breaker.Execute(func() (string, error) {
		address, err = knows.Address(ctx, zip)
		return address.Municipality, err
	})
	if err != nil {
		return Address{}, fmt.Errorf("%s: %w", s.Name(), err)
	}
	return address, nil
}
