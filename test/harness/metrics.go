package harness

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Metrics are the series that a process serves, as Prometheus would read them.
type Metrics map[string]float64 // by name and labels, as they are written

// Metrics reads the process's metrics.
func (p *Part) Metrics(ctx context.Context) (Metrics, error) {
	answer, err := (&Client{Base: p.AdminURL}).Call(ctx, http.MethodGet, "/metrics", nil)
	if err != nil {
		return nil, err
	}
	if answer.Status != http.StatusOK {
		return nil, fmt.Errorf("%s answered %d for its metrics", p.Name, answer.Status)
	}
	metrics := Metrics{}
	for line := range strings.Lines(string(answer.Body)) {
		line = strings.TrimSpace(line)
		series, value, ok := cutLast(line, " ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if metrics[series], err = strconv.ParseFloat(value, 64); err != nil {
			return nil, fmt.Errorf("%s: the series %q: %w", p.Name, series, err)
		}
	}
	return metrics, nil
}

// Sum adds up the series of a name that have all the labels, each as
// kind="note".
func (m Metrics) Sum(name string, labels ...string) (sum float64) {
series:
	for series, value := range m {
		rest, ok := strings.CutPrefix(series, name)
		if !ok || rest != "" && rest[0] != '{' {
			continue
		}
		for _, label := range labels {
			if !strings.Contains(rest, label) {
				continue series
			}
		}
		sum += value
	}
	return sum
}

func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(separator):], true
}
