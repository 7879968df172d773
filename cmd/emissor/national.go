package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"emissor/fiscal/mtls"
	"emissor/fiscal/national"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
	"emissor/worker"
)

// NationalConfig are the settings of the national system. The addresses have no
// defaults: without them nothing leaves the process. (Exported, because envconfig
// fills only what is.)
type NationalConfig struct {
	ProductionURL    string         `envconfig:"EMISSOR_NATIONAL_PRODUCTION_URL"`
	RestrictedURL    string         `envconfig:"EMISSOR_NATIONAL_RESTRICTED_URL"`
	ProductionADNURL string         `envconfig:"EMISSOR_NATIONAL_PRODUCTION_ADN_URL"`
	RestrictedADNURL string         `envconfig:"EMISSOR_NATIONAL_RESTRICTED_ADN_URL"`
	ServerCA         string         `envconfig:"EMISSOR_NATIONAL_SERVER_CA"`
	SignerCA         string         `envconfig:"EMISSOR_NATIONAL_SIGNER_CA"`
	DocumentSigners  signerWords    `envconfig:"EMISSOR_NATIONAL_DOCUMENT_SIGNERS"`
	EventSigners     signerWords    `envconfig:"EMISSOR_NATIONAL_EVENT_SIGNERS"`
	RequireSignature bool           `envconfig:"EMISSOR_NATIONAL_REQUIRE_SIGNATURE"`
	Signature        signatureWords `envconfig:"EMISSOR_NATIONAL_SIGNATURE" default:"inclusive-sha256"`
	Layouts          layoutWords    `envconfig:"EMISSOR_NATIONAL_LAYOUT" default:"1.01"`
	IBSCBSRequired   calendarDay    `envconfig:"EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM" default:"2027-01-01"`
	Rate             float64        `envconfig:"EMISSOR_NATIONAL_RATE" default:"20"`
	ConnectTimeout   time.Duration  `envconfig:"EMISSOR_NATIONAL_CONNECT_TIMEOUT" default:"10s"`
	Timeout          time.Duration  `envconfig:"EMISSOR_NATIONAL_TIMEOUT" default:"45s"`
	GracePeriod      time.Duration  `envconfig:"EMISSOR_NATIONAL_GRACE_PERIOD" default:"60s"`
	EventsInterval   time.Duration  `envconfig:"EMISSOR_NATIONAL_EVENTS_INTERVAL" default:"5m"`
	MinTLS           tlsVersion     `envconfig:"EMISSOR_NATIONAL_TLS_MIN" default:"1.2"`
	MaxTLS           tlsVersion     `envconfig:"EMISSOR_NATIONAL_TLS_MAX" default:"1.3"`
	Renegotiation    renegotiation  `envconfig:"EMISSOR_NATIONAL_TLS_RENEGOTIATION" default:"never"`
}

// configured reports whether this process issues live notes at all.
func (c NationalConfig) configured() bool { return c.ProductionURL != "" || c.RestrictedURL != "" }

func (c NationalConfig) check() error {
	switch {
	case c.Rate <= 0:
		return errors.New("EMISSOR_NATIONAL_RATE must be more than 0")
	case c.ConnectTimeout <= 0 || c.Timeout <= 0 || c.GracePeriod <= 0:
		return errors.New("EMISSOR_NATIONAL_CONNECT_TIMEOUT, EMISSOR_NATIONAL_TIMEOUT and " +
			"EMISSOR_NATIONAL_GRACE_PERIOD " +
			"must be more than 0s")
	case c.EventsInterval <= 0 || c.EventsInterval > maxEventsInterval:
		return fmt.Errorf("EMISSOR_NATIONAL_EVENTS_INTERVAL must be more than 0s and at most %s", maxEventsInterval)
	case c.Timeout > maxCall:
		return fmt.Errorf("EMISSOR_NATIONAL_TIMEOUT must be at most %s", maxCall)
	case c.MinTLS > c.MaxTLS:
		return errors.New("EMISSOR_NATIONAL_TLS_MIN is higher than EMISSOR_NATIONAL_TLS_MAX")
	case c.SignerCA != "" && len(c.DocumentSigners.Signers) == 0:
		return errors.New("EMISSOR_NATIONAL_SIGNER_CA needs EMISSOR_NATIONAL_DOCUMENT_SIGNERS, who of its " +
			"certificates is the authority: otherwise every taxpayer's signature would pass as the authority's")
	case c.SignerCA == "" && len(c.DocumentSigners.Signers)+len(c.EventSigners.Signers) > 0:
		return errors.New("EMISSOR_NATIONAL_DOCUMENT_SIGNERS and EMISSOR_NATIONAL_EVENT_SIGNERS need " +
			"EMISSOR_NATIONAL_SIGNER_CA")
	case c.RequireSignature && c.SignerCA == "":
		return errors.New("EMISSOR_NATIONAL_REQUIRE_SIGNATURE needs EMISSOR_NATIONAL_SIGNER_CA")
	}
	return nil
}

// maxCall keeps the few calls of one attempt within the time that the engine
// gives it.
const maxCall = time.Minute

// maxEventsInterval keeps the pauses, of three times as much at most, below the time
// after which a run counts as lost.
const maxEventsInterval = 30 * time.Minute

// authorities makes the national system, if it is configured.
func (c NationalConfig) authorities(tables *classification.Source, logger *slog.Logger) ([]worker.Authority, error) {
	if !c.configured() {
		return nil, nil
	}
	serverRoots, err := certificatePool("EMISSOR_NATIONAL_SERVER_CA", c.ServerCA)
	if err != nil {
		return nil, err
	}
	signerRoots, err := certificatePool("EMISSOR_NATIONAL_SIGNER_CA", c.SignerCA)
	if err != nil {
		return nil, err
	}
	authority, err := national.New(national.Options{
		ProductionURL: c.ProductionURL, RestrictedURL: c.RestrictedURL,
		ProductionADNURL: c.ProductionADNURL, RestrictedADNURL: c.RestrictedADNURL,
		SignerRoots: signerRoots, RequireSignature: c.RequireSignature,
		DocumentSigners: c.DocumentSigners.Signers, EventSigners: c.EventSigners.Signers,
		Signature: c.Signature.Profile, Layouts: c.Layouts.Schedule, Software: software(),
		IBSCBSRequiredFrom: nfse.Day(c.IBSCBSRequired), Tables: tables,
		Transport: mtls.Options{
			ServerRoots: serverRoots, UserAgent: software(), ConnectTimeout: c.ConnectTimeout, Timeout: c.Timeout,
			MinTLS: uint16(c.MinTLS), MaxTLS: uint16(c.MaxTLS),
			Renegotiation: tls.RenegotiationSupport(c.Renegotiation),
		},
		GracePeriod: c.GracePeriod, Logger: logger,
	})
	if err != nil {
		return nil, errors.New(optionNames.Replace(err.Error()))
	}
	if c.GracePeriod < time.Minute {
		logger.Warn("EMISSOR_NATIONAL_GRACE_PERIOD is less than a minute: " +
			"against the real authority a document may come to exist after it was not found")
	}
	for _, one := range []struct{ url, adnURL, name string }{
		{c.ProductionURL, c.ProductionADNURL, "EMISSOR_NATIONAL_PRODUCTION_ADN_URL"},
		{c.RestrictedURL, c.RestrictedADNURL, "EMISSOR_NATIONAL_RESTRICTED_ADN_URL"},
	} {
		if one.url != "" && one.adnURL == "" {
			logger.Warn("what happens outside, as a city's cancellation of a note, is not asked for: " +
				one.name + " is not set")
		}
	}
	return []worker.Authority{{Authority: authority, Rate: c.Rate, CallTimeout: c.Timeout + c.ConnectTimeout}}, nil
}

// optionNames turns the names of options in errors into those of variables.
var optionNames = strings.NewReplacer(
	"ProductionURL", "EMISSOR_NATIONAL_PRODUCTION_URL", "RestrictedURL", "EMISSOR_NATIONAL_RESTRICTED_URL",
	"ProductionADNURL", "EMISSOR_NATIONAL_PRODUCTION_ADN_URL",
	"RestrictedADNURL", "EMISSOR_NATIONAL_RESTRICTED_ADN_URL")

// software returns the name of this program in documents (verAplic): at most 20
// characters.
func software() string {
	name := "emissor"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		name += "-" + info.Main.Version
	}
	return name[:min(len(name), 20)]
}

// certificatePool reads a file of certificates in PEM; nil for no file. source, the
// variable or the flag that names the file, begins its errors.
func certificatePool(source, file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s: the file holds no certificate in PEM", source)
	}
	return pool, nil
}

// signatureWords reads the words of EMISSOR_NATIONAL_SIGNATURE.
type signatureWords struct{ xmldsig.Profile }

// Decode implements envconfig.Decoder.
func (s *signatureWords) Decode(value string) (err error) {
	s.Profile, err = xmldsig.ParseProfile(value)
	return err
}

// signerWords reads the words of EMISSOR_NATIONAL_DOCUMENT_SIGNERS and
// EMISSOR_NATIONAL_EVENT_SIGNERS.
type signerWords struct{ national.Signers }

// Decode implements envconfig.Decoder.
func (s *signerWords) Decode(value string) (err error) {
	s.Signers, err = national.ParseSigners(value)
	return err
}

// layoutWords reads the words of EMISSOR_NATIONAL_LAYOUT.
type layoutWords struct{ national.Schedule }

// Decode implements envconfig.Decoder.
func (l *layoutWords) Decode(value string) (err error) {
	l.Schedule, err = national.ParseSchedule(value)
	return err
}

// calendarDay is a date, as 2027-01-01.
type calendarDay string

// Decode implements envconfig.Decoder.
func (d *calendarDay) Decode(value string) error {
	if _, err := time.Parse(time.DateOnly, value); err != nil {
		return errors.New("must be a date in the form 2027-01-01")
	}
	*d = calendarDay(value)
	return nil
}

type tlsVersion uint16

// Decode implements envconfig.Decoder.
func (v *tlsVersion) Decode(value string) error {
	versions := map[string]tlsVersion{
		"1.0": tls.VersionTLS10, "1.1": tls.VersionTLS11, "1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13,
	}
	version, known := versions[value]
	if !known {
		return errors.New("must be 1.0, 1.1, 1.2 or 1.3")
	}
	*v = version
	return nil
}

type renegotiation tls.RenegotiationSupport

// Decode implements envconfig.Decoder.
func (r *renegotiation) Decode(value string) error {
	words := map[string]tls.RenegotiationSupport{
		"never": tls.RenegotiateNever, "once": tls.RenegotiateOnceAsClient, "freely": tls.RenegotiateFreelyAsClient,
	}
	support, known := words[value]
	if !known {
		return errors.New("must be never, once or freely")
	}
	*r = renegotiation(support)
	return nil
}
