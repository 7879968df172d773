package sefin

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"emissor/test/simulators/shared/accesskey"
)

// City is a city whose own server takes the DPS, with how that server behaves. The zero value of
// each switch is what was seen most.
type City struct {
	Name         string `json:"name"`         // in its addresses: see CityURL
	Municipality string `json:"municipality"` // IBGE code

	OldPaths   bool     `json:"old_paths,omitempty"`   // it has the paths of the older edition: …/api/adn/dps
	Clone      Clone    `json:"clone,omitempty"`       // it is no server of DSF, but speaks as SEFIN does
	InWords    bool     `json:"in_words,omitempty"`    // refusals, and that there is nothing, come as a page, not as JSON
	FirstCall  Duration `json:"first_call,omitempty"`  // how long it takes to answer for the first time
	Challenges bool     `json:"challenges,omitempty"`  // it shows a page to who says no User-Agent of its own
	Version    string   `json:"version,omitempty"`     // versaoAplicativo; 1.01 when empty
	AsNumber   bool     `json:"as_number,omitempty"`   // tipoAmbiente is a number, but beside a document
	BareKey    bool     `json:"bare_key,omitempty"`    // chaveAcesso comes without the prefix NFS
	RepeatsID  bool     `json:"repeats_id,omitempty"`  // GET by DPS repeats idDps, as documented
	SaysE0044  bool     `json:"says_e0044,omitempty"`  // the 404 of a DPS has a code, not metadata alone
	Refuses    string   `json:"refuses,omitempty"`     // what the list of refusals is called; erros when empty
	RefusesAs  int      `json:"refuses_as,omitempty"`  // the status of a refused DPS; 400 when 0
	Wordless   bool     `json:"wordless,omitempty"`    // refusals come with words alone, without their code
	FullKey    bool     `json:"full_key,omitempty"`    // KeyInfo must name subject, issuer and serial number
	SecondNote bool     `json:"second_note,omitempty"` // a DPS that comes twice makes a second note, not E0014

	FirstSeries int `json:"first_series,omitempty"` // that contributors may use (L0022); 0 is 1
	// Codes are its own codes of services (cTribMun) that are tied to providers, by cTribNac; of a
	// service that is not listed all are (L0001).
	Codes map[string][]string `json:"codes,omitempty"`
}

// Clone are the paths of a server that speaks as SEFIN does, and takes what SEFIN takes but for the city's own rules.
type Clone string

// The clones. That their servers answer more than their paths say is this simulator's choice: nobody has recorded one.
const (
	CloneSEFIN  Clone = "sefin"  // SEFIN's own paths: Infisc, SimplISS, RLZ
	CloneTiplan Clone = "tiplan" // a path for a DPS, one for its key, and one for events, whose key the event itself says
)

// The cities of the family DSF that are known, as their servers were seen: Teresina in recording 25, Campinas in 28
// to 30.
var knownCities = []City{
	{Name: "teresina", Municipality: "2211001", Challenges: true, FullKey: true, FirstSeries: 10001},
	{Name: "campinas", Municipality: "3509502", Refuses: "alertas", RefusesAs: 200, Version: "1.0", AsNumber: true,
		BareKey: true},
	{Name: "campo-grande", Municipality: "5002704", SaysE0044: true, RepeatsID: true},
	{Name: "belem", Municipality: "1501402", OldPaths: true, AsNumber: true, BareKey: true},
	// Clones of SEFIN: Infisc, SimplISS, RLZ, Tiplan.
	{Name: "caxias-do-sul", Municipality: "4305108", Clone: CloneSEFIN, AsNumber: true, BareKey: true, SaysE0044: true},
	{Name: "santana-de-parnaiba", Municipality: "3547304", Clone: CloneSEFIN, BareKey: true},
	{Name: "barretos", Municipality: "3505500", Clone: CloneSEFIN},
	{Name: "americana", Municipality: "3501608", Clone: CloneTiplan, BareKey: true},
}

// CityNamed is one of the known cities: teresina, campinas, campo-grande or belem, or a clone of SEFIN.
func CityNamed(name string) (City, error) {
	i := slices.IndexFunc(knownCities, func(city City) bool { return city.Name == name })
	if i < 0 {
		return City{}, fmt.Errorf("the simulator knows no city %q", name)
	}
	return knownCities[i], nil
}

var cityName = regexp.MustCompile(`^[a-z][a-z0-9-]{1,39}$`)

// SetCities replaces the cities that are played beside the national system. Each is slow once more
// (FirstCall). An error changes nothing.
func (s *Simulator) SetCities(cities []City) error {
	named := map[string]*City{}
	for _, city := range cities {
		switch {
		case !cityName.MatchString(city.Name) || named[city.Name] != nil:
			return fmt.Errorf("name: %q is none, or there twice", city.Name)
		case len(city.Municipality) != 7:
			return errors.New("municipality: must be an IBGE code")
		case city.Clone != "" && city.Clone != CloneSEFIN && city.Clone != CloneTiplan:
			return errors.New("clone: must be sefin or tiplan")
		case city.Refuses != "" && city.Refuses != "erros" && city.Refuses != "alertas":
			return errors.New("refuses: must be erros or alertas")
		}
		named[city.Name] = &city
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cities, s.called = named, map[string]bool{}
	return nil
}

// Cities are those that are played, by name.
func (s *Simulator) Cities() (cities []City) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cities = []City{}
	for _, city := range s.cities {
		cities = append(cities, *city)
	}
	slices.SortFunc(cities, func(a, b City) int { return strings.Compare(a.Name, b.Name) })
	return cities
}

// CityPath is the path of the server of a city with the paths of the current edition: CityURL without
// the host.
func CityPath(name string) string { return "/cities/" + name + currentBase }

// CityURL is the base of a city's server: https://127.0.0.1:8443/cities/teresina/notafiscal-ws.
func (s *Simulator) CityURL(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	city := s.cities[name]
	if city == nil {
		return ""
	}
	return s.Base() + city.path()
}

// path is the path of the city's base.
func (c *City) path() string { return "/cities/" + c.Name + c.base() }

// base is the base of the city's protocol.
func (c *City) base() string {
	switch {
	case c.Clone == CloneTiplan:
		return tiplanBase
	case c.Clone != "":
		return sefinBase
	case c.OldPaths:
		return olderBase
	}
	return currentBase
}

// The bases of the two editions of the protocol of DSF, and of clones of SEFIN, behind the host.
const (
	currentBase = "/notafiscal-ws"
	olderBase   = "/notafiscal-adn-ws/api/adn"
	sefinBase   = "/sefinnacional"
	tiplanBase  = "/api/adn/dps"
)

// cityNamed is a city with what it takes to answer for it: how long its first call waits.
func (s *Simulator) cityNamed(name string) (city *City, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	city = s.cities[name]
	first = city != nil && !s.called[name]
	if first {
		s.called[name] = true
	}
	return city, first
}

// issued reports whether a note was issued by the city.
func (c *City) issued(n *note) bool { return n != nil && n.City == c.Name }

// generator is what an access key says of who made it.
func (c *City) generator() int {
	if c == nil {
		return accesskey.OfNation
	}
	return accesskey.OfMunicipality
}
