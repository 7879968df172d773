package dashboard

import (
	"fmt"
	"time"

	"emissor/nfse"
	"emissor/store"
)

const (
	organizationsOnPage = 100
	operationsRows      = 50 // of each of the other lists
)

// operationsPage is what those see who run the installation. It is what the database
// knows: the dashboard is connected to neither the engine nor an authority.
type operationsPage struct {
	Database  store.DatabaseHealth
	Answered  time.Duration // how long the database took to say so
	Processes []store.KeysetReport

	Organizations []store.InstalledOrganization
	MoreURL       string // of the organizations behind these

	Held          []store.HeldNote
	Outbox        []store.WaitingStart
	Oldest        time.Duration // of the outbox; 0 when nothing waits
	Calls         []store.AuthorityCall
	Outcomes      []outcomeCount
	Distributions []store.StuckDistribution
	Cities        []store.FailedCity
}

// outcomeCount is how many of the latest calls to authorities ended so.
type outcomeCount struct {
	Outcome string
	Count   int
}

// Size writes the size of the database.
func (p operationsPage) Size() string { return fmt.Sprintf("%d MB", p.Database.Bytes>>20) }

func (d *Dashboard) showOperations(r *request) (err error) {
	ctx := r.Context()
	var page operationsPage
	asked := time.Now()
	if page.Database, err = d.store.DatabaseHealth(ctx); err != nil {
		return err
	}
	page.Answered = time.Since(asked)
	after := r.URL.Query().Get("organizations")
	if page.Organizations, err = d.store.InstalledOrganizations(ctx, after, organizationsOnPage+1); err != nil {
		return err
	}
	if len(page.Organizations) > organizationsOnPage {
		page.Organizations = page.Organizations[:organizationsOnPage]
		page.MoreURL = r.link("/operations", "organizations", page.Organizations[organizationsOnPage-1].ID)
	}
	if page.Processes, err = d.store.KeysetReports(ctx); err != nil {
		return err
	}
	if page.Held, err = d.store.HeldNotes(ctx, "", operationsRows); err != nil {
		return err
	}
	if page.Outbox, err = d.store.WaitingStarts(ctx, operationsRows); err != nil {
		return err
	}
	if len(page.Outbox) > 0 {
		page.Oldest = max(0, time.Since(page.Outbox[0].CreatedAt.Time))
	}
	if page.Calls, err = d.store.LatestCalls(ctx, operationsRows); err != nil {
		return err
	}
	page.Outcomes = countOutcomes(page.Calls)
	if page.Distributions, err = d.store.StuckDistributions(ctx, operationsRows); err != nil {
		return err
	}
	if page.Cities, err = d.store.FailedCities(ctx, operationsRows); err != nil {
		return err
	}
	return r.render("operations", "section.operations", page)
}

// countOutcomes counts calls by what came of them, in the order in which each came first.
func countOutcomes(calls []store.AuthorityCall) (counts []outcomeCount) {
	places := map[string]int{}
	for _, call := range calls {
		place, known := places[call.Outcome]
		if !known {
			place = len(counts)
			places[call.Outcome] = place
			counts = append(counts, outcomeCount{Outcome: call.Outcome})
		}
		counts[place].Count++
	}
	return counts
}

// Of is the address of a page of an organization that a list names.
func (operationsPage) Of(path, organizationID string, livemode bool) string {
	return path + "?org=" + organizationID + "&env=" + nfse.Environment(livemode)
}
