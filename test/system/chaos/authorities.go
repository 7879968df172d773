package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"emissor/test/harness"
	"emissor/test/simulators/fiorilli"
	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
)

// The authorities by which organizations issue, in turn: the national system, São Paulo, and cities
// whose own servers take the national declaration.
const (
	national     = "national"
	saoPauloCity = "sao-paulo"
	arealva      = "arealva" // a city of the family Fiorilli
)

var allAuthorities = []string{national, "teresina", "campinas", saoPauloCity, arealva}

// authorityOf returns the authority of an organization.
func (o options) authorityOf(organization int) string {
	return o.authorities[organization%len(o.authorities)]
}

// playedCities are the cities of a run. A declaration that comes twice makes a second note in the
// first, and in others an error; one refuses under success.
func (o options) playedCities() (played []sefin.City, err error) {
	for _, name := range o.authorities {
		if name == national || name == saoPauloCity || name == arealva {
			continue
		}
		city, err := sefin.CityNamed(name)
		if err != nil {
			return nil, err
		}
		city.SecondNote = len(played) == 0
		if !city.SecondNote {
			city.RefusesAs = 200
		}
		played = append(played, city)
	}
	return played, nil
}

// startAuthorities starts the simulators of all of them.
func (s *system) startAuthorities(ctx context.Context) error {
	played, err := s.options.playedCities()
	if err != nil {
		return err
	}
	s.simulator, err = harness.StartSimulator(ctx, s.options.programs.Simulator, s.options.dir,
		harness.Simulation{AnyShape: true, Cities: played})
	if err != nil {
		return err
	}
	s.atClose(s.simulator.Kill)
	s.city, err = harness.StartSaoPaulo(ctx, s.options.programs.SaoPaulo, s.options.dir,
		harness.Simulation{AnyShape: true})
	if err != nil {
		return err
	}
	s.atClose(s.city.Kill)
	used := s.options.authorities[:min(len(s.options.authorities), s.options.organizations)]
	if !slices.Contains(used, arealva) {
		return nil
	}
	s.arealva, err = harness.StartSimulator(ctx, s.options.programs.Simulator, s.options.dir, harness.Simulation{
		AnyShape: true, Door: &harness.Door{Name: arealva, Municipality: "3503406", Flag: "--fiorilli",
			Path: fiorilli.Path}})
	if err != nil {
		return err
	}
	s.atClose(s.arealva.Kill)
	s.simulator.Beside(s.arealva)
	return nil
}

// ofDPS are the simulators of what takes the national declaration.
func (s *system) ofDPS() []*harness.Simulator {
	if s.arealva == nil {
		return []*harness.Simulator{s.simulator}
	}
	return []*harness.Simulator{s.simulator, s.arealva}
}

// authoritySettings are those by which an installation reaches them.
func (s *system) authoritySettings() []string {
	roots := s.city.Roots()
	for _, one := range s.ofDPS() {
		roots += "," + one.Roots()
	}
	return append(s.simulator.Environment(),
		"EMISSOR_SAO_PAULO_URL="+s.city.URL(), "EMISSOR_AUTHORITY_CA="+roots,
		"EMISSOR_NATIONAL_RATE=1000", "EMISSOR_SAO_PAULO_RATE=1000")
}

// equip gives an organization what live notes of its authority need.
func (s *system) equip(ctx context.Context, i int, o *harness.Organization) error {
	switch by := s.options.authorityOf(i); by {
	case national:
		return s.emissor.Equip(ctx, s.simulator, *o, cnpj(i))
	case saoPauloCity:
		return s.emissor.EquipInSaoPaulo(ctx, s.city, s.apis[0].URL, o, cnpj(i), fmt.Sprint(31000000+i))
	case arealva:
		return s.emissor.EquipInCity(ctx, s.arealva, by, s.apis[0].URL, o, cnpj(i))
	default:
		return s.emissor.EquipInCity(ctx, s.simulator, by, s.apis[0].URL, o, cnpj(i))
	}
}

// correct has an organization change its profile; in São Paulo there is nothing to.
func (s *system) correct(ctx context.Context, i int, o harness.Organization, municipalTax string) error {
	switch by := s.options.authorityOf(i); by {
	case national:
		return s.emissor.Correct(ctx, o, cnpj(i), municipalTax)
	case saoPauloCity:
		return nil
	case arealva:
		return s.emissor.CorrectInCity(ctx, s.arealva, by, o, cnpj(i), municipalTax)
	default:
		return s.emissor.CorrectInCity(ctx, s.simulator, by, o, cnpj(i), municipalTax)
	}
}

// fail has all authorities fail in these ways.
func (s *system) fail(ctx context.Context, profile sefin.FaultProfile) error {
	for _, one := range s.ofDPS() {
		if err := one.SetFaults(ctx, profile); err != nil {
			return err
		}
	}
	profile.Faults = inSaoPaulo(profile.Faults)
	return s.city.SetFaults(ctx, profile)
}

// inSaoPaulo returns the faults that the simulator of São Paulo has too, with its own code of a failure that passes.
func inSaoPaulo(faults []sefin.Fault) (all []sefin.Fault) {
	for _, one := range faults {
		switch one.Kind {
		case sefin.Drop, sefin.Reset, sefin.HalfAnswer, sefin.Status, sefin.Latency, sefin.Hide:
			all = append(all, one)
		case sefin.Reject:
			if one.Code == passing {
				one.Code = "1110"
				all = append(all, one)
			}
		case sefin.TruncatedGzip:
			one.Kind = saopaulo.TruncatedXML
			all = append(all, one)
		}
	}
	return all
}

// passing is the national code of a failure that passes.
const passing = "E1217"

// pause stops all authorities, until resume.
func (s *system) pause() error {
	for _, one := range s.ofDPS() {
		if err := one.Pause(); err != nil {
			return err
		}
	}
	return s.city.Pause()
}

func (s *system) resume() error {
	for _, one := range s.ofDPS() {
		if err := one.Resume(); err != nil {
			return err
		}
	}
	return s.city.Resume()
}

// checkAuthorities refuses a run with an authority that nobody plays.
func (o options) checkAuthorities() error {
	if len(o.authorities) == 0 {
		return fmt.Errorf("there must be authorities: %s", strings.Join(allAuthorities, ", "))
	}
	_, err := o.playedCities()
	return err
}
