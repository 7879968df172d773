// Package rehearsal rehearses a day: it builds the stored requests of issued notes again, by the
// rules, tables and layout of that day and by what is set at present, and says which of them would
// be refused, would wait, or would change. Nothing is signed, sent or written.
package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/taxes"
	"emissor/internal/panics"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/companies"
	"emissor/store/notes"
)

// Authority is an authority that a day can be rehearsed with.
type Authority interface {
	fiscal.Drafter
	// Expected are the totals that it is expected to state of a declaration.
	Likely(fiscal.Declaration) nfse.Totals
	// StatesIBSCBS reports whether the document of a declaration states IBS and CBS.
	StatesIBSCBS(fiscal.Declaration) bool
}

// Rehearsal is what is rehearsed.
type Rehearsal struct {
	Store       *store.Store
	Authorities []Authority
	Editions    *classification.Editions

	Day            nfse.Day // of competence, and on which the notes are sent
	OrganizationID string   // of whose notes; empty: of all
	Last           int      // of how many notes, the newest

	cities map[companies.CityKey]*fiscal.City
	tables map[string]classification.Tables // of the day, as an authority uses them
}

// Report is what would become of the notes on the day. Every note counts in one of its numbers.
type Report struct {
	Day        nfse.Day `json:"day"`
	Notes      int      `json:"notes"`  // that were looked at
	Erased     int      `json:"erased"` // left out: their customers were erased
	Unreadable int      `json:"unreadable"`
	Refused    int      `json:"refused"`
	Held       int      `json:"held"`
	Changed    int      `json:"changed"`
	Same       int      `json:"same"`

	UnreadableNotes []string `json:"unreadable_notes"` // ids of some
	Lines           []Line   `json:"lines"`
}

// NotIssued is how many notes would not be issued.
func (r Report) NotIssued() int { return r.Refused + r.Held }

const (
	// pageSize is how many requests are read at once.
	pageSize = 500
	// mostUnreadable is how many unreadable notes are named.
	mostUnreadable = 20
)

// Run rehearses. A request that cannot be read is counted, and stops no other.
func (r *Rehearsal) Run(ctx context.Context) (report Report, err error) {
	r.cities, r.tables = map[companies.CityKey]*fiscal.City{}, map[string]classification.Tables{}
	for _, by := range authorities.All() {
		r.tables[by.Name] = by.Tables(r.Editions.On(string(r.Day)))
	}
	report = Report{Day: r.Day, UnreadableNotes: []string{}}
	sums, after := sums{}, ""
	for report.Notes < r.Last {
		requests, err := r.Store.Notes.IssuedRequests(ctx, r.OrganizationID, after, min(pageSize, r.Last-report.Notes))
		if err != nil {
			return report, err
		}
		if len(requests) == 0 {
			break
		}
		for _, request := range requests {
			after = request.NoteID
			report.Notes++
			if request.Erased {
				report.Erased++
				continue
			}
			findings, err := r.findings(ctx, request)
			switch {
			case ctx.Err() != nil:
				return report, ctx.Err()
			case errors.As(err, new(readError)):
				return report, err
			case err != nil:
				report.unreadable(request.NoteID)
			default:
				report.count(findings)
				sums.add(request, findings)
			}
		}
	}
	report.Lines = sums.lines()
	return report, nil
}

func (r *Report) unreadable(noteID string) {
	if r.Unreadable++; len(r.UnreadableNotes) < mostUnreadable {
		r.UnreadableNotes = append(r.UnreadableNotes, noteID)
	}
}

// count counts a note by the first of its findings that is no warning.
func (r *Report) count(findings []finding) {
	for _, one := range findings {
		switch one.Outcome {
		case Refused:
			r.Refused++
			return
		case Held:
			r.Held++
			return
		case Changed:
			r.Changed++
			return
		}
	}
	r.Same++
}

// readError is a failure of the database, which is no single request's.
type readError struct{ error }

// findings is what is found of a request; an error, or a panic, is that request's own.
func (r *Rehearsal) findings(ctx context.Context, request notes.IssuedRequest) (findings []finding, err error) {
	if request.Err != nil {
		return nil, request.Err
	}
	err = panics.Caught(func() (err error) {
		findings, err = r.find(ctx, request)
		return err
	})
	return findings, err
}

func (r *Rehearsal) find(ctx context.Context, request notes.IssuedRequest) ([]finding, error) {
	if request.Profile == nil {
		return []finding{lacksProfile()}, nil
	}
	then, now := request.Issued, r.onTheDay(request)
	if then.Issuer.Authority == "" { // it is no longer on record by whom it was issued
		then.Issuer = now.Issuer
	}
	authority, err := r.authority(now.Issuer.Authority)
	if err != nil {
		return nil, err
	}
	before, err := r.authority(then.Issuer.Authority)
	if err != nil {
		return nil, err
	}
	if now.Cities, err = r.citiesOf(ctx, authority, now); err != nil {
		return nil, err
	}
	warnings := r.warnings(authority, now)
	at := r.Day.Begin().Add(12 * time.Hour)
	if objection := authority.Check(now, at); objection != nil {
		return append([]finding{objected(*objection)}, warnings...), nil
	}
	draft, err := authority.Draft(now, at)
	if err != nil {
		return append([]finding{notBuilt(err)}, warnings...), nil
	}
	changes := append(federalChanges(taxes.FederalOf(then), taxes.FederalOf(now)),
		totalChanges(before.Likely(then), authority.Likely(now), now.Issuer.Simples)...)
	changes = append(changes, groupChanges(before.StatesIBSCBS(then), authority.StatesIBSCBS(now), then, now)...)
	if request.Layout != "" && request.Layout != draft.Layout {
		changes = append(changes, change("layout", "it goes out in another layout", 0))
	}
	return append(changes, warnings...), nil
}

// onTheDay is what a request would declare as a note of the day, by who issues then. Which note it once
// replaced does not matter: that one's day stays.
func (r *Rehearsal) onTheDay(request notes.IssuedRequest) fiscal.Declaration {
	present := request.Present
	present.Issuer = request.Profile.ForDay(r.Day)
	present.Note.Competence, present.Number = r.Day, 1
	present.Details.Replaces = nil
	present.Issuer.SimplesRates = withRateOf(present.Issuer.SimplesRates, r.Day.MonthBefore())
	return present
}

// withRateOf has the last known rate for a month that has none: it may be yet to come.
func withRateOf(rates map[nfse.Month]nfse.Rate, month nfse.Month) map[nfse.Month]nfse.Rate {
	if _, known := rates[month]; known || len(rates) == 0 {
		return rates
	}
	last, all := nfse.Month(""), make(map[nfse.Month]nfse.Rate, len(rates)+1)
	for one, rate := range rates {
		all[one] = rate
		last = max(last, one)
	}
	all[month] = rates[last]
	return all
}

func (r *Rehearsal) authority(name string) (Authority, error) {
	for _, one := range r.Authorities {
		if one.Name() == name {
			return one, nil
		}
	}
	return nil, fmt.Errorf("there is no authority %q", name)
}

// citiesOf are the parameters that are known of a declaration's cities, as issuing goes by them.
func (r *Rehearsal) citiesOf(
	ctx context.Context, authority Authority, declaration fiscal.Declaration,
) (map[string]fiscal.City, error) {
	asked, asks := authority.(fiscal.CityParameters)
	if !asks {
		return nil, nil
	}
	of, known := asked.CitiesOf(declaration), map[string]fiscal.City{}
	for _, code := range []string{of.Issuer, of.Incidence} {
		city, err := r.city(ctx, companies.CityKey{Authority: authority.Name(), Production: declaration.Issuer.Production,
			MunicipalityCode: code})
		if err != nil {
			return nil, err
		}
		if city != nil {
			known[code] = *city
		}
	}
	return known, nil
}

// city reads what is known of a city, once; nil where nothing counts.
func (r *Rehearsal) city(ctx context.Context, key companies.CityKey) (*fiscal.City, error) {
	if city, read := r.cities[key]; read {
		return city, nil
	}
	record, err := r.Store.Companies.City(ctx, key)
	if err != nil {
		return nil, readError{err}
	}
	if !record.Counts {
		record.City = nil
	}
	r.cities[key] = record.City
	return record.City, nil
}
