package cli

import (
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"emissor/fiscal/drift"
	"emissor/fiscal/national"
	"emissor/fiscal/national/calculator"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
	"emissor/worker"
)

// NationalConfig are the settings of the national system. The addresses have no
// defaults: without them nothing is sent.
type NationalConfig struct {
	ProductionURL    string         `envconfig:"EMISSOR_NATIONAL_PRODUCTION_URL" readers:"worker" desc:"Base URL of SEFIN Nacional, as https://sefin.nfse.gov.br/SefinNacional. Empty: notes of profiles of production wait."`
	RestrictedURL    string         `envconfig:"EMISSOR_NATIONAL_RESTRICTED_URL" readers:"worker" desc:"The same of produção restrita, as https://sefin.producaorestrita.nfse.gov.br/SefinNacional."`
	ProductionADNURL string         `envconfig:"EMISSOR_NATIONAL_PRODUCTION_ADN_URL" readers:"worker" desc:"Base URL of the ADN, as https://adn.nfse.gov.br, which is asked for the parameters of cities and for what others did to notes. Empty: it is not asked."`
	RestrictedADNURL string         `envconfig:"EMISSOR_NATIONAL_RESTRICTED_ADN_URL" readers:"worker" desc:"The same of produção restrita, as https://adn.producaorestrita.nfse.gov.br."`
	DocumentSigners  signerWords    `envconfig:"EMISSOR_NATIONAL_DOCUMENT_SIGNERS" expert:"true" readers:"worker" desc:"Who signs NFS-e, by the name of a host that their certificate is valid for, as www.nfse.gov.br, or, of those whose certificates lead to EMISSOR_CERTIFICATE_ROOTS, by CNPJ or subject, as CN=NAME or the whole subject; semicolons separate several. Empty: the authority's signatures are not checked."`
	EventSigners     signerWords    `envconfig:"EMISSOR_NATIONAL_EVENT_SIGNERS" expert:"true" readers:"worker" desc:"The same of events. Empty: who signs NFS-e."`
	RequireSignature bool           `envconfig:"EMISSOR_NATIONAL_REQUIRE_SIGNATURE" expert:"true" default:"false" readers:"worker" desc:"Whether a note whose NFS-e or event has no valid signature is held instead of settled."`
	Signature        signatureWords `envconfig:"EMISSOR_NATIONAL_SIGNATURE" expert:"true" default:"inclusive-sha256" readers:"worker" desc:"How documents are signed: inclusive-sha256, inclusive-sha1, exclusive-sha256 or exclusive-sha1."`
	IBSCBSRequired   calendarDay    `envconfig:"EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM" expert:"true" default:"2027-01-01" readers:"worker dashboard commands" desc:"Day of competence, as 2027-01-01, from which every note needs the group IBSCBS: one without a classification of its service waits."`
	Rate             float64        `envconfig:"EMISSOR_NATIONAL_RATE" expert:"true" default:"20" readers:"worker" desc:"Notes a second that all workers together transmit at most."`
	CalculatorURL    string         `envconfig:"EMISSOR_NATIONAL_CALCULATOR_URL" expert:"true" readers:"commands" desc:"Base URL of the official calculator of IBS and CBS, as http://localhost:8080/api where its component runs on this machine, which emissor note calculate asks. Empty: it is not asked."`
	DoubtfulRefusals time.Duration  `envconfig:"EMISSOR_NATIONAL_DOUBTFUL_REFUSALS" expert:"true" default:"24h" readers:"worker" desc:"How long a note that is refused by a register which was false in outages (E0082, E0084, E0098, E0099, E0160) is asked about and sent again, with growing pauses and one note of the company at a time, before a person is asked or the note ends. 0s: not at all."`
	EventsInterval   time.Duration  `envconfig:"EMISSOR_NATIONAL_EVENTS_INTERVAL" expert:"true" default:"5m" readers:"worker" desc:"The shortest pause before the ADN is asked again what happened outside, at most 30m. The longest is three times as long."`
}

// configured reports whether this process issues live notes at all.
func (c NationalConfig) configured() bool { return c.ProductionURL != "" || c.RestrictedURL != "" }

func (c NationalConfig) check() error {
	switch {
	case c.Rate <= 0:
		return errors.New("EMISSOR_NATIONAL_RATE must be more than 0")
	case c.DoubtfulRefusals < 0:
		return errors.New("EMISSOR_NATIONAL_DOUBTFUL_REFUSALS must not be less than 0s")
	case c.EventsInterval <= 0 || c.EventsInterval > maxEventsInterval:
		return fmt.Errorf("EMISSOR_NATIONAL_EVENTS_INTERVAL must be more than 0s and at most %s", maxEventsInterval)
	case c.CalculatorURL != "" && badCalculator(c.CalculatorURL) != nil:
		return fmt.Errorf("EMISSOR_NATIONAL_CALCULATOR_URL %w", badCalculator(c.CalculatorURL))
	case len(c.DocumentSigners.Signers) == 0 && len(c.EventSigners.Signers) > 0:
		return errors.New("EMISSOR_NATIONAL_EVENT_SIGNERS needs EMISSOR_NATIONAL_DOCUMENT_SIGNERS")
	case len(c.DocumentSigners.Signers) == 0 && c.RequireSignature:
		return errors.New("EMISSOR_NATIONAL_REQUIRE_SIGNATURE needs EMISSOR_NATIONAL_DOCUMENT_SIGNERS")
	}
	return nil
}

func badCalculator(address string) error {
	_, err := calculator.New(address)
	return err
}

// maxEventsInterval keeps the pauses, of at most three intervals, below the time after
// which a run counts as lost.
const maxEventsInterval = 30 * time.Minute

// National makes the national system, if it is configured.
func (c Config) National(tables *classification.Source, watch *drift.Watch, logger *slog.Logger) (
	[]worker.Authority, error) {
	if !c.NationalConfig.configured() {
		return nil, nil
	}
	transport, err := c.Transport()
	if err != nil {
		return nil, err
	}
	transport.Observe = watch.Of(national.Name, drift.National)
	signerRoots, err := c.signerRoots()
	if err != nil {
		return nil, err
	}
	authority, err := national.New(national.Options{
		Connection: national.Connection{
			ProductionURL: c.ProductionURL, RestrictedURL: c.RestrictedURL,
			ProductionADNURL: c.ProductionADNURL, RestrictedADNURL: c.RestrictedADNURL,
			SignerRoots: signerRoots, RequireSignature: c.RequireSignature,
			DocumentSigners: c.DocumentSigners.Signers, EventSigners: c.EventSigners.Signers,
			DoubtfulRefusals: c.DoubtfulRefusals, Transport: transport, Logger: logger,
		},
		Signature: c.Signature.Profile, Software: Software(), GracePeriod: c.AuthorityGracePeriod,
		IBSCBSRequiredFrom: nfse.Day(c.IBSCBSRequired), Tables: tables,
	})
	if err != nil {
		return nil, errors.New(optionNames.Replace(err.Error()))
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
	return []worker.Authority{c.served(authority, c.Rate)}, nil
}

// signerRoots are the roots that the authority's signatures must lead to; nil where no
// signers are named, because every taxpayer has a certificate of the same roots.
func (c Config) signerRoots() (*x509.CertPool, error) {
	if len(c.DocumentSigners.Signers) == 0 {
		return nil, nil
	}
	return CertificatePool("EMISSOR_CERTIFICATE_ROOTS", c.CertificateRoots)
}

// optionNames turns the names of options in errors into those of variables.
var optionNames = strings.NewReplacer(
	"ProductionURL", "EMISSOR_NATIONAL_PRODUCTION_URL", "RestrictedURL", "EMISSOR_NATIONAL_RESTRICTED_URL",
	"ProductionADNURL", "EMISSOR_NATIONAL_PRODUCTION_ADN_URL",
	"RestrictedADNURL", "EMISSOR_NATIONAL_RESTRICTED_ADN_URL")

// Software returns the name of this program in documents (verAplic): at most 20
// characters.
func Software() string {
	name := "emissor-" + Version()
	return name[:min(len(name), 20)]
}

// CertificatePool reads files of certificates in PEM; nil for none. source, the
// variable or the flag that names them, begins its errors.
func CertificatePool(source string, files ...string) (pool *x509.CertPool, err error) {
	for _, file := range files {
		if file == "" {
			continue
		}
		pem, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source, err)
		}
		if pool == nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: the file holds no certificate in PEM", source)
		}
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
