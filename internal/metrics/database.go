package metrics

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"emissor/nfse"
	"emissor/store/operate"
)

// database collects gauges whose values are in the database.
type database struct {
	readings *readings
	logger   *slog.Logger
}

// RegisterDatabase registers the gauges of the database. A scrape has them read, and waits for that no longer than
// scrapePatience while values of some seconds before are there: keep, which runs until its context ends, sees to it
// that they are. When reading fails, emissor_database_up is 0 and the others are absent: an alarm must distinguish zero
// from unknown.
func (m *Metrics) RegisterDatabase(
	read func(context.Context) (operate.Gauges, error), logger *slog.Logger,
) (keep func(context.Context)) {
	readings := &readings{read: read}
	m.Registry.MustRegister(&database{readings: readings, logger: logger})
	return readings.keep
}

// Describe implements prometheus.Collector. It describes nothing, so that names, labels and
// help are only where the values are.
func (d *database) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (d *database) Collect(out chan<- prometheus.Metric) {
	reading := d.readings.latest()
	values, err := reading.values, reading.err
	up := 1.0
	if err != nil {
		d.logger.Warn("the database did not answer a scrape", "error", err)
		up = 0
	}
	g := gauges{out}
	g.set(up, "emissor_database_up", "1 when the database answered this scrape, or some seconds before it.", nil)
	if err == nil {
		g.set(time.Since(reading.began).Seconds(), "emissor_database_read_age_seconds",
			"How old what the other gauges of the database say is.", nil)
		g.collect(values)
		// Every series always has a value, as an alarm on a missing one would never fire.
		g.collectEnvironment(values, false)
		g.collectEnvironment(values, true)
	}
}

type gauges struct{ out chan<- prometheus.Metric }

func (g gauges) set(value float64, name, help string, labels prometheus.Labels) {
	desc := prometheus.NewDesc(name, help, nil, labels)
	g.out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value)
}

func (g gauges) collect(f operate.Gauges) {
	g.set(float64(f.OpenCancellations), "emissor_cancellations_open",
		"Notes whose cancellation is pending, and not with a city.",
		nil)
	g.set(float64(f.PendingAnalyses), "emissor_analyses_pending",
		"Notes about whose cancellation a city decides, by an analysis.", nil)
	g.set(f.AnalysisSeconds, "emissor_analyses_pending_oldest_seconds",
		"Time for which a city has had the oldest of these requests.", nil)
	g.set(float64(f.OpenDeliveries), "emissor_deliveries_open", "Deliveries that wait for their next attempt.", nil)
	g.set(float64(f.DisabledEndpoints), "emissor_webhook_endpoints_disabled",
		"Webhook endpoints that are disabled, by an operator or by 24 hours of 410.", nil)
	g.set(float64(f.HeldNotes), "emissor_notes_held",
		"Live notes that wait for an operator; `emissor note held` says for what.", nil)
	g.set(f.RefusedSeconds, "emissor_notes_refused_oldest_seconds",
		"Time since the oldest held note was refused for the company's settings or registers.", nil)
	g.set(float64(f.OpenEmails), "emissor_emails_open", "E-mails that wait for their next attempt.", nil)
	g.set(float64(f.FailedEmails), "emissor_emails_failed",
		"E-mails of this month and the last that were given up; `emissor email list` says why.", nil)
	g.set(f.ArchiveFailing, "emissor_archive_failing_seconds",
		"Time since the archive last worked, where its last round failed; `emissor archive status` says how.", nil)
	g.set(f.ArchiveErasing, "emissor_archive_erasures_oldest_seconds",
		"Time since the oldest document was erased that the archive still has.", nil)
	g.set(float64(f.UndecidedDocuments), "emissor_recovered_documents_undecided",
		"Documents of authorities that were found after a restore, and wait for a person.", nil)
	g.set(f.PartsAhead, "emissor_parts_ahead_seconds",
		"Time for which every table that grows has its next parts; without them nothing could be stored.", nil)
	g.set(float64(f.AmbiguousExchanges), "emissor_exchanges_in_doubt",
		"Declarations and cancellations that were sent to an authority whose outcome is not known yet.", nil)
	g.set(f.AmbiguousSeconds, "emissor_exchanges_in_doubt_oldest_seconds",
		"Time for which the oldest of them has been in doubt.", nil)
	for _, d := range f.Distributions {
		labels := prometheus.Labels{"environment": "restricted"}
		if d.Production {
			labels["environment"] = "production"
		}
		g.set(d.Seconds, "emissor_distribution_lag_seconds",
			"Time since it was known last what happened outside, of the issuer of whom it is the longest.", labels)
		if d.LastSuccess != nil {
			g.set(*d.LastSuccess, "emissor_distribution_last_success_timestamp_seconds",
				"When an issuer was asked about last, and there was an answer.", labels)
		}
	}
	for _, c := range f.Certificates {
		g.set(c.Seconds, "emissor_certificate_expires_seconds",
			"Time until a certificate that is in use ends, negative once it has. "+
				"The longest of an organization counts.",
			prometheus.Labels{"organization": c.OrganizationID, "certificate": c.CertificateID})
	}
}

func (g gauges) collectEnvironment(f operate.Gauges, livemode bool) {
	labels := prometheus.Labels{"environment": nfse.Environment(livemode)}
	open := map[nfse.Status]int64{nfse.StatusQueued: 0, nfse.StatusProcessing: 0}
	for _, notes := range f.OpenNotes {
		if notes.Livemode == livemode {
			open[notes.Status] = notes.Count
		}
	}
	for status, count := range open {
		g.set(float64(count), "emissor_notes_open", "Notes that have not reached a final state, by state.",
			prometheus.Labels{"status": string(status), "environment": labels["environment"]})
	}
	var waiting operate.Waiting
	for _, row := range f.Waiting {
		if row.Livemode == livemode {
			waiting = row
		}
	}
	g.set(float64(waiting.Rows), "emissor_outbox_rows",
		"Rows that wait to be handed to the workflow engine.", labels)
	g.set(float64(waiting.Paused), "emissor_outbox_paused_rows",
		"Rows that cannot be started at all for now; `emissor outbox` says why.", labels)
	g.set(float64(waiting.Failing), "emissor_outbox_failing_rows",
		"Rows that the engine did not take while it took others; `emissor outbox` says why.", labels)
	g.set(waiting.OldestSeconds, "emissor_outbox_oldest_seconds",
		"Age of the oldest row that is due and waits for nothing but the engine.", labels)
}
