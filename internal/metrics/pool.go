package metrics

import (
	"database/sql"

	"github.com/prometheus/client_golang/prometheus"
)

// RegisterPool registers how the process's connections to the database are used.
func (m *Metrics) RegisterPool(stats func() sql.DBStats) {
	gauge := func(name, help string, value func(sql.DBStats) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return value(stats()) })
	}
	m.Registry.MustRegister(
		gauge("emissor_database_connections_limit", "Connections to the database that this process may have.",
			func(s sql.DBStats) float64 { return float64(s.MaxOpenConnections) }),
		gauge("emissor_database_connections_open", "Connections to the database that this process has.",
			func(s sql.DBStats) float64 { return float64(s.OpenConnections) }),
		gauge("emissor_database_connections_used", "Of them, those that are in use.",
			func(s sql.DBStats) float64 { return float64(s.InUse) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "emissor_database_connections_wait_seconds_total",
			Help: "Time that statements of this process have waited for a connection, added up."},
			func() float64 { return stats().WaitDuration.Seconds() }))
}
