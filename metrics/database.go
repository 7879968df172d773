package metrics

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"emissor/nfse"
	"emissor/store"
)

// scrapeTimeout keeps a slow database from holding the scraper.
const scrapeTimeout = 2 * time.Second

// Figures reads the figures of the database.
type Figures func(context.Context) (store.Gauges, error)

// database shows figures that live in the database, read at each scrape.
type database struct {
	figures Figures
	logger  *slog.Logger

	up, openNotes, rows, blocked, oldest, cancellations, deliveries, disabled, certificates, held, unknown, unknownSince, emails, failedEmails *prometheus.Desc
}

// WatchDatabase registers the figures of the database.
func (m *Metrics) WatchDatabase(figures Figures, logger *slog.Logger) {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	m.Registry.MustRegister(&database{
		figures:       figures,
		logger:        logger,
		up:            describe("emissor_database_up", "1 when the database answered this scrape."),
		openNotes:     describe("emissor_notes_open", "Notes that have not reached a final state, by state.", "status", "environment"),
		rows:          describe("emissor_outbox_rows", "Rows that wait to be handed to the workflow engine.", "environment"),
		blocked:       describe("emissor_outbox_blocked_rows", "Rows that cannot be started at all for now; `emissor outbox` says why.", "environment"),
		oldest:        describe("emissor_outbox_oldest_seconds", "Age of the oldest row that waits and is not blocked.", "environment"),
		cancellations: describe("emissor_cancellations_open", "Notes whose cancellation is pending."),
		deliveries:    describe("emissor_deliveries_open", "Deliveries that wait for their next attempt."),
		disabled:      describe("emissor_webhook_endpoints_disabled", "Webhook endpoints that are disabled, by an operator or by 24 hours of 410."),
		certificates:  describeCertificates(),
		held:          describe("emissor_notes_held", "Live notes that wait for an operator; `emissor note show` says for what."),
		unknown:       describe("emissor_documents_unknown", "Documents and cancellations that were sent to an authority and are not known yet to exist or not."),
		emails:        describe("emissor_emails_open", "E-mails that wait for their next attempt."),
		failedEmails:  describe("emissor_emails_failed", "E-mails that were given up; `emissor email list` says why."),
		unknownSince:  describe("emissor_documents_unknown_oldest_seconds", "Time since the oldest of them is unknown."),
	})
}

// Describe implements prometheus.Collector.
func (d *database) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{d.up, d.openNotes, d.rows, d.blocked, d.oldest, d.cancellations, d.deliveries, d.disabled, d.certificates, d.held, d.unknown, d.unknownSince, d.emails, d.failedEmails} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (d *database) Collect(out chan<- prometheus.Metric) {
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	figures, err := d.figures(ctx)
	if err != nil {
		d.logger.Warn("the database did not answer a scrape", "error", err)
		gauge(d.up, 0)
		return
	}
	gauge(d.up, 1)
	gauge(d.cancellations, float64(figures.OpenCancellations))
	gauge(d.deliveries, float64(figures.OpenDeliveries))
	gauge(d.disabled, float64(figures.DisabledEndpoints))
	gauge(d.held, float64(figures.HeldNotes))
	gauge(d.emails, float64(figures.OpenEmails))
	gauge(d.failedEmails, float64(figures.FailedEmails))
	gauge(d.unknown, float64(figures.AmbiguousExchanges))
	gauge(d.unknownSince, figures.AmbiguousSeconds)
	for _, certificate := range figures.Certificates {
		gauge(d.certificates, certificate.Seconds, certificate.OrganizationID, certificate.CertificateID)
	}
	// Every series is always there, so that an alarm on it cannot be blind.
	for _, livemode := range []bool{false, true} {
		environment := nfse.Environment(livemode)
		open := map[nfse.Status]int64{nfse.StatusQueued: 0, nfse.StatusProcessing: 0}
		for _, notes := range figures.OpenNotes {
			if notes.Livemode == livemode {
				open[notes.Status] = notes.Count
			}
		}
		for status, count := range open {
			gauge(d.openNotes, float64(count), string(status), environment)
		}
		var waiting store.Waiting
		for _, row := range figures.Waiting {
			if row.Livemode == livemode {
				waiting = row
			}
		}
		gauge(d.rows, float64(waiting.Rows), environment)
		gauge(d.blocked, float64(waiting.Blocked), environment)
		gauge(d.oldest, waiting.OldestSeconds, environment)
	}
}
