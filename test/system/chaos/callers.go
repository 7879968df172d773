package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"emissor/test/harness"
)

// callers issue, repeat and cancel notes, and ask again until they are answered,
// as a careful caller does: with the same reference, at another process, after a
// pause.
type callers struct {
	system    *system
	ledger    *ledger
	accepting sync.WaitGroup
	following sync.WaitGroup
	next      roundRobin
}

// roundRobin spreads requests over the API processes.
type roundRobin struct {
	mu   sync.Mutex
	next int
}

func (r *roundRobin) choose(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	return r.next % n
}

// callTimeout is how long a caller waits for an answer; patience is how long it
// asks again.
const (
	callTimeout = 5 * time.Second
	patience    = 5 * time.Minute
	mostAtOnce  = 64 // requests for a note that is due
)

var callerHTTP = &http.Client{
	Timeout:   callTimeout,
	Transport: &http.Transport{MaxIdleConnsPerHost: 2 * mostAtOnce, IdleConnTimeout: time.Minute},
}

// issueAll issues notes evenly over a time. It returns when the last is due, which
// is not yet accepted then.
func (c *callers) issueAll(ctx context.Context, notes []plannedNote, over time.Duration) {
	began := time.Now()
	slots := make(chan struct{}, mostAtOnce)
	for i, n := range notes {
		due := began.Add(over * time.Duration(i) / time.Duration(len(notes)))
		if sleep(ctx, time.Until(due)) != nil {
			return
		}
		slots <- struct{}{}
		c.accepting.Go(func() {
			c.issue(ctx, n)
			<-slots
		})
	}
}

// done is closed when every caller has done all that it was to do.
func (c *callers) done() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		c.accepting.Wait()
		c.following.Wait()
		close(done)
	}()
	return done
}

// issue issues one note, and does then what is planned with it.
func (c *callers) issue(ctx context.Context, n plannedNote) {
	answer, ok := c.ask(ctx, n, "POST /v1/nfse", "/v1/nfse", c.body(n))
	if !ok {
		return
	}
	var accepted acceptance
	switch {
	case answer.Status == http.StatusUnprocessableEntity && n.address.conflict:
		return // the zip code service answered, with another municipality
	case answer.Status != http.StatusAccepted || answer.Decode(&accepted) != nil:
		c.ledger.unexpected(n, "an issuance", answer.Status, answer.Body)
		return
	}
	c.ledger.accept(n, accepted)
	follow := func(delay time.Duration, what func()) {
		c.following.Go(func() {
			if sleep(ctx, delay) == nil {
				what()
			}
		})
	}
	for _, delay := range n.repeats {
		follow(delay, func() { c.repeat(ctx, n) })
	}
	if n.changed > 0 {
		follow(n.changed, func() { c.change(ctx, n) })
	}
	if n.cancel > 0 {
		follow(n.cancel, func() { c.cancel(ctx, n, accepted.ID) })
	}
}

// repeat sends the same request again.
func (c *callers) repeat(ctx context.Context, n plannedNote) {
	answer, ok := c.ask(ctx, n, "POST /v1/nfse again", "/v1/nfse", c.body(n))
	var accepted acceptance
	switch {
	case !ok:
	case answer.Status != http.StatusAccepted || answer.Decode(&accepted) != nil:
		c.ledger.unexpected(n, "the same request again", answer.Status, answer.Body)
	default:
		c.ledger.accept(n, accepted)
	}
}

// change sends another request under the same reference.
func (c *callers) change(ctx context.Context, n plannedNote) {
	body := c.body(n)
	body["amount_cents"] = n.amount + 1
	answer, ok := c.ask(ctx, n, "POST /v1/nfse changed", "/v1/nfse", body)
	if !ok {
		return
	}
	var accepted acceptance
	if answer.Status == http.StatusAccepted {
		_ = answer.Decode(&accepted) // without an id it is another note's
	}
	c.ledger.changed(n, answer.Status, answer.Error(), accepted)
}

// cancel asks for a note's cancellation.
func (c *callers) cancel(ctx context.Context, n plannedNote, id string) {
	answer, ok := c.ask(ctx, n, "POST cancel", "/v1/nfse/"+id+"/cancel", map[string]any{
		"reason_code": n.reason, "reason_text": "o serviço não foi prestado",
	})
	if !ok {
		return
	}
	switch {
	case answer.Status == http.StatusAccepted || answer.Status == http.StatusOK:
		c.ledger.cancelled(n, "requested")
	case answer.Error() == "nfse_not_cancellable":
		c.ledger.cancelled(n, "refused")
	default:
		c.ledger.unexpected(n, "a cancellation", answer.Status, answer.Body)
	}
}

// ask sends a request until something other than "try again" comes back. ok is
// false when nobody ever answered, or the run was given up.
func (c *callers) ask(ctx context.Context, n plannedNote, what, path string, body any) (harness.Answer, bool) {
	key := c.system.organizations[n.organization].TestKey
	if n.live {
		key = c.system.organizations[n.organization].LiveKey
	}
	deadline := time.Now().Add(patience)
	for pause := 100 * time.Millisecond; time.Now().Before(deadline); pause = min(2*pause, 2*time.Second) {
		api := c.system.apis[c.next.choose(len(c.system.apis))]
		client := &harness.Client{Base: api.URL, Key: key, HTTP: callerHTTP}
		answer, err := client.Call(ctx, http.MethodPost, path, body)
		if err != nil {
			c.ledger.count(what + ": no answer")
		} else {
			c.ledger.count(fmt.Sprint(what, ": ", answer.Status))
		}
		wait := pause/2 + rand.N(pause)
		switch {
		case err != nil:
		case answer.Status == http.StatusServiceUnavailable, answer.Status == http.StatusTooManyRequests:
			if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil {
				wait = min(wait, time.Duration(seconds)*time.Second)
			}
		default:
			return answer, true
		}
		if sleep(ctx, wait) != nil {
			return harness.Answer{}, false
		}
	}
	c.ledger.unexpected(n, what, 0, []byte("nothing for "+patience.String()))
	return harness.Answer{}, false
}

// body is the request of a note.
func (c *callers) body(n plannedNote) map[string]any {
	organization := c.system.organizations[n.organization]
	service := organization.TestService
	if n.live {
		service = organization.LiveService
	}
	body := harness.Issuance(service, n.reference)
	body["amount_cents"] = n.amount
	customer := maps.Clone(body["customer"].(map[string]any))
	address := maps.Clone(customer["address"].(map[string]any))
	customer["document"], customer["name"], address["zip_code"] = n.document, n.name, n.address.zip
	if n.address.declared != "" {
		customer["municipality_code"] = n.address.declared
	}
	customer["address"], body["customer"] = address, customer
	if n.scenario != "" {
		body["sandbox_scenario"] = n.scenario
	}
	return body
}
