package cli

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/drift"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/classification"
	"emissor/worker"
)

// AuthorityConfig are the settings of every authority: a new one adds none.
type AuthorityConfig struct {
	AuthorityTimeout     time.Duration `envconfig:"EMISSOR_AUTHORITY_TIMEOUT" expert:"true" default:"45s" readers:"worker commands" desc:"The longest that a request to an authority may take, at most 1m. Of the cities of the table their rows say it (send-timeout and ask-timeout)."`
	AuthorityGracePeriod time.Duration `envconfig:"EMISSOR_AUTHORITY_GRACE_PERIOD" expert:"true" default:"60s" readers:"worker" desc:"How long after a transmission an authority that finds nothing is not believed yet, and at São Paulo after a question too. Less than a minute only against a simulator: a number that is sent a second time cancels São Paulo's first note. Of the cities of the table their rows say it (grace-period)."`
	AuthorityTLS         AuthorityTLS  `envconfig:"EMISSOR_AUTHORITY_TLS" expert:"true" default:"auto" readers:"worker commands" desc:"The highest TLS version towards authorities. auto: 1.2 towards the hosts of the national system, which may renegotiate once in a connection, as SEFIN asks for the client's certificate only so, and 1.3 towards others. 1.3 or 1.2, which is the lowest too: that version towards all, and nobody renegotiates. 1.2-once lets every server renegotiate once in a connection, and 1.2-freely as often as it likes."`
	AuthorityCA          string        `envconfig:"EMISSOR_AUTHORITY_CA" expert:"true" readers:"worker commands" desc:"Files (PEM, comma separated) of the CAs that sign the certificates of authorities' servers, in place of the system's. Empty: the system's."`
}

func (c AuthorityConfig) check() error {
	switch {
	case c.AuthorityTimeout <= 0 || c.AuthorityTimeout > MaxCall:
		return fmt.Errorf("EMISSOR_AUTHORITY_TIMEOUT must be more than 0s and at most %s", MaxCall)
	case c.AuthorityGracePeriod <= 0:
		return errors.New("EMISSOR_AUTHORITY_GRACE_PERIOD must be more than 0s")
	}
	return nil
}

const (
	// MaxCall is the longest that a call to the national system or São Paulo may take. A city of the
	// table may have more, by its row: cities.LongestCall.
	MaxCall = time.Minute
	// MaxConnecting is the longest that a connection to an authority may take.
	MaxConnecting = 10 * time.Second
)

func (c AuthorityConfig) connectTimeout() time.Duration {
	return min(MaxConnecting, c.AuthorityTimeout)
}

// Transport makes the options of the connections to every authority.
func (c AuthorityConfig) Transport() (mtls.Options, error) {
	roots, err := CertificatePool("EMISSOR_AUTHORITY_CA", splitList(c.AuthorityCA)...)
	return mtls.Options{
		ServerRoots: roots, UserAgent: Software(),
		ConnectTimeout: c.connectTimeout(), Timeout: c.AuthorityTimeout,
		MaxTLS: c.AuthorityTLS.most, Renegotiation: c.AuthorityTLS.renegotiation,
	}, err
}

// served is an authority as the worker calls it, rate times a second at most.
func (c AuthorityConfig) served(authority fiscal.Authority, rate float64) worker.Authority {
	return worker.Authority{
		Authority: authority, Rate: rate, CallTimeout: c.AuthorityTimeout + c.connectTimeout(),
	}
}

// Authorities makes the authorities by which the worker issues live notes; none
// when none is configured.
func (c Config) Authorities(tables *classification.Source, watch *drift.Watch, logger *slog.Logger) (
	[]worker.Authority, error) {
	country, err := c.National(tables, watch, logger)
	if err != nil {
		return nil, err
	}
	city, err := c.SaoPauloAuthorities(tables, watch, logger)
	if len(country)+len(city) > 0 && c.AuthorityGracePeriod < time.Minute {
		logger.Warn("EMISSOR_AUTHORITY_GRACE_PERIOD is less than a minute: against a real authority a document may " +
			"come to exist after it was not found, and in São Paulo sending its RPS again would cancel it")
	}
	if err != nil {
		return nil, err
	}
	cities, err := c.ServedCities(tables, watch, logger)
	return slices.Concat(country, city, cities), err
}

// AuthorityTLS reads the words of EMISSOR_AUTHORITY_TLS. There is no renegotiation in
// TLS 1.3.
type AuthorityTLS struct {
	most          uint16
	renegotiation tls.RenegotiationSupport
}

// Decode implements envconfig.Decoder.
func (v *AuthorityTLS) Decode(value string) error {
	words := map[string]AuthorityTLS{
		"auto":       {}, // each authority's own
		"1.3":        {tls.VersionTLS13, tls.RenegotiateNever},
		"1.2":        {tls.VersionTLS12, tls.RenegotiateNever},
		"1.2-once":   {tls.VersionTLS12, tls.RenegotiateOnceAsClient},
		"1.2-freely": {tls.VersionTLS12, tls.RenegotiateFreelyAsClient},
	}
	found, known := words[value]
	if !known {
		return errors.New("must be auto, 1.3, 1.2, 1.2-once or 1.2-freely")
	}
	*v = found
	return nil
}

// PfxProgram is the command line by which this program opens a PFX file.
func PfxProgram() ([]string, error) {
	path, err := os.Executable()
	return []string{path, "certificate", "open"}, err
}

// CertificateRoots are the roots in the flag's file, or else in the configuration's; nil when neither names one.
func CertificateRoots(config Config, file string) (*x509.CertPool, error) {
	source := "EMISSOR_CERTIFICATE_ROOTS"
	if file != "" {
		source = "--roots"
	}
	return CertificatePool(source, cmp.Or(file, config.CertificateRoots))
}
