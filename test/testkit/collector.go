package testkit

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	collected "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"emissor/internal/trace"
)

// Collector is a collector of traces: a real one, on loopback, that takes OTLP over HTTP.
type Collector struct {
	URL string

	mu     sync.Mutex
	raw    bytes.Buffer
	header []http.Header
	spans  []Span
}

// Span is a span as it came.
type Span struct {
	Process, Name       string
	Trace, ID, Parent   string // hexadecimal; Parent is empty of the first
	Attributes          map[string]string
	Failed              bool
	Words               string // beside its failure, and of what was recorded in it: there should be none
	LinkTrace, LinkSpan string
}

// NewCollector starts a collector.
func NewCollector(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	c.URL = server.URL + "/v1/traces"
	return c
}

// ServeHTTP implements http.Handler.
func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request collected.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(body, &request)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(body)
	c.header = append(c.header, r.Header.Clone())
	for _, resource := range request.ResourceSpans {
		process := attributes(resource.Resource.GetAttributes())["emissor.process"]
		for _, scope := range resource.ScopeSpans {
			for _, span := range scope.Spans {
				c.spans = append(c.spans, spanOf(process, span))
			}
		}
	}
}

func spanOf(process string, from *spans.Span) Span {
	span := Span{
		Process: process, Name: from.Name,
		Trace: hex.EncodeToString(from.TraceId), ID: hex.EncodeToString(from.SpanId),
		Parent: hex.EncodeToString(from.ParentSpanId), Attributes: attributes(from.Attributes),
		Failed: from.Status.GetCode() == spans.Status_STATUS_CODE_ERROR, Words: from.Status.GetMessage(),
	}
	for _, event := range from.Events {
		span.Words += event.String()
	}
	for _, link := range from.Links {
		span.LinkTrace, span.LinkSpan = hex.EncodeToString(link.TraceId), hex.EncodeToString(link.SpanId)
	}
	return span
}

func attributes(from []*common.KeyValue) map[string]string {
	found := map[string]string{}
	for _, one := range from {
		found[one.Key] = one.Value.GetStringValue()
		if number, is := one.Value.GetValue().(*common.AnyValue_IntValue); is {
			found[one.Key] = strconv.FormatInt(number.IntValue, 10)
		}
	}
	return found
}

// Spans are all that came so far.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Span(nil), c.spans...)
}

// Ways are the ways from the beginnings of traces to spans of a name: the names of the spans on each, once.
func (c *Collector) Ways(name string) (ways []string) {
	all := map[string]Span{}
	for _, span := range c.Spans() {
		all[span.Trace+span.ID] = span
	}
	for _, span := range all {
		if span.Name != name {
			continue
		}
		way := span.Name
		for span.Parent != "" {
			parent, came := all[span.Trace+span.Parent]
			if !came {
				parent.Name = "?" // it may come later
			}
			span, way = parent, parent.Name+" > "+way
		}
		ways = append(ways, way)
	}
	slices.Sort(ways)
	return slices.Compact(ways)
}

// AwaitWays awaits that the ways to spans of a name are these, in the order of the alphabet.
func (c *Collector) AwaitWays(t testing.TB, name string, expected ...string) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("the ways to %s are\n%s", name, strings.Join(c.Ways(name), "\n"))
		}
	}()
	Eventually(t, "the ways to "+name+" are\n"+strings.Join(expected, "\n"),
		func() bool { return slices.Equal(c.Ways(name), expected) })
}

// Only is the one span of a name.
func (c *Collector) Only(t testing.TB, name string) (only Span) {
	t.Helper()
	found := 0
	for _, span := range c.Spans() {
		if span.Name == name {
			only = span
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d spans are named %s", found, name)
	}
	return only
}

// Raw is every byte of every body that came so far.
func (c *Collector) Raw() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.raw.Bytes())
}

// Headers returns the headers of every call so far.
func (c *Collector) Headers() []http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]http.Header(nil), c.header...)
}

// NewTracer makes the tracer of a process of the system.
func (s *System) NewTracer(t testing.TB, process string) *trace.Tracer {
	t.Helper()
	options := s.options.Traces
	options.Process, options.Version, options.Logger, options.Lost = process, "test", s.logger, s.Metrics.SpansLost
	tracer, err := trace.New(options)
	must(t, err)
	t.Cleanup(tracer.Close)
	s.tracers = append(s.tracers, tracer)
	return tracer
}

// CloseTracers sends what the tracers of the system have, and ends them.
func (s *System) CloseTracers() {
	for _, tracer := range s.tracers {
		tracer.Close()
	}
}
