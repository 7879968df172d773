package trace

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"emissor/internal/outgoing"
)

// Why spans are lost.
const (
	LostFull     = "queue_full" // more ended than the collector took
	LostNotTaken = "not_taken"  // the collector is away, too slow, or refused them
)

const (
	mostWaiting = 2048 // spans that wait or are being sent: some hundred notes
	mostAtOnce  = 512  // spans of one call to the collector
	sendEvery   = time.Second
	sendTimeout = 10 * time.Second // of one call, with its retries

	sayEvery = time.Minute // that spans are lost
)

// queue takes spans that have ended, and never makes anybody wait: what it has no place for is lost, and counted. The
// library's processor behind it sends them; it would lose them as well, and would not tell.
type queue struct {
	sdk.SpanProcessor
	collector *collector
}

// collector sends spans.
type collector struct {
	sdk.SpanExporter
	waiting atomic.Int64 // spans in the queue or on their way
	lost    func(reason string, spans int)
	logger  *slog.Logger
	said    time.Time // only one call is made at a time
}

func newQueue(options Options) (*queue, error) {
	exporter, err := otlptracehttp.New(context.Background(),
		otlptracehttp.WithEndpointURL(options.URL),
		otlptracehttp.WithHeaders(options.Headers),
		otlptracehttp.WithHTTPClient(client(options)),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true, InitialInterval: time.Second,
			MaxInterval: sendTimeout / 2, MaxElapsedTime: sendTimeout}))
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	to := &collector{SpanExporter: exporter, lost: options.Lost, logger: options.Logger}
	return &queue{collector: to, SpanProcessor: sdk.NewBatchSpanProcessor(to,
		sdk.WithMaxQueueSize(mostWaiting), sdk.WithMaxExportBatchSize(mostAtOnce),
		sdk.WithBatchTimeout(sendEvery), sdk.WithExportTimeout(sendTimeout))}, nil
}

// client takes the headers to nobody but the collector.
func client(options Options) *http.Client {
	to := outgoing.Client(sendTimeout, func(transport *http.Transport) {
		transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: options.Roots}
	})
	to.Timeout = sendTimeout
	return to
}

// OnEnd implements sdk.SpanProcessor.
func (q *queue) OnEnd(span sdk.ReadOnlySpan) {
	if q.collector.waiting.Add(1) > mostWaiting {
		q.collector.waiting.Add(-1)
		q.collector.lost(LostFull, 1)
		return
	}
	q.SpanProcessor.OnEnd(span)
}

// ExportSpans implements sdk.SpanExporter.
func (c *collector) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := c.SpanExporter.ExportSpans(ctx, spans)
	c.waiting.Add(-int64(len(spans)))
	if err == nil {
		return nil
	}
	c.lost(LostNotTaken, len(spans))
	if time.Since(c.said) >= sayEvery {
		c.said = time.Now()
		c.logger.Warn("traces do not reach the collector, and are lost; nothing else waits for it", "why", reason(err))
	}
	return nil
}

// reason says without the collector's address and words why it did not take spans.
func reason(err error) string {
	var failed *url.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &failed) && failed.Timeout():
		return "it did not answer in time"
	case failed != nil:
		return "it cannot be reached"
	}
	return "it refused them"
}
