package metrics

import "github.com/prometheus/client_golang/prometheus"

func newCertificateOpens() prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{
		Name: "emissor_certificate_opens_total",
		Help: "Times an organization's certificate was asked for, to sign or to connect. A note of the test environment never does.",
	})
}

func describeCertificates() *prometheus.Desc {
	return prometheus.NewDesc("emissor_certificate_expires_seconds",
		"Time until a certificate that is in use ends, negative once it has. The longest of an organization counts.",
		[]string{"organization", "certificate"}, nil)
}

// CertificateOpened counts that an organization's certificate was asked for.
func (m *Metrics) CertificateOpened() { m.opens.Inc() }
