package watch

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"go.temporal.io/api/workflowservice/v1"

	"emissor/fiscal"
	"emissor/internal/metrics"
	"emissor/internal/trace"
	"emissor/test/harness"
)

// series are what Prometheus may be asked for: of each metric its labels, with the values they have.
type series map[string]map[string]map[string]bool

func (s series) add(metric string, named map[string]string) {
	if s[metric] == nil {
		s[metric] = map[string]map[string]bool{}
	}
	for name, value := range named {
		if s[metric][name] == nil {
			s[metric][name] = map[string]bool{}
		}
		s[metric][name][value] = true
	}
}

// scraped are the labels that Prometheus adds to what it scrapes by deploy/prometheus/prometheus.yml.
var scraped = map[string]string{"job": "emissor", "instance": "127.0.0.1:9090"}

// scrape adds the metrics of a process, as a scrape has them.
func (s series) scrape(t *testing.T, families map[string]*dto.MetricFamily) {
	t.Helper()
	for name, family := range families {
		for _, one := range family.GetMetric() {
			named := maps.Clone(scraped)
			for _, label := range one.GetLabel() {
				named[label.GetName()] = label.GetValue()
			}
			if family.GetType() != dto.MetricType_HISTOGRAM {
				s.add(name, named)
				continue
			}
			s.add(name+"_count", named)
			s.add(name+"_sum", named)
			for _, bucket := range one.GetHistogram().GetBucket() {
				named["le"] = model.SampleValue(bucket.GetUpperBound()).String()
				s.add(name+"_bucket", named)
			}
		}
	}
}

// rare are values of labels that only an outage makes, and where they are from: TestAlarms_Fire makes them.
func (s series) rare(t *testing.T) {
	t.Helper()
	engine := reflect.TypeFor[workflowservice.WorkflowServiceClient]()
	for _, operation := range []string{"RespondWorkflowTaskFailed"} {
		if _, exists := engine.MethodByName(operation); !exists {
			t.Errorf("the engine has no operation %s", operation)
		}
		s.add("emissor_engine_request_seconds_count", map[string]string{"operation": operation})
	}
	for _, outcome := range []fiscal.Outcome{fiscal.OutcomeUnknown, fiscal.OutcomeNotDelivered} {
		s.add("emissor_authority_call_seconds_count", map[string]string{"outcome": string(outcome)})
	}
	s.add("emissor_dispatch_starts_total", map[string]string{"outcome": "failed"})
	for _, status := range []string{"503", "0"} { // 0 is the status of a caller who left
		s.add("emissor_http_request_seconds_count", map[string]string{"status": status})
	}

	// These exist only once what they count has happened.
	m := metrics.New()
	m.Alarmed("national")
	m.Drifted("national", "issue")
	m.ExternalEvent("305101")
	m.ExternalEventFlagged("national")
	m.RowFailed("outbox")
	m.ConnectionClosed("all")
	m.SpansLost(trace.LostFull, 1)
	m.ArchiveReadFailed("away")
	families, err := m.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*dto.MetricFamily{}
	for _, family := range families {
		if strings.HasPrefix(family.GetName(), "emissor_") {
			byName[family.GetName()] = family
		}
	}
	s.scrape(t, byName)
}

// recorded adds what the rules record, and what Prometheus itself makes.
func (s series) recorded(t *testing.T) {
	t.Helper()
	s.add("up", scraped)
	for name, is := range alerts(t) {
		s.add("ALERTS", map[string]string{"alertname": name, "alertstate": "firing", "severity": is.Labels["severity"]})
	}
	slos := map[string]bool{}
	for _, one := range rules(t) {
		if slo := one.Labels["slo"]; slo != "" {
			slos[slo] = true
		}
	}
	for _, one := range rules(t) {
		switch {
		case one.Record == "":
		case one.Record == "emissor_slo:authority_out":
			s.add(one.Record, map[string]string{"authority": "national"})
		default:
			for slo := range slos {
				s.add(one.Record, map[string]string{"slo": slo, "authority": "national"})
			}
		}
	}
}

// lacks says what a query asks for that there is not.
func (s series) lacks(query string) (lacks []string) {
	query = strings.ReplaceAll(query, "$__rate_interval", "5m")
	parsed, err := parser.ParseExpr(query)
	if err != nil {
		return []string{err.Error()}
	}
	grouped := func(node parser.Node, by []string) {
		known := map[string]bool{}
		for _, selector := range parser.ExtractSelectors(node.(parser.Expr)) {
			for label := range s[nameOf(selector)] {
				known[label] = true
			}
		}
		for _, label := range by {
			if !known[label] {
				lacks = append(lacks, "nothing of "+node.String()+" has the label "+label)
			}
		}
	}
	parser.Inspect(parsed, func(node parser.Node, _ []parser.Node) error {
		switch node := node.(type) {
		case *parser.VectorSelector:
			lacks = append(lacks, s.missing(node.LabelMatchers)...)
		case *parser.AggregateExpr:
			grouped(node.Expr, node.Grouping)
		case *parser.BinaryExpr:
			if node.VectorMatching != nil {
				grouped(node.LHS, node.VectorMatching.MatchingLabels)
				grouped(node.RHS, node.VectorMatching.MatchingLabels)
			}
		}
		return nil
	})
	return lacks
}

func nameOf(matchers []*labels.Matcher) string {
	for _, matcher := range matchers {
		if matcher.Name == labels.MetricName {
			return matcher.Value
		}
	}
	return ""
}

// missing says what a selector asks for that there is not.
func (s series) missing(matchers []*labels.Matcher) (lacks []string) {
	metric := nameOf(matchers)
	known, exists := s[metric]
	if !exists {
		return []string{"there is no metric " + metric}
	}
	for _, matcher := range matchers {
		if matcher.Name == labels.MetricName {
			continue
		}
		// What a query leaves out must be something, too.
		matches := matcher.Matches
		if inverse, err := matcher.Inverse(); err == nil &&
			(matcher.Type == labels.MatchNotEqual || matcher.Type == labels.MatchNotRegexp) {
			matches = inverse.Matches
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(known[matcher.Name])), matches) {
			lacks = append(lacks, "no "+metric+" has the label "+matcher.String())
		}
	}
	return lacks
}

// Every rule and every query of a dashboard asks for metrics, labels and values that the real processes
// serve after notes were issued, delivered and refused.
func TestQueries_AskForWhatThereIs(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	i := install(ctx, t, nil)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	gone, err := i.emissor.NewEndpoint(ctx, i.organization, "test", i.receiver.URL+"/gone")
	check(err)
	i.receiver.Answer(func(path string) (reply harness.Reply) {
		if path == "/gone" {
			reply.Status = http.StatusGone
		}
		return reply
	})
	i.issue(ctx, t, "test", 1)
	i.issue(ctx, t, "live", 1)
	check(harness.Await(ctx, "both notes are delivered, and a delivery is given up", func(ctx context.Context) bool {
		measured, err := i.worker.Metrics(ctx)
		return err == nil && measured.Sum("emissor_delivery_attempts_total", `outcome="delivered"`) >= 2 &&
			measured.Sum("emissor_delivery_attempts_total", `outcome="failed"`) >= 1
	}))
	_, err = i.emissor.Command(ctx, "webhook", "disable", gone)
	check(err)
	i.useARevokedKey(ctx, t)
	check((&harness.Client{Base: i.api.URL}).Must(ctx, http.MethodGet, "/v1/health", nil, nil))
	check(harness.Await(ctx, "what happened outside was asked for", func(ctx context.Context) bool {
		measured, err := i.worker.Metrics(ctx)
		return err == nil && measured.Sum("emissor_authority_call_seconds_count", `call="distribution"`) > 0 &&
			measured.Sum("emissor_distribution_last_success_timestamp_seconds") > 0
	}))
	there, parse := series{}, expfmt.NewTextParser(model.UTF8Validation)
	for _, part := range []*harness.Part{i.api, i.worker} {
		answer, err := (&harness.Client{Base: part.AdminURL}).Call(ctx, http.MethodGet, "/metrics", nil)
		check(err)
		families, err := parse.TextToMetricFamilies(bytes.NewReader(answer.Body))
		check(err)
		there.scrape(t, families)
	}
	there.rare(t)
	there.recorded(t)

	asked := 0
	for _, one := range rules(t) {
		asked++
		for _, lack := range there.lacks(one.Expr) {
			t.Errorf("%s%s: %s", one.Alert, one.Record, lack)
		}
	}
	for file, is := range dashboards(t) {
		for _, panel := range is.Panels {
			for _, target := range panel.Targets {
				asked++
				for _, lack := range there.lacks(target.Expr) {
					t.Errorf("%s, %q: %s", file, panel.Title, lack)
				}
			}
		}
	}
	if asked < 100 {
		t.Errorf("only %d queries were found", asked)
	}
	for _, wrong := range []string{
		`emissor_no_such_metric`, `emissor_notes_held{environment="live"}`, `sum by (route) (emissor_notes_open)`,
		`rate(emissor_http_request_seconds_count{route="/v1/nothing"}[5m])`, `emissor_notes_open{status!="issued"}`,
		`emissor_notes_held + on (status) emissor_notes_open`, `sum(emissor_notes_held`,
	} {
		if len(there.lacks(wrong)) == 0 {
			t.Errorf("nothing is wrong with %s", wrong)
		}
	}
}

// useARevokedKey asks the API by a key that was revoked.
func (i *installation) useARevokedKey(ctx context.Context, t *testing.T) {
	t.Helper()
	var created struct{ ID, Key string }
	err := i.emissor.Ask(ctx, &created, "key", "create", "--organization", i.organization.ID, "--environment", "test",
		"--label", uuid.NewString())
	if err == nil {
		_, err = i.emissor.Command(ctx, "key", "revoke", created.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&harness.Client{Base: i.api.URL, Key: created.Key}).Call(ctx, http.MethodGet, "/v1/services", nil)
	if err != nil || answer.Status != http.StatusUnauthorized {
		t.Fatalf("a revoked key is answered %d, %v", answer.Status, err)
	}
}
