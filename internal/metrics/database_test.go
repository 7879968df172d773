package metrics_test

import (
	"log/slog"
	"testing"

	"emissor/internal/metrics"
	"emissor/store/operate"
)

func TestMetrics_CertificateOpened(t *testing.T) {
	m := metrics.New()
	expect(t, scrape(t, m), "emissor_certificate_opens_total 0") // there from the start: a test proves that it stays
	m.CertificateOpened()
	m.CertificateOpened()
	expect(t, scrape(t, m), "emissor_certificate_opens_total 2")
}

func TestMetrics_CertificateExpires(t *testing.T) {
	m := metrics.New()
	m.RegisterDatabase(answering(operate.Gauges{Certificates: []operate.CertificateExpiry{
		{OrganizationID: "org_a", CertificateID: "crt_1", Seconds: 86400},
		{OrganizationID: "org_a", CertificateID: "crt_2", Seconds: -60.5},
	}}, nil), slog.New(slog.DiscardHandler))
	expect(t, scrape(t, m),
		`emissor_certificate_expires_seconds{certificate="crt_1",organization="org_a"} 86400`,
		`emissor_certificate_expires_seconds{certificate="crt_2",organization="org_a"} -60.5`,
	)
}
