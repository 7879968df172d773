package activities

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/internal/metrics"
	"emissor/internal/recent"
	"emissor/internal/retry"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/companies"
)

const (
	// cityKept is how long a process caches what it has read of a city, and cityMost for
	// how many cities.
	cityKept, cityMost = time.Minute, 6000
	// cityWait is how long a note waits for parameters before it goes on without.
	cityWait = 8 * time.Second
	// cityLease is longer than that; when a worker was killed another one asks after it.
	cityLease = 15 * time.Second
	// cityRest is for how long a city is not asked about whose parameters could not be had.
	cityRest = 5 * time.Minute
	// FailedRest is for how long a city is not asked about after a failure on our side, or
	// because no certificate can ask: then all others are asked first.
	FailedRest = time.Hour
	// serviceUseInterval is how seldom a process records that a service is used in a city.
	serviceUseInterval = 6 * time.Hour
)

// Cities are the municipal parameters that declarations go by.
type Cities struct {
	Store        *store.Store
	Certificates *CertificateCache
	Metrics      *metrics.Metrics
	Logger       *slog.Logger

	Kept     *recent.Cache[companies.CityKey, keptCity]
	services *recent.Set[usedService]
}

// keptCity is what was read of a city, until when it is used; nil when nothing valid is known.
type keptCity struct {
	city  *fiscal.City
	until time.Time
}

type usedService struct {
	companies.CityKey
	service string
}

// NewCities makes the cities of a process, with an empty cache.
func NewCities(db *store.Store, certificates *CertificateCache, metrics *metrics.Metrics, logger *slog.Logger) *Cities {
	return &Cities{
		Store: db, Certificates: certificates, Metrics: metrics, Logger: logger,
		Kept:     recent.NewCache[companies.CityKey, keptCity](cityMost),
		services: recent.NewSet[usedService](serviceUseInterval, cityMost),
	}
}

// Known returns the parameters that a declaration goes by, as far as they are
// known. ok is false when there are some that should be fetched before its number
// is taken.
func (c *Cities) Known(ctx context.Context, authority fiscal.Authority,
	declaration fiscal.Declaration) (known map[string]fiscal.City, ok bool, err error) {
	return c.collect(ctx, authority, declaration, func(key companies.CityKey) (*fiscal.City, bool, error) {
		if kept, found := c.keptOf(key); found {
			return kept, true, nil
		}
		record, err := c.Store.Companies.City(ctx, key)
		if err != nil || record.Wanted() {
			return counted(record), false, err
		}
		return c.keep(ctx, record), true, nil
	})
}

// Fetched is Known after those that are due have been fetched with the
// certificate of an organization. What cannot be had in time decides nothing.
// asking is called before an authority is asked.
func (c *Cities) Fetched(ctx context.Context, authority fiscal.Authority, organizationID string,
	declaration fiscal.Declaration, asking func()) (known map[string]fiscal.City, err error) {
	inTime, cancel := context.WithTimeout(ctx, cityWait)
	defer cancel()
	known, _, err = c.collect(ctx, authority, declaration, func(key companies.CityKey) (*fiscal.City, bool, error) {
		record, err := c.Store.Companies.City(ctx, key)
		if err == nil && record.Due {
			record, err = c.fetchFor(ctx, inTime, authority.(fiscal.CityParameters), record, organizationID,
				declaration.Issuer, asking)
		}
		if err != nil || record.Due { // another organization's note may ask at once
			return counted(record), err == nil, err
		}
		return c.keep(ctx, record), true, nil
	})
	return known, err
}

// fetchFor fetches a city for a note of an issuer. Without a certificate, or where the issuer
// is not shown to be the organization's, nothing is asked: the note will be held for that.
func (c *Cities) fetchFor(ctx, inTime context.Context, authority fiscal.CityParameters, record companies.CityRecord,
	organizationID string, issuer nfse.FiscalProfile, asking func()) (companies.CityRecord, error) {
	askers, err := c.Askers(ctx, organizationID, authority, issuer)
	var missing *ActionRequired
	if errors.As(err, &missing) {
		return record, nil
	}
	if err != nil {
		return record, err
	}
	asking()
	return c.Fetch(ctx, inTime, authority, record, organizationID, askers)
}

// Askers returns the certificates with which an organization asks for what cities have set, in
// the order in which they are to be tried, without those that were shut out within the last
// hour: there is at least one, or ActionRequired.
func (c *Cities) Askers(ctx context.Context, organizationID string, authority fiscal.CityParameters,
	issuer nfse.FiscalProfile) ([]Asker, error) {
	if err := c.Certificates.mayUse(ctx, issuer); err != nil {
		return nil, err
	}
	askers, err := c.Certificates.Askers(ctx, []string{organizationID}, fiscal.HolderOf(authority, issuer.TaxID),
		time.Now())
	if err == nil && askers[0].ShutOut {
		err = &ActionRequired{Reason: fact.CertificatesShutOut.Fact()}
	}
	return slices.DeleteFunc(askers, func(one Asker) bool { return one.ShutOut }), err
}

// AskWith asks with one certificate after the other, until one is let in, and reports
// whether one was.
func (c *Cities) AskWith(ctx context.Context, production bool, askers []Asker,
	ask func(fiscal.Access) (answered, shutOut bool, err error)) (letIn bool, err error) {
	for _, one := range askers {
		answered, shutOut, err := ask(fiscal.Access{Production: production, Credentials: one.Credentials})
		if err == nil {
			err = c.Certificates.Asked(ctx, c.Logger, one.ID, answered, shutOut)
		}
		if err != nil || !shutOut {
			return true, err
		}
	}
	return false, nil
}

// collect gets the parameters of every city that a declaration depends on, and records
// which service it is for.
func (c *Cities) collect(ctx context.Context, authority fiscal.Authority, declaration fiscal.Declaration,
	get func(companies.CityKey) (city *fiscal.City, ok bool, err error)) (map[string]fiscal.City, bool, error) {
	asked, tells := authority.(fiscal.CityParameters)
	issuer := declaration.Issuer
	if !tells || !asked.ServesCities(issuer.Production) || issuer.IgnoreMunicipalParameters {
		return nil, true, nil
	}
	cities := asked.CitiesOf(declaration)
	known, all := map[string]fiscal.City{}, true
	for _, code := range []string{cities.Issuer, cities.Incidence} {
		if _, found := known[code]; found || code == "" {
			continue
		}
		key := companies.CityKey{Authority: authority.Name(), Production: issuer.Production, MunicipalityCode: code}
		city, ok, err := get(key)
		if err != nil {
			return nil, false, err
		}
		if city != nil {
			known[code] = *city
		}
		all = all && ok
		if code == cities.Incidence && cities.Service != "" {
			c.recordService(ctx, usedService{key, cities.Service})
		}
	}
	return known, all, nil
}

// recordService records that a service is used, so that the maintenance fetches its parameters.
func (c *Cities) recordService(ctx context.Context, used usedService) {
	if c.services.Has(used, time.Now()) {
		return
	}
	if err := c.Store.Companies.UseCityService(ctx, used.CityKey, used.service); err == nil {
		c.services.Add(used, time.Now())
	}
}

// Fetch asks for a city that is due, or waits for another worker that does, as long
// as there is time. It returns what is known then. The error is one of the
// database's. Where no certificate is let in the city stays due, for other organizations.
func (c *Cities) Fetch(ctx, inTime context.Context, authority fiscal.CityParameters, record companies.CityRecord,
	organizationID string, askers []Asker) (known companies.CityRecord, err error) {
	key, letIn := record.CityKey, true
	for err == nil && letIn && record.Due && inTime.Err() == nil {
		var leased bool
		if !record.Fetching {
			leased, err = c.Store.Companies.LeaseCity(ctx, key, organizationID, cityLease)
		}
		if leased {
			letIn, err = c.ask(ctx, inTime, authority, askers, key)
		} else if err == nil {
			_ = retry.Sleep(inTime, 100*time.Millisecond)
		}
		if err == nil {
			record, err = c.Store.Companies.City(ctx, key)
		}
	}
	return record, err
}

// ask asks for a city, and stores the answer if a certificate is let in.
func (c *Cities) ask(ctx, inTime context.Context, authority fiscal.CityParameters, askers []Asker,
	key companies.CityKey) (letIn bool, err error) {
	var answer fiscal.CityAnswer
	letIn, err = c.AskWith(ctx, key.Production, askers, func(access fiscal.Access) (bool, bool, error) {
		answer, err = Guarded(inTime, func(inTime context.Context) fiscal.CityAnswer {
			return authority.AskCity(inTime, access, key.MunicipalityCode)
		})
		return answer.City != nil, answer.ShutOut, err
	})
	switch {
	case err != nil:
		c.Failed(ctx, key, err)
		return true, c.Store.Companies.FailCity(ctx, key, FailedHere, retry.NotBefore(FailedRest))
	case !letIn:
		return false, c.Store.Companies.ReleaseCity(ctx, key)
	}
	return true, c.save(ctx, key, answer)
}

// save stores what an authority answered about a city.
func (c *Cities) save(ctx context.Context, key companies.CityKey, answer fiscal.CityAnswer) error {
	if answer.City == nil {
		c.Logger.WarnContext(ctx, "the parameters of a city could not be had", "municipality_code",
			key.MunicipalityCode, "production", key.Production, "reason", answer.Reason)
		return c.Store.Companies.FailCity(ctx, key, answer.Reason, retry.NotBefore(cityRest))
	}
	return c.Store.Companies.SaveCity(ctx, key, *answer.City, ADay())
}

// Failed logs and counts that something about a city failed on our side.
func (c *Cities) Failed(ctx context.Context, key companies.CityKey, problem error) {
	c.Metrics.RowFailed(LoopCities)
	c.Logger.ErrorContext(ctx, "the parameters of a city could not be refreshed", "municipality_code",
		key.MunicipalityCode, "authority", key.Authority, "production", key.Production, "error", problem)
}

// Doubt has the cities of a declaration fetched again after a rejection that other
// parameters would explain.
func (c *Cities) Doubt(ctx context.Context, authority fiscal.Authority, declaration fiscal.Declaration,
	rejection string) {
	asked, tells := authority.(fiscal.CityParameters)
	if !tells || !asked.DoubtsCities(rejection) {
		return
	}
	cities := asked.CitiesOf(declaration)
	for _, code := range []string{cities.Issuer, cities.Incidence} {
		key := companies.CityKey{
			Authority: authority.Name(), Production: declaration.Issuer.Production, MunicipalityCode: code,
		}
		if err := c.Store.Companies.DoubtCity(ctx, key, rejection); err != nil {
			c.Logger.WarnContext(ctx, "the parameters of a city could not be marked as doubted", "error", err)
		}
		c.Kept.Remove(key)
	}
}

func (c *Cities) keptOf(key companies.CityKey) (*fiscal.City, bool) {
	kept, found := c.Kept.Get(key)
	return kept.city, found && time.Now().Before(kept.until)
}

// keep caches a record for a while, and records that it is used.
func (c *Cities) keep(ctx context.Context, record companies.CityRecord) *fiscal.City {
	if record.Unused {
		_ = c.Store.Companies.UseCity(ctx, record.CityKey) // if it fails it is recorded the next time
	}
	city := counted(record)
	c.Kept.Put(record.CityKey, keptCity{city, time.Now().Add(cityKept)})
	return city
}

// counted is the city of a record, if it is valid; else nil.
func counted(record companies.CityRecord) *fiscal.City {
	if !record.Counts {
		return nil
	}
	return record.City
}

// ADay is a day with jitter, so that what is fetched daily is not fetched all at once.
func ADay() time.Duration { return retry.Between(22*time.Hour, 26*time.Hour) }
