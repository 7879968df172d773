package municipality

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"emissor/nfse"
)

// fakeRecords are the records of a test, in memory.
type fakeRecords struct {
	ranged      string // the municipality of the imported range around every zip code
	readErr     error
	rememberErr error

	mu         sync.Mutex
	remembered map[string]string
	writes     int
}

func (f *fakeRecords) ZipCode(_ context.Context, zip string) (string, string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.remembered[zip], f.ranged, f.readErr
}

func (f *fakeRecords) RememberZipCode(ctx context.Context, zip, code string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes++
	if f.rememberErr != nil {
		return f.rememberErr
	}
	if f.remembered == nil {
		f.remembered = map[string]string{}
	}
	f.remembered[zip] = code
	return ctx.Err()
}

const (
	inTable  = paulista   // in the built-in range of São Paulo
	offTable = "19990000" // in no built-in range

	campinasCode = "3509502"
)

var tenant = nfse.Scope{OrganizationID: "org_1", Livemode: true}

// inBubble runs a test on a fake clock, and lets it run on until every service that was
// asked has ended.
func inBubble(t *testing.T, test func(*testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		test(t)
		time.Sleep(2 * time.Hour)
	})
}

func TestResolver_SourcesInOrder(t *testing.T) {
	type lookup = func(context.Context, string) (string, error)
	known := func(code string) LookupResult { return LookupResult{Outcome: Known, Code: code, Decisive: true} }
	hint := func(code string) LookupResult { return LookupResult{Outcome: Known, Code: code} }
	for _, test := range []struct {
		name     string
		zip      string
		cached   string
		ranged   string
		services []lookup
		want     LookupResult
	}{
		{"cache first", inTable, rioCode, campinasCode, []lookup{knowing(campinasCode)}, known(rioCode)},
		{"cache without services", offTable, rioCode, "", nil, known(rioCode)},
		{"then a service", inTable, "", campinasCode, []lookup{knowing(rioCode)}, known(rioCode)},
		{"then another service", inTable, "", campinasCode, []lookup{failing, knowing(rioCode)}, known(rioCode)},
		{"a service knows what another does not", inTable, "", campinasCode, []lookup{ignorant, knowing(rioCode)},
			known(rioCode)},
		{"no service: imported range", inTable, "", campinasCode, nil, known(campinasCode)},
		{"no service: built-in range", inTable, "", "", nil, known(saoPauloCode)},
		{"no service, no range", offTable, "", "", nil, LookupResult{Outcome: Unknown}},
		{"unknown: imported range", inTable, "", campinasCode, []lookup{ignorant, ignorant}, known(campinasCode)},
		{"unknown: built-in range", inTable, "", "", []lookup{ignorant, ignorant}, known(saoPauloCode)},
		{"unknown to all", offTable, "", "", []lookup{ignorant, ignorant}, LookupResult{Outcome: Unknown}},
		{"out: imported range hints", inTable, "", campinasCode, []lookup{failing, failing}, hint(campinasCode)},
		{"out: built-in range hints", inTable, "", "", []lookup{failing}, hint(saoPauloCode)},
		{"out, no range", offTable, "", "", []lookup{failing, failing}, LookupResult{Outcome: Unavailable}},
		{"first out, second unknown: hint", inTable, "", "", []lookup{failing, ignorant}, hint(saoPauloCode)},
		{"first out, second unknown", offTable, "", "", []lookup{failing, ignorant},
			LookupResult{Outcome: Unavailable}},
		{"first unknown, second out", offTable, "", "", []lookup{ignorant, failing},
			LookupResult{Outcome: Unavailable}},
		{"first unknown, second silent", offTable, "", "", []lookup{ignorant, silent},
			LookupResult{Outcome: Unavailable}},
		{"first silent, second unknown", offTable, "", "", []lookup{silent, ignorant},
			LookupResult{Outcome: Unavailable}},
		{"both silent", inTable, "", "", []lookup{silent, silent}, hint(saoPauloCode)},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				records := &fakeRecords{ranged: test.ranged}
				if test.cached != "" {
					records.remembered = map[string]string{test.zip: test.cached}
				}
				options := Options{Log: silentLog}
				for _, lookup := range test.services {
					options.Services = append(options.Services, &fakeService{name: "fake", lookup: lookup})
				}
				got, err := NewResolver(records, options).Lookup(t.Context(), tenant, test.zip)
				if err != nil || got != test.want {
					t.Errorf("got %+v, %v; want %+v", got, err, test.want)
				}
			})
		})
	}
}

func TestResolver_RemembersServices(t *testing.T) {
	for name, test := range map[string]struct {
		lookup func(context.Context, string) (string, error)
		want   string
	}{
		"known":   {knowing(rioCode), rioCode},
		"unknown": {ignorant, ""}, // in the database, although the built-in range decides
		"out":     {failing, ""},
	} {
		t.Run(name, func(t *testing.T) {
			records := &fakeRecords{}
			service := &fakeService{name: "fake", lookup: test.lookup}
			resolver := NewResolver(records, Options{Services: []Service{service}, Log: silentLog})
			for range 2 {
				if _, err := resolver.Lookup(t.Context(), tenant, inTable); err != nil {
					t.Fatal(err)
				}
			}
			if got := records.remembered[inTable]; got != test.want {
				t.Errorf("remembered %q, want %q", got, test.want)
			}
			if asked := service.asked.Load(); test.want != "" && asked != 1 {
				t.Errorf("asked %d times although remembered", asked)
			}
		})
	}
}

func TestResolver_CannotRemember(t *testing.T) {
	var log bytes.Buffer
	records := &fakeRecords{rememberErr: errors.New("disk full")}
	resolver := NewResolver(records, Options{
		Services: []Service{&fakeService{name: "fake", lookup: knowing(rioCode)}},
		Log:      slog.New(slog.NewTextHandler(&log, nil)),
	})
	got, err := resolver.Lookup(t.Context(), tenant, inTable)
	if err != nil || got != (LookupResult{Outcome: Known, Code: rioCode, Decisive: true}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if !strings.Contains(log.String(), "disk full") || strings.Contains(log.String(), inTable) {
		t.Errorf("log: %s", &log)
	}
}

func TestResolver_RecordsFail(t *testing.T) {
	out := errors.New("database out")
	service := &fakeService{name: "fake", lookup: knowing(rioCode)}
	resolver := NewResolver(&fakeRecords{readErr: out}, Options{Services: []Service{service}, Log: silentLog})
	if _, err := resolver.Lookup(t.Context(), tenant, inTable); !errors.Is(err, out) {
		t.Errorf("got %v", err)
	}
	if service.asked.Load() != 0 {
		t.Error("a service was asked without a way to remember")
	}
}

func TestResolver_NoZipCode(t *testing.T) {
	service := &fakeService{name: "fake", lookup: knowing(rioCode)}
	resolver := NewResolver(&fakeRecords{readErr: errors.New("asked")},
		Options{Services: []Service{service}, Log: silentLog})
	for _, zip := range []string{"", "0131010", "013101000", "01310-100", "../../../", "0131010٠"} {
		got, err := resolver.Lookup(t.Context(), tenant, zip)
		if err != nil || got != (LookupResult{Outcome: Unknown}) {
			t.Errorf("%q: %+v, %v", zip, got, err)
		}
	}
	if service.asked.Load() != 0 {
		t.Error("a service was asked")
	}
}

func TestResolver_SecondServiceInTime(t *testing.T) {
	for name, test := range map[string]struct {
		first func(context.Context, string) (string, error)
		after time.Duration
	}{
		"the first fails":      {failing, 0},
		"the first is unknown": {ignorant, 0},
		"the first is silent":  {silent, defaultHedge},
		"the first fails slowly": {func(ctx context.Context, _ string) (string, error) {
			time.Sleep(300 * time.Millisecond)
			return "", errors.New("out of order")
		}, 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				start := time.Now()
				var after time.Duration
				second := &fakeService{name: "second", lookup: func(context.Context, string) (string, error) {
					after = time.Since(start)
					return rioCode, nil
				}}
				resolver := NewResolver(&fakeRecords{}, Options{
					Services: []Service{&fakeService{name: "first", lookup: test.first}, second}, Log: silentLog,
				})
				got, err := resolver.Lookup(t.Context(), tenant, offTable)
				if err != nil || got.Code != rioCode {
					t.Fatalf("got %+v, %v", got, err)
				}
				if after != test.after || time.Since(start) != test.after {
					t.Errorf("asked after %v, answered after %v, want %v", after, time.Since(start), test.after)
				}
			})
		})
	}
}

func TestResolver_SlowFirstService(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		first := &fakeService{name: "first", lookup: func(context.Context, string) (string, error) {
			time.Sleep(time.Second)
			return rioCode, nil
		}}
		second := &fakeService{name: "second", lookup: silent}
		resolver := NewResolver(&fakeRecords{}, Options{Services: []Service{first, second}, Log: silentLog})
		start := time.Now()
		got, err := resolver.Lookup(t.Context(), tenant, offTable)
		if err != nil || got.Code != rioCode || time.Since(start) != time.Second || second.asked.Load() != 1 {
			t.Errorf("got %+v, %v after %v", got, err, time.Since(start))
		}
	})
}

func TestResolver_QuickFirstService(t *testing.T) {
	second := &fakeService{name: "second", lookup: knowing(saoPauloCode)}
	resolver := NewResolver(&fakeRecords{}, Options{
		Services: []Service{&fakeService{name: "first", lookup: knowing(rioCode)}, second}, Log: silentLog,
	})
	if got, err := resolver.Lookup(t.Context(), tenant, offTable); err != nil || got.Code != rioCode ||
		second.asked.Load() != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestResolver_Timeout(t *testing.T) {
	deaf := func(context.Context, string) (string, error) { // does not even heed its context
		time.Sleep(time.Hour)
		return rioCode, nil
	}
	for name, lookup := range map[string]func(context.Context, string) (string, error){"silent": silent, "deaf": deaf} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				resolver := NewResolver(&fakeRecords{}, Options{
					Services: []Service{&fakeService{name: "first", lookup: lookup},
						&fakeService{name: "second", lookup: lookup}}, Log: silentLog,
				})
				start := time.Now()
				got, err := resolver.Lookup(t.Context(), tenant, offTable)
				if err != nil || got != (LookupResult{Outcome: Unavailable}) || time.Since(start) != 2*time.Second {
					t.Errorf("got %+v, %v after %v", got, err, time.Since(start))
				}
			})
		})
	}
}

func TestResolver_BreakerOpensThoughAnotherAnswers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		first := &fakeService{name: "first", lookup: silent}
		second := &fakeService{name: "second", lookup: knowing(rioCode)}
		resolver := NewResolver(&fakeRecords{rememberErr: errors.New("forgetful")},
			Options{Services: []Service{first, second}, Log: silentLog})
		for range failuresToOpen {
			resolver.Lookup(t.Context(), tenant, offTable)
			time.Sleep(2 * time.Second) // the silent one is found out
		}
		start := time.Now()
		if got, err := resolver.Lookup(t.Context(), tenant, offTable); err != nil || got.Code != rioCode ||
			time.Since(start) != 0 {
			t.Errorf("got %+v, %v after %v", got, err, time.Since(start))
		}
		if asked := first.asked.Load(); asked != failuresToOpen {
			t.Errorf("the silent service was asked %d times", asked)
		}
	})
}

func TestResolver_ConcurrentLookupsShare(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		land := make(chan struct{})
		service := &fakeService{name: "fake", lookup: func(ctx context.Context, _ string) (string, error) {
			select {
			case <-land:
				return rioCode, nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}}
		records := &fakeRecords{}
		resolver := NewResolver(records, Options{Services: []Service{service}, Log: silentLog})

		// The first caller opens the flight, and leaves it.
		caller, leave := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() {
			_, err := resolver.Lookup(caller, tenant, offTable)
			left <- err
		}()
		synctest.Wait()
		answers := make(chan LookupResult, 50)
		for range cap(answers) {
			go func() {
				answer, err := resolver.Lookup(t.Context(), tenant, offTable)
				if err != nil {
					t.Errorf("a passenger fell out: %v", err)
				}
				answers <- answer
			}()
		}
		synctest.Wait()
		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("the first caller got %v", err)
		}
		close(land)
		for range cap(answers) {
			if answer := <-answers; answer != (LookupResult{Outcome: Known, Code: rioCode, Decisive: true}) {
				t.Errorf("got %+v", answer)
			}
		}
		if asked := service.asked.Load(); asked != 1 || records.writes != 1 {
			t.Errorf("asked %d times, remembered %d times", asked, records.writes)
		}
	})
}

func TestResolver_ConcurrentLookupsApart(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		service := &fakeService{name: "fake", lookup: func(ctx context.Context, zip string) (string, error) {
			if zip == offTable {
				return silent(ctx, zip)
			}
			return rioCode, nil
		}}
		resolver := NewResolver(&fakeRecords{}, Options{Services: []Service{service}, Log: silentLog})
		go resolver.Lookup(t.Context(), tenant, offTable)
		synctest.Wait()
		start := time.Now()
		if got, err := resolver.Lookup(t.Context(), tenant, inTable); err != nil || got.Code != rioCode ||
			time.Since(start) != 0 {
			t.Errorf("got %+v, %v after %v", got, err, time.Since(start))
		}
	})
}

// The same over real connections: the servers misbehave in turn.
func TestResolver_RealServers(t *testing.T) {
	viaCEPKnows := answerWith(200, `{"cep":"19990-000","uf":"SP","ibge":"3509502"}`)
	brasilAPIKnows := answerWith(200, `{"cep":"19990000","state":"SP","city":"CAMPINAS"}`)
	viaCEPUnknown := answerWith(200, `{"erro":"true"}`)
	brasilAPIUnknown := answerWith(404,
		`{"name":"CepPromiseError","type":"service_error","errors":[{"message":"CEP NAO ENCONTRADO",`+
			`"service":"correios"}]}`)
	brasilAPIFailed := answerWith(404,
		`{"name":"CepPromiseError","type":"service_error","errors":[{"message":"A autenticacao de null falhou!",`+
			`"service":"correios"}]}`)
	campinas := LookupResult{Outcome: Known, Code: campinasCode, Decisive: true}

	for name, test := range map[string]struct {
		first, second http.HandlerFunc
		want          LookupResult
		asked         int32 // whether the second is asked
	}{
		"first knows":                   {viaCEPKnows, brasilAPIKnows, campinas, 0},
		"first fails":                   {answerWith(500, ""), brasilAPIKnows, campinas, 1},
		"first resets":                  {reset, brasilAPIKnows, campinas, 1},
		"first hangs":                   {hang, brasilAPIKnows, campinas, 1},
		"first unknown":                 {viaCEPUnknown, brasilAPIKnows, campinas, 1},
		"both unknown":                  {viaCEPUnknown, brasilAPIUnknown, LookupResult{Outcome: Unknown}, 1},
		"first unknown, second out":     {viaCEPUnknown, answerWith(429, ""), LookupResult{Outcome: Unavailable}, 1},
		"first unknown, second hangs":   {viaCEPUnknown, hang, LookupResult{Outcome: Unavailable}, 1},
		"first unknown, second's fails": {viaCEPUnknown, brasilAPIFailed, LookupResult{Outcome: Unavailable}, 1},
		"first out, second unknown":     {answerWith(503, ""), brasilAPIUnknown, LookupResult{Outcome: Unavailable}, 1},
		"both out":                      {answerWith(200, "<html>"), reset, LookupResult{Outcome: Unavailable}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			options := Options{Timeout: time.Minute, Hedge: time.Minute, Log: silentLog, Services: []Service{
				newServices(t, test.first)["viacep"],
				newServices(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					asked.Add(1)
					test.second(w, r)
				}))["brasilapi"],
			}}
			switch { // only the hanging ones need a short wait
			case name == "first hangs":
				options.Hedge, options.Timeout = time.Millisecond, 5*time.Second
			case name == "first unknown, second hangs":
				options.Timeout = 500 * time.Millisecond
			}
			got, err := NewResolver(&fakeRecords{}, options).Lookup(t.Context(), tenant, offTable)
			if err != nil || got != test.want || asked.Load() != test.asked {
				t.Errorf("got %+v, %v, the second asked %d times; want %+v, %d", got, err, asked.Load(), test.want,
					test.asked)
			}
		})
	}
}
