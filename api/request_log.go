package api

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store/operate"
)

// The request log is written beside the requests, which cost no statement more by it. A process that
// dies loses what it has not written: the requests of the last requestsWrittenEach, and those that it
// was writing, never more than requestsWaiting of each. docs/operations/request-log.md says so too.
const (
	requestsWrittenEach = 2 * time.Second
	requestsWaiting     = 10_000 // what comes while so many wait is dropped, and counted
	requestsAtOnce      = 500    // written by one statement
	requestsLongest     = 10 * time.Second
)

// requestLog has the requests that are still to be written.
type requestLog struct {
	dropped func(requests int)

	mu       sync.Mutex
	requests []operate.APIRequest
	refused  map[refusedKey]int
}

type refusedKey struct {
	scope nfse.Scope
	id    string
}

// add takes an answered request with a valid key.
func (l *requestLog) add(current *request, r *http.Request) {
	if current.key.ID == "" {
		return
	}
	entry := logged(current, r)
	l.mu.Lock()
	full := len(l.requests) >= requestsWaiting
	if !full {
		l.requests = append(l.requests, entry)
	}
	l.mu.Unlock()
	if full {
		l.dropped(1)
	}
}

// logged is what the log keeps of a request: nothing in it is a caller's text.
func logged(current *request, r *http.Request) operate.APIRequest {
	entry := operate.APIRequest{
		ID: current.ID, Scope: current.key.Scope, At: nfse.Timestamp{Time: current.Started}, APIKeyID: current.key.ID,
		Method: web.KnownMethod(r.Method), Route: chi.RouteContext(r.Context()).RoutePattern(),
		Status: current.Status(), Microseconds: time.Since(current.Started).Microseconds(), ErrorCode: current.code,
		NoteID: current.noteID,
	}
	for _, prefix := range []nfse.Prefix{nfse.PrefixNote, nfse.PrefixService, nfse.PrefixCustomer} {
		if id := chi.URLParam(r, "id"); nfse.IsID(prefix, id) {
			entry.PathID = id
		}
	}
	if isContractField(current.field) {
		entry.ErrorField = current.field
	}
	if sent := current.sent; sent != nil {
		entry.BodyBytes, entry.Fields, entry.OtherFields = sent.size, sent.sent, len(sent.unknown)
	}
	return entry
}

// contractNames are the names of fields and parameters in the contract. Other names are a caller's
// own words, and are not kept.
var contractNames = strings.Fields(`active address amount_cents complement customer customer_id
	default_amount_cents description district document email id iss_rate iss_withheld limit municipal_tax_code
	municipal_taxation municipality_code name national_tax_code nickname number reason_code reason_text reference
	sandbox_scenario service service_id starting_after street street_type zip_code`)

func isContractField(field string) bool {
	if field == "" {
		return false
	}
	for name := range strings.SplitSeq(field, ".") {
		if !slices.Contains(contractNames, name) {
			return false
		}
	}
	return true
}

// countRefused counts a request that is refused because of its key, which is zero where it is not on
// record.
func (a *API) countRefused(key nfse.APIKey) {
	if key.ID == "" {
		a.metrics.KeyRefused("unknown")
		return
	}
	a.metrics.KeyRefused("known")
	a.log.mu.Lock()
	defer a.log.mu.Unlock()
	if a.log.refused == nil {
		a.log.refused = map[refusedKey]int{}
	}
	a.log.refused[refusedKey{key.Scope, key.ID}]++
}

// take returns what is to be written and removes it.
func (l *requestLog) take() (requests []operate.APIRequest, refused []operate.RefusedKey) {
	l.mu.Lock()
	defer l.mu.Unlock()
	requests, l.requests = l.requests, nil
	for _, key := range slices.SortedFunc(maps.Keys(l.refused), func(a, b refusedKey) int {
		return strings.Compare(a.id, b.id)
	}) {
		refused = append(refused, operate.RefusedKey{Scope: key.scope, APIKeyID: key.id, Refusals: l.refused[key]})
	}
	clear(l.refused)
	return requests, refused
}

// KeepRequestLog writes every few seconds which requests were answered, until ctx ends, and then
// what is left.
func (a *API) KeepRequestLog(ctx context.Context) {
	retry.Every(ctx, requestsWrittenEach, func() { a.WriteRequests(ctx) })
	a.WriteRequests(context.WithoutCancel(ctx))
}

// WriteRequests writes the requests that were answered until now. What the database does not take is
// lost, and counted.
func (a *API) WriteRequests(ctx context.Context) {
	requests, refused := a.log.take()
	for len(requests) > 0 {
		part := requests[:min(len(requests), requestsAtOnce)]
		err := panics.Within(ctx, requestsLongest, func(ctx context.Context) error {
			return a.store.Operate.AddRequests(ctx, part, a.notLogged)
		})
		if err != nil { // the database's: the others would wait for it as well
			a.metrics.RequestsNotLogged(len(requests))
			a.logger.LogAttrs(ctx, slog.LevelError, "requests were not added to the request log",
				slog.String("loop", "request log"), slog.Int("requests", len(requests)), slog.Any("error", err))
			return
		}
		requests = requests[len(part):]
	}
	if len(refused) == 0 {
		return
	}
	err := panics.Within(ctx, requestsLongest, func(ctx context.Context) error {
		return a.store.Operate.CountRefusedKeys(ctx, refused)
	})
	if err != nil {
		a.logger.LogAttrs(ctx, slog.LevelError, "refused keys were not counted",
			slog.String("loop", "request log"), slog.Int("keys", len(refused)), slog.Any("error", err))
	}
}

// notLogged says that one request cannot be written.
func (a *API) notLogged(request operate.APIRequest, err error) {
	a.metrics.RequestsNotLogged(1)
	a.metrics.RowFailed("request log")
	a.logger.Error("a request was not added to the request log", "loop", "request log", "row_id", request.ID,
		"error", err)
}
