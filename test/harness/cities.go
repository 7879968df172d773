package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"emissor/fiscal/cities"
	"emissor/test/simulators/sefin"
)

// CityTable is a file for emissor city import with rows of the table that is built in: of the cities
// that have an address here, each on, at that address for restricted environments alone, and with
// quirks in place of its own; a quirk with an empty value is left out, and one as arealva/not-found is of
// that city alone.
func CityTable(addresses, quirks map[string]string) (string, error) {
	columns := cities.Columns()
	at := func(name string) int { return slices.Index(columns, name) }
	table, found := []string{strings.Join(columns, "\t")}, 0
	for line := range strings.Lines(cities.BuiltIn().File) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(cells) != len(columns) || addresses[cells[at("name")]] == "" {
			continue
		}
		found++
		cells[at("state")], cells[at("production")] = "on", ""
		cells[at("test")] = addresses[cells[at("name")]]
		cells[at("quirks")] = withQuirks(cells[at("name")], cells[at("quirks")], quirks)
		table = append(table, strings.Join(cells, "\t"))
	}
	if found != len(addresses) {
		return "", fmt.Errorf("the built-in table has %d of the cities %v", found, slices.Sorted(maps.Keys(addresses)))
	}
	return strings.Join(table, "\n") + "\n", nil
}

func withQuirks(city, own string, others map[string]string) string {
	all := map[string]string{}
	for _, word := range strings.Fields(own) {
		name, value, _ := strings.Cut(word, "=")
		all[name] = value
	}
	for name, value := range others {
		of, quirk, alone := strings.Cut(name, "/")
		switch {
		case !alone:
			all[name] = value
		case of == city:
			all[quirk] = value
		}
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if all[name] != "" {
			words = append(words, name+"="+all[name])
		}
	}
	return strings.Join(words, " ")
}

// SetCities replaces the cities that are played beside the national system.
func (s *Simulator) SetCities(ctx context.Context, played ...sefin.City) error {
	if err := s.Control.Must(ctx, http.MethodPut, "/cities", played, nil); err != nil {
		return err
	}
	s.cities = played
	return nil
}

// Beside has a city that another simulator plays issued by as well.
func (s *Simulator) Beside(city *Simulator) { s.beside = append(s.beside, city) }

// CityURL is the base of the server of a city that is played.
func (s *Simulator) CityURL(name string) string { return "https://" + s.address + sefin.CityPath(name) }

// ImportCities has an installation issue by the cities that a simulator plays, as fast as a simulator
// answers: its table of cities has no others then. Where it plays none nothing is imported. The grace
// period is what is waited after a sending before nothing found counts.
func (e *Emissor) ImportCities(ctx context.Context, simulator *Simulator, gracePeriod string) error {
	if len(simulator.cities)+len(simulator.beside) == 0 {
		return nil
	}
	addresses := map[string]string{}
	for _, city := range simulator.beside {
		addresses[city.door.Name] = "https://" + city.address + city.door.Path
	}
	for _, city := range simulator.cities {
		addresses[city.Name] = simulator.CityURL(city.Name)
	}
	table, err := CityTable(addresses, map[string]string{
		string(cities.Rate): "100", string(cities.GracePeriod): gracePeriod, string(cities.Cancelling): "",
		// A worker that is killed in a turn keeps others waiting for as long as a call may take.
		string(cities.SendTimeout): "2s", string(cities.AskTimeout): "2s",
		"arealva/" + string(cities.NotFoundCodes): "empty", // as its simulator answers
	})
	if err != nil {
		return err
	}
	file := filepath.Join(e.LogDir, "cities.tsv")
	if err := os.WriteFile(file, []byte(table), 0o600); err != nil {
		return err
	}
	_, err = e.Command(ctx, "city", "import", file)
	return err
}

// EquipInCity gives an organization what live notes of a city with a server of its own need: a live
// service with the city's code, by the API at a base URL, a fiscal profile of a CNPJ, a certificate
// and a classification.
func (e *Emissor) EquipInCity(ctx context.Context, simulator *Simulator, name, base string, o *Organization,
	document string) error {
	municipality, err := simulator.municipality(name)
	if err != nil {
		return err
	}
	o.LiveService, err = newService(ctx, &Client{Base: base, Key: o.LiveKey}, municipality)
	if err != nil {
		return err
	}
	err = e.equip(ctx, simulator.simulated, *o, document, cityProfile(name, municipality, "2.90")...)
	if err != nil {
		return err
	}
	if _, err := e.Command(ctx, "service", "tax", o.LiveService, "--organization", o.ID, "--municipal-code",
		"001"); err != nil {
		return err
	}
	return e.classify(ctx, *o)
}

// CorrectInCity changes the fiscal profile that EquipInCity gave an organization, as Correct does.
func (e *Emissor) CorrectInCity(ctx context.Context, simulator *Simulator, name string, o Organization,
	document, municipalTax string) error {
	municipality, err := simulator.municipality(name)
	if err != nil {
		return err
	}
	return e.setProfile(ctx, o, document, cityProfile(name, municipality, municipalTax)...)
}

func cityProfile(name, municipality, municipalTax string) []string {
	return []string{"--authority", name, "--environment", "restricted", "--municipality", municipality,
		"--municipal-registration", "998877", "--series", "10001", "--tax-federal", "13.45", "--tax-state", "0",
		"--tax-municipal", municipalTax}
}

// municipality is the IBGE code of a city that it plays.
func (s *Simulator) municipality(name string) (string, error) {
	if s.door != nil && s.door.Name == name {
		return s.door.Municipality, nil
	}
	i := slices.IndexFunc(s.cities, func(city sefin.City) bool { return city.Name == name })
	if i < 0 {
		return "", errors.New("the simulator does not play " + name)
	}
	return s.cities[i].Municipality, nil
}
