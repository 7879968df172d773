// Command sefin-simulator simulates the national system, for development and tests only.
// What it issues has no fiscal value.
package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"emissor/test/simulators/fiorilli"
	"emissor/test/simulators/issnet"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/program"
	"emissor/test/simulators/shared/server"
)

func main() { program.Main(command()) }

const help = `Run a simulator of the national tax authority (SEFIN Nacional), for development
and tests only. It makes its own certificate authority, asks for client
certificates as the real hosts do (SEFIN by TLS 1.2 renegotiation), checks
documents, and answers as they do.

WHAT IT ISSUES AND SIGNS HAS NO FISCAL VALUE. It needs no database and reaches
no other host; the environment is not read.

The control address has no authentication and is refused anywhere but on
loopback:

  GET, PUT, DELETE /faults       what goes wrong, for example
                                 {"seed":1,"faults":[
                                   {"kind":"latency","delay":"300ms","jitter":"200ms"},
                                   {"kind":"drop","scope":"issue","after":true,"probability":0.2},
                                   {"kind":"status","status":502,"body":"html","next":3},
                                   {"kind":"reject","code":"E1217","scope":"issue","next":5}]}
                                 kinds: drop, reset, status (each with "after": first do what
                                 was asked), reject (a code), half_answer, truncated_gzip,
                                 not_base64, unreadable_xml, element_bomb, nested_bomb,
                                 missing_xml, wrong_signature, other_document,
                                 variant (erro_object, erro_array, erro_string,
                                 empty_erro, capitalised, list, swapped_id),
                                 latency (delay, jitter), clock_skew (delay), hide (delay)
                                 scope: any, issue, query, cancel, parameters or
                                 distribution
                                 how often: probability, next (so many) or every (nth);
                                 without one always
  GET, PUT         /registry     what is on record of municipalities and taxpayers, and
                                 what is asked, for example the group IBSCBS from a day of
                                 competence on: {"ibscbs_required_from":"2027-01-01"};
                                 what a city allows:
                                 {"municipalities":{"3304557":{"cancel_days":30,
                                   "cancel_up_to":500000,"cancel_needs_taker":true,
                                   "replace_days":30,"inactive":true,
                                   "deductions":{"171001":["percent"]}}}};
                                 its record of a taxpayer (E0116 without IM, E0120 where
                                 it is empty and IM is sent) and the Simples (E0160):
                                 {"taxpayers":{"11222333000181":{"simples":"3",
                                   "municipal_registration":"998877"}}};
                                 benefits by their number, unknown_takers,
                                 unknown_municipalities, unknown_ceps, and collected:
                                 the access keys of notes whose tax was collected
  GET, POST, DELETE /refusals    refuses the next documents of an issuer:
                                 {"issuer":"11222333000181","code":"E0619","times":3}
  GET, PUT         /cities       the cities that are played beside it, on servers of their
                                 own below /cities/NAME, with how each behaves:
                                 [{"name":"teresina","municipality":"2211001",
                                   "full_key":true,"first_series":10001,
                                   "first_call":"25s","refuses":"alertas",
                                   "refuses_as":200,"second_note":true,
                                   "clone":"tiplan","in_words":true,
                                   "codes":{"010701":["001"]}}]
  GET, PUT         /behaviour    with --issnet, how that city behaves, and what it has on
                                 record of a company: its codes and the numbers granted
                                 {"escaped":true,"old_names":true,"not_found_in_words":true,
                                   "exists_code":"E777","off":["CancelarNfse"],
                                   "unserved":["ConsultarNfseDps"],
                                   "not_allowed":["11222333000181"],
                                   "codes":{"11222333000181":["1009"]},
                                   "granted":{"11222333000181":[
                                     {"series":1,"first":1,"last":500}]}}
                                 and with --fiorilli how that city behaves:
                                 {"not_found":"N15","exists_code":"N99","alerts":true,
                                   "status":"Cancelada","shows_event":true,"of_lot":true}
  GET              /ledger       what was issued, and every document that was sent
  GET              /roots.pem    the roots to trust: of its server and of its test ICP
  POST             /certificates {"document":"11222333000181","name":"Acme","password":"..."}
                                 answers an A1 certificate (PKCS#12)
  POST             /events       {"access_key":"...","type":"305101"}
                                 an event that no client asks for, as a city, a taker or
                                 the portal make it: any of layout 1.01, with reason, text
                                 and, of a block (305102), bars (e101101). 105104 grants
                                 an analysis that was asked (101103), 105105 denies it
  PUT              /numbering    {"step":3,"shift":100}: the ADN renumbers its NSUs
  POST             /distribution {"tax_id":"...","access_key":"...","archive":"..."}
                                 anything in the distribution of a company`

func command() *cobra.Command {
	var asked asked
	command := program.Command(program.Description[program.Simulator]{
		Name:  "sefin-simulator",
		Short: "Run a simulator of the national tax authority, for development and tests only",
		Help:  help,
		Notice: "A simulator of the national authority, for development and tests only. " +
			"What it signs has no fiscal value.",
		Listen: "127.0.0.1:8443", Control: "127.0.0.1:8444",
		Start: asked.start, Addresses: addresses,
	})
	command.Flags().StringArrayVar(&asked.cities, "city", nil,
		"play a city on a server of its own, as it is known to behave: teresina, campinas, campo-grande or belem; or a "+
			"clone of SEFIN: caxias-do-sul, "+
			"santana-de-parnaiba, barretos or americana")
	command.Flags().BoolVar(&asked.issnet, "issnet", false,
		"play a city of the family ISSNet (SOAP), as Brasília: all that is issued is that city's")
	command.Flags().BoolVar(&asked.fiorilli, "fiorilli", false,
		"play a city of the family Fiorilli (SOAP), as Arealva: all that is issued is that city's")
	command.MarkFlagsMutuallyExclusive("city", "issnet", "fiorilli")
	command.Flags().BoolVar(&asked.production, "production", false,
		"expect documents of production (tpAmb 1), not of restricted production")
	command.Flags().BoolVar(&asked.described, "as-described", false,
		"answer as SEFIN's description has it, not as was recorded: certificates are asked for in the first TLS "+
			"handshake, in 1.3 too, and answers name the DPS")
	return command
}

// asked is what the flags say is played.
type asked struct {
	cities                                  []string // names
	issnet, fiorilli, production, described bool
}

func (a *asked) start(options server.Options) (program.Simulator, error) {
	of := sefin.Options{Options: options, Production: a.production, AsDescribed: a.described}
	switch {
	case a.issnet:
		return issnet.Start(issnet.Options{Options: of})
	case a.fiorilli:
		return fiorilli.Start(fiorilli.Options{Options: of})
	}
	for _, name := range a.cities {
		city, err := sefin.CityNamed(name)
		if err != nil {
			return nil, fmt.Errorf("--city: %w", err)
		}
		of.Cities = append(of.Cities, city)
	}
	return sefin.Start(of)
}

func addresses(simulator program.Simulator) []program.Address {
	national, is := simulator.(*sefin.Simulator)
	if !is { // a city with a protocol of its own
		return []program.Address{{What: "issue and query", Where: simulator.(interface{ URL() string }).URL()}}
	}
	all := []program.Address{
		{What: "issue and query", Where: national.URL()}, {What: "ADN", Where: national.ADNURL()},
	}
	for _, city := range national.Cities() {
		all = append(all, program.Address{What: city.Name, Where: national.CityURL(city.Name)})
	}
	return all
}
