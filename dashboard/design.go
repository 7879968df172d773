package dashboard

import (
	"regexp"
	"strconv"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/operate"
	"emissor/store/webhooks"
)

// designPage shows every component of the stylesheet, by the blocks and classes of the pages that have it, so that
// what changes of one shows here. Its records are made up, and of one moment, so that it is the same every time.
type designPage struct {
	Tokens     []designToken
	Spaces     []int // in units
	Statuses   []nfse.Status
	Notes      []nfse.Note
	Deliveries []webhooks.Delivery
	Attempts   []designAttempt
	Endpoints  []designEndpoint
	Progress   []string // states of a step
	Form       *frame.Form
	Options    []frame.Option
	Found      []frame.Found
	Changed    []frame.Difference
	Plot       frame.Plot
	Bars       frame.Bars
}

// designAttempt and designEndpoint are what the blocks of an attempt and of an endpoint's state read.
type designAttempt struct {
	nfse.DeliveryAttempt
	Took time.Duration
}

type designEndpoint struct {
	State  string
	Many   bool
	Failed int
}

// designToken is a custom property of the stylesheet's root.
type designToken struct {
	Name, Value string
	Colour      bool
}

var (
	rootRule    = regexp.MustCompile(`(?s):root \{(.*?)\}`)
	customValue = regexp.MustCompile(`--([a-z-]+): ([^;]+);`)
	colourValue = regexp.MustCompile(`#[0-9a-f]{6}`)
)

// designTokens are the tokens as the stylesheet declares them.
func designTokens() (tokens []designToken, err error) {
	style, err := assetFiles.ReadFile("assets/style.css")
	if err != nil {
		return nil, err
	}
	for _, found := range customValue.FindAllSubmatch(rootRule.FindSubmatch(style)[1], -1) {
		tokens = append(tokens, designToken{string(found[1]), string(found[2]), colourValue.Match(found[2])})
	}
	return tokens, nil
}

func showDesign(r *frame.Request) error {
	page, err := newDesignPage(r, nfse.Timestamp{Time: time.Date(2026, 11, 28, 10, 0, 0, 0, format.Zone)})
	if err != nil {
		return err
	}
	return r.Render("design", "design.title", page)
}

func newDesignPage(r *frame.Request, at nfse.Timestamp) (page designPage, err error) {
	if page.Tokens, err = designTokens(); err != nil {
		return page, err
	}
	page.Spaces = []int{1, 2, 3, 4, 6, 8}
	page.Statuses = append(append(page.Statuses, frame.Plotted...), notepages.StatusHeld)
	page.fillForm()
	figures := map[nfse.Status]operate.Figure{}
	for i, status := range page.Statuses {
		note := nfse.Note{ID: "nfse_x", CreatedAt: at, Competence: nfse.DayOf(at.Time), Reference: "consulta-154",
			AmountCents: int64(i+1) * 41250, Status: status}
		note.Customer.Name, note.Service.Name = "Maria da Silva", "Consulta"
		page.Notes = append(page.Notes, note)
		figures[status] = operate.Figure{Notes: int64(i + 1), AmountCents: note.AmountCents}
	}
	page.Plot = frame.NewPlot(r.Language, []operate.DayFigures{{Day: at.Format(time.DateOnly), Notes: figures}},
		at.AddDate(0, 0, 1-frame.OverviewDays), frame.OverviewDays)
	page.Bars = frame.Bars{Name: "design", Title: r.Language.Say("design.figures"), Of: "endpoints.url", Columns: []string{
		"deliveries.status.delivered", "deliveries.status.pending", "deliveries.status.failed"}}
	page.Bars.Add("https://example.com/nfse", func(n int64) string { return strconv.FormatInt(n, 10) }, 97, 41, 12)
	for i, status := range []webhooks.DeliveryStatus{webhooks.DeliveryDelivered, webhooks.DeliveryPending,
		webhooks.DeliveryFailed, webhooks.DeliverySkipped} {
		page.Deliveries = append(page.Deliveries, webhooks.Delivery{ID: "dlv_x", CreatedAt: at, Status: status,
			EventType: nfse.EventIssued, URL: "https://example.com/nfse", Attempts: i})
	}
	page.Attempts = []designAttempt{{nfse.DeliveryAttempt{StartedAt: at, Status: new(200)}, 41 * time.Millisecond},
		{nfse.DeliveryAttempt{StartedAt: at, Status: new(500), Answer: "Internal Server Error",
			Problem: fact.ReceiverAnswered.With("status", 500)}, 97 * time.Millisecond}}
	page.Endpoints = []designEndpoint{{State: "enabled"}, {State: "failing", Failed: 3}, {State: "disabled"},
		{State: "removed"}}
	page.Progress = []string{"done", "current", "waiting", "failed", "to_come", "left_out"}
	return page, nil
}

// fillForm fills in a form with a field in each of its states.
func (p *designPage) fillForm() {
	p.Form = frame.FormOf(map[string]string{"name": "Maria da Silva", "amount": "1.250,50", "tick": "on", "city": "sao",
		"locked": "11.222.333/0001-81", "tax_id": "11.222.333/0001-82", "choice": "2"})
	p.Form.LockedFields = []string{"locked"}
	p.Form.AddProblem("tax_id", "issue.wrong.tax_id")
	p.Options = []frame.Option{{Value: "1", Text: "Maria da Silva"}, {Value: "2", Text: "João Prado"}}
	p.Found = []frame.Found{{Field: "city", Label: "catalogue.cities", Options: []frame.Option{{Value: "3550308",
		Text: "São Paulo/SP"}}}}
	p.Changed = []frame.Difference{{Label: "notes.taker", Now: "Maria da Silva"}}
}
