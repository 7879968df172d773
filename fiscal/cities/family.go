package cities

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"emissor/internal/municipality"
)

// Family is the protocol of a supplier of cities' servers.
type Family string

// The families that the program speaks.
const (
	DSF    Family = "dsf"    // the national JSON over REST, on a city's own host
	ISSNet Family = "issnet" // the national XML over SOAP
	SEFIN  Family = "sefin"  // a server that speaks as SEFIN Nacional does, on a city's own host
)

// A Quirk is in what the server of one city differs from what its family does by default.
type Quirk string

// The quirks. Each belongs to the families that take it, see quirksOf.
const (
	// Series are the numbers of series that the city leaves to companies, as 10001-49999.
	Series Quirk = "series"
	// Paths are those of the calls, where they are others than the family's: of DSF adn, an older edition;
	// of SEFIN the four of sending a DPS, asking about it, fetching a document and sending an event, as
	// recepcao,chave-acesso/{dps},nfse/{key},evento.
	Paths Quirk = "paths"
	// KeyInfo is full where a signature names its certificate by subject and serial number too.
	KeyInfo Quirk = "key-info"
	// Cancelling is off where the city takes no cancellation from programs, or the event by which it
	// takes one: e101101.
	Cancelling Quirk = "cancelling"
	// NotFounds is how many questions must find nothing before a declaration is sent again.
	NotFounds Quirk = "not-founds"
	// GracePeriod is how long after a sending a question that finds nothing proves nothing.
	GracePeriod Quirk = "grace-period"
	// SendTimeout and AskTimeout are the longest that a sending, and a question, may take.
	SendTimeout Quirk = "send-timeout"
	AskTimeout  Quirk = "ask-timeout"
	// Rate is how many calls a second all workers together make at most.
	Rate Quirk = "rate"
	// TLS is the highest version, and whether the server may renegotiate: 1.3, 1.2, 1.2-once
	// or 1.2-freely.
	TLS Quirk = "tls"
	// FindOperation is the operation by which a declaration is asked about, where it has the name of
	// the manual: ConsultarNfsePorDps.
	FindOperation Quirk = "find-operation"
	// NotFoundCodes are the codes by which that question finds nothing, as E212,E213.
	NotFoundCodes Quirk = "not-found"
	// TestCity is the IBGE code of the issuer's city in the test server, which is on its data.
	TestCity Quirk = "test-city"
)

// quirksOf are the quirks that a family takes, each with what its value must be.
var quirksOf = map[Family]map[Quirk]func(string) error{
	DSF: {
		Series: isSeries, Paths: isOneOf("adn"), KeyInfo: isOneOf("full"), Cancelling: isOneOf("off"),
		NotFounds: isOneOf("1", "2", "3"), GracePeriod: isDuration(time.Hour), SendTimeout: isDuration(LongestCall),
		AskTimeout: isDuration(LongestCall), Rate: isRate, TLS: isTLS,
	},
	ISSNet: {
		Series: isSeries, Cancelling: isOneOf("off", "e101101"), NotFounds: isOneOf("1", "2", "3"),
		GracePeriod: isDuration(time.Hour), SendTimeout: isDuration(LongestCall),
		AskTimeout: isDuration(LongestCall), Rate: isRate, TLS: isTLS,
		FindOperation: isOneOf("ConsultarNfseDps", "ConsultarNfsePorDps"), NotFoundCodes: isCodes, TestCity: isCity,
	},
	SEFIN: {
		Series: isSeries, Paths: isPaths, Cancelling: isOneOf("off", "e101101"), NotFounds: isOneOf("1", "2", "3"),
		GracePeriod: isDuration(time.Hour), SendTimeout: isDuration(LongestCall),
		AskTimeout: isDuration(LongestCall), Rate: isRate, TLS: isTLS,
	},
}

// LongestCall is the longest that a row may let a call take: one attempt at an exchange has the time
// of at least two.
const LongestCall = 5 * time.Minute

// Families are the names of those that the program speaks.
func Families() (names []string) {
	for family := range quirksOf {
		names = append(names, string(family))
	}
	slices.Sort(names)
	return names
}

// Quirks are the names of those that a family takes.
func Quirks(family Family) []Quirk { return slices.Sorted(maps.Keys(quirksOf[family])) }

func isOneOf(words ...string) func(string) error {
	return func(value string) error {
		if !slices.Contains(words, value) {
			return errors.New("must be " + strings.Join(words, " or "))
		}
		return nil
	}
}

func isDuration(most time.Duration) func(string) error {
	return func(value string) error {
		if duration, err := time.ParseDuration(value); err != nil || duration <= 0 || duration > most {
			return errors.New("must be a time as 180s, of at most " + most.String())
		}
		return nil
	}
}

func isRate(value string) error {
	if rate, err := strconv.ParseFloat(value, 64); err != nil || !(rate > 0 && rate <= 100) {
		return errors.New("must be calls a second, more than 0 and at most 100")
	}
	return nil
}

func isSeries(value string) error {
	_, err := parseSeries(value)
	return err
}

var codesForm = regexp.MustCompile(`^[A-Z]{1,2}[0-9]{3,4}(,[A-Z]{1,2}[0-9]{3,4})*$`)

func isCodes(value string) error {
	if !codesForm.MatchString(value) {
		return errors.New("must be codes as E212,E213")
	}
	return nil
}

var pathsForm = regexp.MustCompile(
	`^[\w/-]+,([\w-]+/)*\{dps\}(/[\w-]+)*,([\w-]+/)*\{key\}(/[\w-]+)*,[\w-]+(/([\w-]+|\{key\}))*$`)

func isPaths(value string) error {
	if !pathsForm.MatchString(value) {
		return errors.New("must be four paths as nfse,dps/{dps},nfse/{key},nfse/{key}/eventos")
	}
	return nil
}

func isCity(value string) error {
	if !municipality.Exists(value) {
		return fmt.Errorf("must be an IBGE code, which %q is not", value)
	}
	return nil
}
