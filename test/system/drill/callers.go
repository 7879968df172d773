package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"emissor/test/generate"
	"emissor/test/harness"
)

// request is a note that a caller wants, and what the caller was answered.
type request struct {
	company   int // its place among the companies
	live      bool
	reference string
	amount    int // another for each request: by it the documents of a ledger are recognized
	body      map[string]any
	cancel    map[string]any // the body of its cancellation, which is the same each time

	mu        sync.Mutex
	ids       []string // that were accepted, each once, in the order of the answers
	accepted  time.Time
	cancelled bool // a cancellation was accepted
}

// String names it in what is found broken.
func (r *request) String() string {
	return fmt.Sprintf("%.40q of company %d (%d cents, live %v)", r.reference, r.company+1, r.amount, r.live)
}

// answered keeps that the request was accepted as a note.
func (r *request) answered(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.accepted.IsZero() {
		r.accepted = time.Now()
	}
	if !slices.Contains(r.ids, id) {
		r.ids = append(r.ids, id)
	}
}

// present is the note that the request was accepted as last, and when it was first; empty when it never was.
func (r *request) present() (id string, first time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.ids) == 0 {
		return "", time.Time{}
	}
	return r.ids[len(r.ids)-1], r.accepted
}

// callers issue notes, cancel some, and ask again until they are answered, as careful callers do. They keep
// records of their own.
type callers struct {
	installation *installation
	generate     *generate.Generator
	asking       sync.WaitGroup

	mu         sync.Mutex
	requests   []*request
	unexpected []string // answers that the contract does not have
}

// The notes of a second, of all companies; one of liveShare is live, one of cancelledShare is to be cancelled.
const (
	notesASecond   = 8
	liveShare      = 0.5
	cancelledShare = 0.15
)

// issue issues notes until ctx ends. Who was not answered by then goes on asking until the end of life.
func (c *callers) issue(ctx, life context.Context) {
	pace := time.NewTicker(time.Second / notesASecond)
	defer pace.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-pace.C:
			r := c.next()
			cancel := c.generate.Chance(cancelledShare)
			delay := time.Duration(c.generate.IntN(5000)) * time.Millisecond
			c.asking.Go(func() {
				if c.accept(life, r) && cancel && sleep(ctx, delay) == nil {
					c.cancel(life, r)
				}
			})
		}
	}
}

// next makes the next request, and keeps it.
func (c *callers) next() *request {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.generate
	r := &request{
		company: g.IntN(len(c.installation.companies)), live: g.Chance(liveShare),
		reference: g.Reference(), amount: 10_000 + len(c.requests), cancel: g.Cancellation(),
	}
	r.body = c.installation.companies[r.company].issuance(g, r)
	c.requests = append(c.requests, r)
	return r
}

// accept issues a note, and reports whether it was accepted.
func (c *callers) accept(ctx context.Context, r *request) bool {
	answer, err := c.ask(ctx, r, "/v1/nfse", r.body)
	if err != nil {
		return false
	}
	var accepted struct{ ID string }
	if answer.Status != http.StatusAccepted || answer.Decode(&accepted) != nil || accepted.ID == "" {
		c.unknown(r, answer)
		return false
	}
	r.answered(accepted.ID)
	return true
}

// cancel asks for the cancellation of the note that the request is now.
func (c *callers) cancel(ctx context.Context, r *request) {
	id, _ := r.present()
	answer, err := c.ask(ctx, r, "/v1/nfse/"+id+"/cancel", r.cancel)
	switch {
	case err != nil:
	case answer.Status == http.StatusAccepted || answer.Status == http.StatusOK:
		r.mu.Lock()
		defer r.mu.Unlock()
		r.cancelled = true
	case answer.Error() == "nfse_not_cancellable", answer.Status == http.StatusNotFound: // it was lost
	default:
		c.unknown(r, answer)
	}
}

// callerHTTP waits for an answer as long as a caller does.
var callerHTTP = &http.Client{
	Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute},
}

// ask sends a request until it is answered, or ctx ends.
func (c *callers) ask(ctx context.Context, r *request, path string, body any) (harness.Answer, error) {
	key := c.installation.companies[r.company].key(r.live)
	for {
		client := &harness.Client{Base: c.installation.apiURL(), Key: key, HTTP: callerHTTP}
		answer, err := client.Call(ctx, http.MethodPost, path, body)
		if err == nil && answer.Status < 500 && answer.Status != http.StatusTooManyRequests &&
			answer.Status != http.StatusUnauthorized { // a table of keys that was dropped knows nobody
			return answer, nil
		}
		if err := sleep(ctx, 200*time.Millisecond); err != nil {
			return answer, err
		}
	}
}

// again asks once more for notes that were accepted, as a caller does who reconciles, and returns when all are
// answered: what is not on record any more becomes a new note, under its reference. One of two callers does;
// of cancellations all do.
func (c *callers) again(ctx context.Context) {
	var answering sync.WaitGroup
	for i, r := range c.all() {
		id, _ := r.present()
		r.mu.Lock()
		cancelled := r.cancelled
		r.mu.Unlock()
		if id == "" || i%2 == 0 && !cancelled {
			continue
		}
		answering.Go(func() {
			if c.accept(ctx, r) && cancelled {
				c.cancel(ctx, r)
			}
		})
	}
	answering.Wait()
}

// whose is the request for a note of an amount; nil where there is none.
func (c *callers) whose(amount int) *request {
	for _, r := range c.all() {
		if r.amount == amount {
			return r
		}
	}
	return nil
}

// answerPatience is how long callers who ask again may wait for an answer once everything is there.
const answerPatience = time.Minute

// answered waits until everybody was answered, and reports whether that was so in time.
func (c *callers) answered() bool {
	all := make(chan struct{})
	go func() {
		c.asking.Wait()
		close(all)
	}()
	select {
	case <-all:
		return true
	case <-time.After(answerPatience):
		return false
	}
}

func (c *callers) unknown(r *request, answer harness.Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unexpected = append(c.unexpected, fmt.Sprintf("%s was answered %d %.200s", r, answer.Status, answer.Body))
}

// all are the requests so far.
func (c *callers) all() []*request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.requests)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// company is an organization that issues by an authority.
type company struct {
	harness.Organization
	cnpj   string
	inCity bool // by the city of São Paulo
}

func (o company) key(live bool) string {
	if live {
		return o.LiveKey
	}
	return o.TestKey
}

// issuance is the body of a request: texts of any kind in the test environment, and in the live one those
// that documents carry, so that the note gets to the authority.
func (o company) issuance(g *generate.Generator, r *request) map[string]any {
	var body map[string]any
	if r.live {
		body = harness.Issuance(o.LiveService, r.reference)
		customer := maps.Clone(body["customer"].(map[string]any))
		customer["document"], customer["name"] = g.CPF(), generate.UsualName(g.IntN(1000))
		body["customer"] = customer
	} else {
		body = g.Issuance(o.TestService, g.Person())
		body["reference"], body["sandbox_scenario"] = r.reference, "authorized"
	}
	body["amount_cents"] = r.amount
	return body
}

// issueOne issues one more note, a live one at the national system, and waits until it is issued.
func (c *callers) issueOne(ctx context.Context, live bool) error {
	c.mu.Lock()
	amount := 1_000_000 + len(c.requests)
	r := &request{live: live, reference: fmt.Sprint("after ", amount), amount: amount}
	company := c.installation.companies[0]
	service := company.TestService
	if live {
		service = company.LiveService
	}
	r.body = harness.Issuance(service, r.reference)
	r.body["amount_cents"] = r.amount
	c.requests = append(c.requests, r)
	c.mu.Unlock()
	if !c.accept(ctx, r) {
		return fmt.Errorf("%s was not accepted", r)
	}
	id, _ := r.present()
	ctx, cancel := context.WithTimeout(ctx, endPatience)
	defer cancel()
	return harness.Await(ctx, r.String()+" is issued", func(ctx context.Context) bool {
		var note struct{ Status string }
		client := &harness.Client{Base: c.installation.apiURL(), Key: company.key(live), HTTP: callerHTTP}
		return client.Must(ctx, http.MethodGet, "/v1/nfse/"+id, nil, &note) == nil && note.Status == "issued"
	})
}
