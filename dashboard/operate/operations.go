package operate

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	webhookpages "emissor/dashboard/webhooks"
	"emissor/dashboard/words"
	"emissor/fiscal/drift"
	"emissor/nfse"
	"emissor/store/lifecycle"
	"emissor/store/notes"
	"emissor/store/operate"
)

const (
	organizationsOnPage = 50
	operationsRows      = 20 // of each of the other lists: the page of an installation in trouble stays below 100 KB
)

// operationsPage is for those who run the installation. It leads with what is wrong, each with the act
// that puts it right; how the database and the engine are, the companies and the last calls follow.
type operationsPage struct {
	operate.Trouble
	Names map[string]string // of organizations, by their ids
	Form  *frame.Form       // of a new company

	Version   string // of this process
	Database  operate.DatabaseHealth
	Answered  time.Duration // how long the database took to answer
	Engine    *engineAnswer // nil: it was not asked
	Connected []operate.Connected
	Processes []operate.KeysetReport

	Organizations []operate.InstalledOrganization
	MoreURL       string // of the next organizations
	FirstURL      string // of every list from its beginning; empty where the page shows that

	Held          []lifecycle.HeldNote
	MoreHeldURL   string
	Outbox        []operate.OutboxRow
	MoreOutboxURL string
	Oldest        time.Duration // of the outbox; 0 when nothing waits
	Calls         []operate.AuthorityCall
	Outcomes      []outcomeCount
	Distributions []operate.StuckDistribution
	Cities        []operate.FailedCity
	Turned        []notes.TurnedCity
	Drifts        []drift.Drift
}

// engineAnswer is the result of asking the engine.
type engineAnswer struct {
	Took    time.Duration
	Problem string // empty: it answers
}

// outcomeCount is how many of the latest calls to authorities had an outcome.
type outcomeCount struct {
	Outcome string
	Count   int
}

// Size writes the size of the database.
func (p operationsPage) Size() string { return fmt.Sprintf("%d MB", p.Database.Bytes>>20) }

func ShowOperations(r *frame.Request) error {
	return renderOperations(r, http.StatusOK, r.NewForm("name"))
}

// renderOperations shows the page with a status and the form of a new company.
func renderOperations(r *frame.Request, status int, form *frame.Form) (err error) {
	ctx, d := r.Context(), r.D
	page := operationsPage{Form: form}
	if page.Trouble, err = d.Store.Operate.Troubles(ctx, time.Now(), operationsRows); err != nil {
		return err
	}
	asked := time.Now()
	if page.Database, err = d.Store.Operate.DatabaseHealth(ctx); err != nil {
		return err
	}
	page.Answered, page.Version, page.Engine = time.Since(asked), d.Version, askEngine(ctx, d)
	if page.Connected, err = d.Store.Operate.ConnectedPrograms(ctx); err != nil {
		return err
	}
	if page.Processes, err = d.Store.Operate.KeysetReports(ctx); err != nil {
		return err
	}
	if err := listOperations(r, &page); err != nil {
		return err
	}
	if page.Calls, err = d.Store.Operate.LatestCalls(ctx, operationsRows); err != nil {
		return err
	}
	page.Outcomes = countOutcomes(page.Calls)
	if page.Distributions, err = d.Store.Operate.StuckDistributions(ctx, operationsRows); err != nil {
		return err
	}
	if page.Cities, err = d.Store.Operate.FailedCities(ctx, operationsRows); err != nil {
		return err
	}
	if page.Turned, err = d.Store.Notes.TurnedCities(ctx, operationsRows); err != nil {
		return err
	}
	if page.Drifts, err = d.Store.Operate.Drifts(ctx, operationsRows); err != nil {
		return err
	}
	if page.Names, err = d.Store.Operate.OrganizationNames(ctx, page.organizationIDs()); err != nil {
		return err
	}
	return r.RenderStatus(status, "operations", "section.operations", page)
}

// organizationIDs are the organizations of the lists that have only their ids.
func (p operationsPage) organizationIDs() (ids []string) {
	for _, one := range p.Held {
		ids = append(ids, one.OrganizationID)
	}
	for _, one := range p.Outbox {
		ids = append(ids, one.OrganizationID)
	}
	for _, one := range p.Calls {
		ids = append(ids, one.OrganizationID)
	}
	for _, one := range p.Turned {
		ids = append(ids, one.OrganizationID)
	}
	return ids
}

// Well reports whether nothing is wrong that a person should look at.
func (p operationsPage) Well() bool {
	return p.Trouble.None() && len(p.Held)+len(p.Distributions)+len(p.Cities)+p.Refused() == 0 && !p.Stalled() &&
		(p.Engine == nil || p.Engine.Problem == "")
}

// FailedEmails counts the e-mails that were given up.
func (p operationsPage) FailedEmails() (count int) {
	for _, one := range p.Emails {
		count += one.Count
	}
	return count
}

// AtLeast counts the rows of a list that may have been cut.
func (operationsPage) AtLeast(rows int) string {
	if rows < operationsRows {
		return strconv.Itoa(rows)
	}
	return strconv.Itoa(rows) + "+"
}

// SlowNotes counts the notes on their way for long: of each organization only the oldest of a status are listed.
func (p operationsPage) SlowNotes() string {
	type listed struct {
		organization string
		status       nfse.Status
	}
	of := map[listed]int{}
	cut := len(p.Slow) == operationsRows
	for _, one := range p.Slow {
		group := listed{one.OrganizationID, one.Status}
		of[group]++
		cut = cut || of[group] == operate.SlowOfEach
	}
	if cut {
		return strconv.Itoa(len(p.Slow)) + "+"
	}
	return strconv.Itoa(len(p.Slow))
}

// stalledAfter is how old the oldest row of the outbox is where nothing moves.
const stalledAfter = time.Minute

// Stalled reports whether the outbox does not move.
func (p operationsPage) Stalled() bool { return p.Oldest > stalledAfter }

// Refused counts the rows of the outbox shown that the engine did not take.
func (p operationsPage) Refused() (count int) {
	for _, row := range p.Outbox {
		if row.Failures > 0 {
			count++
		}
	}
	return count
}

// listOperations reads the lists of which the address may name where the page begins.
func listOperations(r *frame.Request, page *operationsPage) (err error) {
	ctx, query, store := r.Context(), r.URL.Query(), r.D.Store
	page.Organizations, err = store.Operate.InstalledOrganizations(ctx, query.Get("organizations"), organizationsOnPage+1)
	if err != nil {
		return err
	}
	if len(page.Organizations) > organizationsOnPage {
		page.Organizations = page.Organizations[:organizationsOnPage]
		page.MoreURL = r.Link("/operations", "organizations", page.Organizations[organizationsOnPage-1].ID)
	}
	if page.Held, err = store.Operate.HeldNotesBehind(ctx, query.Get("held"), operationsRows+1); err != nil {
		return err
	}
	if len(page.Held) > operationsRows {
		page.Held = page.Held[:operationsRows]
		page.MoreHeldURL = r.Link("/operations", "held", page.Held[operationsRows-1].ID)
	}
	behind, _ := strconv.ParseInt(query.Get("outbox"), 10, 64)
	oldest, err := store.Operate.OutboxBehind(ctx, 0, 1)
	if err != nil {
		return err
	}
	if len(oldest) > 0 {
		page.Oldest = max(0, time.Since(oldest[0].CreatedAt.Time))
	}
	if page.Outbox, err = store.Operate.OutboxBehind(ctx, behind, operationsRows+1); err != nil {
		return err
	}
	if len(page.Outbox) > operationsRows {
		page.Outbox = page.Outbox[:operationsRows]
		page.MoreOutboxURL = r.Link("/operations", "outbox", strconv.FormatInt(page.Outbox[operationsRows-1].ID, 10))
	}
	if query.Has("organizations") || query.Has("held") || query.Has("outbox") {
		page.FirstURL = r.Link("/operations")
	}
	return nil
}

// askEngine asks the engine how it is, where this process is connected to it.
func askEngine(ctx context.Context, d *frame.Dashboard) *engineAnswer {
	if d.Engine == nil {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, frame.EngineDeadline)
	defer stop()
	asked := time.Now()
	err := d.Engine.Check(ctx)
	answer := engineAnswer{Took: time.Since(asked)}
	if err != nil {
		answer.Problem = err.Error()
	}
	return &answer
}

// countOutcomes counts calls by their outcomes, in the order in which each came first.
func countOutcomes(calls []operate.AuthorityCall) (counts []outcomeCount) {
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

// Said is the name of an authority.
func (operationsPage) Said(language words.Language, authority string) string {
	return language.Authority(authority)
}

// City is the name of a municipality.
func (operationsPage) City(code string) string { return cataloguepages.MunicipalityName(code) }

// Minute is a moment as the form takes it that sends deliveries again since then.
func (operationsPage) Minute(at *nfse.Timestamp) string {
	return at.In(format.Zone).Format(webhookpages.Minutes)
}

// Over reports whether a certificate has ended.
func (operationsPage) Over(one operate.EndingCertificate) bool {
	return time.Now().After(one.NotAfter.Time)
}

// Of is the address of a page of an organization in a list.
func (operationsPage) Of(path, organizationID string, livemode bool) string {
	return path + "?org=" + organizationID + "&env=" + nfse.Environment(livemode)
}
