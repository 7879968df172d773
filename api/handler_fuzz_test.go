package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"emissor/api"
	"emissor/nfse"
	"emissor/test/testkit"
)

// handlerUnderFire is the whole handler, in this process, with a real database
// and without limits.
type handlerUnderFire struct {
	handler http.Handler
	keys    []string
	paths   []string
	bodies  [][]byte
}

func newHandlerUnderFire(t testing.TB) handlerUnderFire {
	t.Helper()
	s := testkit.NewSystem(t, testkit.Options{})
	service := s.NewService(t, s.TestKey)
	note := s.Issue(t, s.TestKey, testkit.Issuance(service, "seed"))
	customer := s.Call(t, http.MethodGet, "/v1/nfse/"+note, s.TestKey, nil).Text("customer_id")
	u := handlerUnderFire{keys: []string{s.TestKey, s.TestKey, s.LiveKey, "svc_test_x", ""}}
	u.handler = api.New(api.Options{Store: s.Store, Resolver: s.Resolver, Metrics: s.Metrics,
		Logger: slog.New(slog.DiscardHandler)}).Handler()
	for _, path := range []string{"/v1/services", "/v1/customers", "/v1/nfse"} {
		u.paths = append(u.paths, path, path, path, path+"?limit=5&starting_after="+service,
			path+"?limit=5&starting_after="+note, path+"?limit=100&starting_after=%00", path+"?limit=-1")
	}
	u.paths = append(u.paths, "/v1/services/"+service, "/v1/customers/"+customer, "/v1/nfse/"+note,
		"/v1/nfse/"+note+"/cancel", "/v1/nfse/"+note+"/xml", "/v1/nfse/%00", "/v1/nfse/a%2Fb/cancel", "/v1/health",
		"/llms-full.txt", "/", "/v1/customers/"+nfse.NewID(nfse.PrefixCustomer))
	for _, body := range []any{
		testkit.Issuance(service, "r"), testkit.Body{"reason_code": "1", "reason_text": "Emitida por engano, desculpe"},
		testkit.Body{"name": "Suporte", "description": "Suporte técnico", "municipality_code": saoPaulo,
			"default_amount_cents": 15000, "iss_rate": 2.01, "national_tax_code": "01.07.01", "active": true},
		testkit.Body{"document": "529.982.247-25", "name": "Maria", "email": "maria@example.com", "nickname": nil,
			"address": testkit.Body{"zip_code": zipSaoPaulo, "street": "Rua", "number": "1", "district": "Sé"}},
		testkit.Body{"reference": "r", "service_id": service, "amount_cents": 1, "customer_id": customer,
			"service": testkit.Body{"description": "Consulta"}, "iss_withheld": true, "sandbox_scenario": "slow"},
		testkit.Body{}, []any{}, nil,
	} {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		u.bodies = append(u.bodies, text)
	}
	return u
}

// send calls the handler and returns why its answer is none; empty is well.
func (u handlerUnderFire) send(method, path, key string, body []byte) (status int, fault string) {
	request, err := http.NewRequest(method, "http://emissor.test/", bytes.NewReader(body))
	if err != nil {
		return 0, ""
	}
	if request.URL, err = request.URL.Parse(path); err != nil {
		return 0, ""
	}
	request.RemoteAddr = "127.0.0.1:1"
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+key)
	recorder := httptest.NewRecorder()
	u.handler.ServeHTTP(recorder, request)
	answer := recorder.Result()
	content, _ := io.ReadAll(answer.Body)
	switch {
	case answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests:
		return answer.StatusCode, string(content)
	case answer.StatusCode >= 400 && method != http.MethodHead:
		var envelope struct {
			Error struct {
				Code, Message string
				RequestID     string `json:"request_id"`
			}
		}
		if json.Unmarshal(content, &envelope) != nil || envelope.Error.Code == "" || envelope.Error.Message == "" ||
			envelope.Error.RequestID != answer.Header.Get("X-Request-Id") {
			return answer.StatusCode, "no envelope: " + string(content)
		}
	}
	return answer.StatusCode, ""
}

var methods = []string{http.MethodPost, http.MethodPost, http.MethodPost, http.MethodPatch, http.MethodGet,
	http.MethodHead, http.MethodDelete}

// FuzzHandler sends any bytes to any operation.
func FuzzHandler(f *testing.F) {
	u := newHandlerUnderFire(f)
	for _, body := range u.bodies {
		for at := range u.paths {
			f.Add(uint8(0), uint8(at), uint8(0), "", body)
		}
	}
	f.Fuzz(func(t *testing.T, method, path, key uint8, tail string, body []byte) {
		target := u.paths[int(path)%len(u.paths)] + tail
		if status, fault := u.send(methods[int(method)%len(methods)], target, u.keys[int(key)%len(u.keys)],
			body); fault != "" {
			t.Errorf("%q: %d %s\n%q", target, status, fault, body)
		}
	})
}

// However many bodies come, each gets an answer that is its own fault or none, and
// the memory stays what it was. FUZZ_BODIES says how many: 10000000 takes hours.
// FUZZ_TIME ends it sooner.
func TestHandler_ManyBodies(t *testing.T) {
	count, limit := 2_000, time.Hour
	if text := os.Getenv("FUZZ_BODIES"); text != "" {
		var err error
		if count, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	if text := os.Getenv("FUZZ_TIME"); text != "" {
		var err error
		if limit, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	u := newHandlerUnderFire(t)
	before, ends := heapInUse(), time.Now().Add(limit)
	var sent, faults atomic.Int64
	var statuses [600]atomic.Int64
	var most atomic.Uint64
	var done sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) * 2 {
		done.Go(func() {
			random := rand.New(rand.NewPCG(uint64(worker), uint64(count)))
			for n := sent.Add(1); n <= int64(count) && faults.Load() < 10 && time.Now().Before(ends); n = sent.Add(1) {
				method, path := pick(random, methods), pick(random, u.paths)
				body := mutated(random, pick(random, u.bodies), pick(random, u.bodies))
				status, fault := u.send(method, path, pick(random, u.keys), body)
				statuses[status].Add(1)
				if fault != "" {
					faults.Add(1)
					t.Errorf("%s %q: %d %s\n%q", method, path, status, fault, body)
				}
				if n%100_000 == 0 {
					most.Store(max(most.Load(), heapInUse()))
				}
			}
		})
	}
	done.Wait()
	after := max(most.Load(), heapInUse())
	if after > before+64<<20 {
		t.Errorf("the heap has grown from %d to %d MiB", before>>20, after>>20)
	}
	total := int64(0)
	for status := range statuses {
		if n := statuses[status].Load(); n > 0 {
			total += n
			t.Logf("%d: %d answers", status, n)
		}
	}
	t.Logf("%d bodies, %d faults, the heap from %d to at most %d MiB", total, faults.Load(), before>>20, after>>20)
}

func heapInUse() uint64 {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// tokens are pieces of JSON and of text that readers stumble over.
var tokens = []string{
	`null`, `true`, `-1`, `1e999`, `0.1`, `9223372036854775808`, `""`, `{}`, `[]`, `[[[[`, `{"a":`,
	`"\u0000"`, `"\ud800"`,
	"\x00", "\xff", "\u202e", "\ufeff", "\u2028", `,`, `:`, `"reference":"r",`, `"reference":"`,
	`"customer":{`, `\`, `"`,
	"e\u0301", "12345678901234567890", "org_x", "' OR 1=1 --", " ",
}

// mutated is a body with a few things changed, or made of two.
func mutated(random *rand.Rand, body, other []byte) []byte {
	body = bytes.Clone(body)
	for range random.IntN(4) {
		at := random.IntN(len(body) + 1)
		end := min(len(body), at+random.IntN(8))
		switch random.IntN(6) {
		case 0: // another byte
			if at < len(body) {
				body[at] ^= 1 << random.IntN(8)
			}
		case 1: // a piece less
			body = append(body[:at:at], body[end:]...)
		case 2: // a piece for another
			body = append(append(body[:at:at], pick(random, tokens)...), body[end:]...)
		case 3: // a piece twice
			body = append(append(body[:end:end], body[at:end]...), body[end:]...)
		case 4: // the end of another
			body = append(body[:at:at], other[min(at, len(other)):]...)
		case 5: // very long, or very deep
			long := bytes.Repeat([]byte(pick(random, tokens)), 1<<random.IntN(13))
			body = append(append(body[:at:at], long...), body[at:]...)
		}
	}
	return body
}
