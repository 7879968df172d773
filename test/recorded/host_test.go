package recorded

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national"
	"emissor/fiscal/national/cityserver"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
	"emissor/test/simulators/fiorilli"
	"emissor/test/simulators/issnet"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/simulatortest"
)

// observer is told of each answer: see mtls.Options.
type observer func(call string, production bool, status int, contentType string, body []byte)

// host is a host of an authority, as it is simulated but for what is recorded, and a company that reaches it.
type host struct {
	fiscal.Authority
	simulator   *sefin.Simulator
	access      fiscal.Access
	declaration fiscal.Declaration
	dps         string   // the Id of the declaration's
	observe     observer // of the answers

	recorded atomic.Pointer[Recording]
	stranger sefin.Entry // another note of the company
}

const (
	company      = "11222333000181"
	registration = "998877"
	number       = 42 // of the note's DPS
)

// open starts the host of a recording.
func open(t *testing.T, one Recording, observe observer) *host {
	t.Helper()
	h := &host{declaration: nationaltest.Declaration(), observe: observe}
	production := one.Header["environment"] == "production"
	options := sefin.Options{
		Options:    server.Options{Clock: func() time.Time { return nationaltest.At }, Between: h.between},
		Production: production,
		Registry:   sefin.Registry{PostalCodeOf: func(string, string) bool { return true }, ISSRate: int64(nfse.MaxRate)},
	}
	h.declaration.Issuer.Production = production
	name := one.Header["authority"]
	switch row := familyRow(name); row.Family {
	case "":
		h.national(t, options)
	case "dsf":
		played, err := sefin.CityNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		options.Cities = []sefin.City{played}
		h.start(t, options)
		h.city(t, row, h.simulator.CityURL(name))
	case "issnet":
		options.Production = true
		behind, err := issnet.Start(issnet.Options{Options: options})
		h.simulator = simulatortest.Started(t, behind, err).Simulator
		h.city(t, row, behind.URL())
		h.declaration.Issuer.Production, h.declaration.Classification = true, nationaltest.Classification()
		h.declaration.Issuer.GrantedNumbers = &nfse.NumberRange{First: 1, Last: 999}
		h.declaration.Taxation.Service.MunicipalCode = "1009"
	case "fiorilli":
		options.Production = true
		behind, err := fiorilli.Start(fiorilli.Options{Options: options})
		h.simulator = simulatortest.Started(t, behind, err).Simulator
		h.city(t, row, behind.URL())
		h.declaration.Issuer.Production = true
	default:
		t.Fatalf("no host of the family %s is simulated", row.Family)
	}
	certificate, err := h.simulator.NewCertificate(sefin.Subject{TaxID: company})
	if err != nil {
		t.Fatal(err)
	}
	h.access = fiscal.Access{Production: h.declaration.Issuer.Production,
		Credentials: &fiscal.Credentials{ID: "crt_1", Certificate: certificate}}
	h.stranger = h.issued(t, number-1)
	return h
}

func (h *host) start(t *testing.T, options sefin.Options) {
	t.Helper()
	simulator, err := sefin.Start(options)
	h.simulator = simulatortest.Started(t, simulator, err)
}

func (h *host) national(t *testing.T, options sefin.Options) {
	t.Helper()
	h.start(t, options)
	signers, err := national.ParseSigners("CN=" + sefin.SignerName)
	if err != nil {
		t.Fatal(err)
	}
	reached := national.Options{Software: "emissor-test", Connection: national.Connection{
		DocumentSigners: signers, SignerRoots: h.simulator.SignerRoots(),
		Transport:        mtls.Options{ServerRoots: h.simulator.Roots(), Observe: h.observe},
		DoubtfulRefusals: 24 * time.Hour, // as EMISSOR_NATIONAL_DOUBTFUL_REFUSALS is by default
	}}
	if options.Production {
		reached.ProductionURL, reached.ProductionADNURL = h.simulator.URL(), h.simulator.ADNURL()
	} else {
		reached.RestrictedURL, reached.RestrictedADNURL = h.simulator.URL(), h.simulator.ADNURL()
	}
	if h.Authority, err = national.New(reached); err != nil {
		t.Fatal(err)
	}
}

// familyRow is the row of a city in the table that is built in; of no family where there is none.
func familyRow(name string) (row cities.Row) {
	for _, row = range cities.BuiltIn().OfName(name) {
	}
	return row
}

// city reaches the simulator as a city of the table, by the row but for its addresses and bounds of time.
func (h *host) city(t *testing.T, row cities.Row, address string) {
	t.Helper()
	text := strings.Join(cities.Columns(), "\t") + "\n"
	for line := range strings.Lines(cities.BuiltIn().File) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(cells) > 7 && cells[1] == row.Name {
			cells[3], cells[6], cells[7] = "on", address, address
			if row.Family == "dsf" { // one city has one environment at a time
				cells[6] = ""
			}
			cells[10] = strings.ReplaceAll(cells[10], "cancelling=off", "")
			if row.Family == "fiorilli" { // what others have not reported is as the simulator has it
				cells[4], cells[10] = "2026-01-01", "not-found=empty cancelling=e101101"
			}
			text += strings.Join(cells, "\t") + "\n"
		}
	}
	table, err := cities.Parse(text, cityrules.Quirks())
	if err != nil {
		t.Fatal(err)
	}
	h.Authority, err = cityserver.New(row.Name, &table, cityserver.Options{
		Software: "emissor-test", Transport: mtls.Options{ServerRoots: h.simulator.Roots(), Observe: h.observe},
	})
	if err != nil {
		t.Fatal(err)
	}
	d := &h.declaration
	d.Issuer.MunicipalityCode, d.Note.Service.MunicipalityCode = row.MunicipalityCode, row.MunicipalityCode
	d.Issuer.MunicipalRegistration, d.Issuer.Series = new(registration), 10001
	d.Issuer.Production = false
	d.Taxation.Service = &nfse.ServiceTaxation{MunicipalCode: "001"}
}

// request is the signed request to issue the declaration under a number.
func (h *host) request(t *testing.T, number int64) fiscal.Request {
	t.Helper()
	d := h.declaration
	d.Number, d.Note.ID = number, fmt.Sprintf("nfse_%026d", number)
	if objection := h.Check(d, nationaltest.At); objection != nil {
		t.Fatalf("it is not sent: %+v", objection)
	}
	message, err := h.SignDeclaration(d, h.access.Credentials, nationaltest.At)
	if err != nil {
		t.Fatal(err)
	}
	h.dps = message.ID
	return fiscal.Request{
		Kind: fiscal.Issue, Messages: []fiscal.Message{message}, CorrelationID: fiscal.CorrelationID(d.Note.ID),
		MunicipalRegistration: registration,
	}
}

// issued issues the declaration under a number.
func (h *host) issued(t *testing.T, number int64) sefin.Entry {
	t.Helper()
	request := h.request(t, number)
	answer := h.Send(t.Context(), h.access, request)
	if answer.Outcome != fiscal.OutcomeAccepted || answer.Match != fiscal.MatchOurs {
		t.Fatalf("it is not issued: %s %s\n%s", answer.Outcome, answer.Summary(), answer.Body)
	}
	entry, found := h.simulator.Note(answer.Document.AccessKey)
	if !found {
		t.Fatalf("the simulator does not know %s", answer.Document.AccessKey)
	}
	return entry
}

// between answers as recorded, from when something is.
func (h *host) between(simulated http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one := h.recorded.Load()
		if one == nil {
			simulated.ServeHTTP(w, r)
			return
		}
		answer := one.answerTo(CallOf(r))
		if answer == nil {
			simulated.ServeHTTP(w, r)
			return
		}
		body := strings.ReplaceAll(answer.Body, "{{dps}}", h.dps)
		if strings.Contains(body, "{{") { // it is of something that the host has made
			done := httptest.NewRecorder()
			simulated.ServeHTTP(done, r)
			body = h.filled(body, done.Body.String())
		}
		if answer.Media != "" {
			w.Header().Set("Content-Type", answer.Media)
		} else {
			w.Header()["Content-Type"] = nil
		}
		w.WriteHeader(answer.Status)
		_, _ = w.Write([]byte(body))
	})
}

// What a simulator's answer says, by the name of what it is in a recorded body.
var said = map[string]*regexp.Regexp{
	"{{key}}":   regexp.MustCompile(`(?:"chaveAcesso":"(?:NFS)?|Id="NFS)([0-9]{50})`),
	"{{nfse}}":  regexp.MustCompile(`(?s)"nfseXmlGZipB64":"([^"]+)"|(<NFSe .*</NFSe>)`),
	"{{event}}": regexp.MustCompile(`"(?:arquivoXml|eventoXmlGZipB64)":"([^"]+)"`),
}

// filled is a recorded body with what the simulated host has.
func (h *host) filled(body, simulated string) string {
	pairs := []string{"{{other key}}", h.stranger.AccessKey}
	for name, pattern := range said {
		if groups := pattern.FindStringSubmatch(simulated); groups != nil {
			pairs = append(pairs, name, strings.Join(groups[1:], ""))
		}
	}
	return strings.NewReplacer(pairs...).Replace(body)
}
