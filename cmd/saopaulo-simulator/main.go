// Command saopaulo-simulator simulates the web service of the city of São Paulo, for
// development and tests only. What it issues has no fiscal value.
package main

import (
	"github.com/spf13/cobra"

	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/shared/program"
	"emissor/test/simulators/shared/server"
)

func main() { program.Main(command()) }

const help = `Run a simulator of the city of São Paulo's service (Nota Fiscal Paulistana,
layout 2), for development and tests only. It makes its own certificate
authority, asks for client certificates as the real host does, checks messages,
and answers as it does: an RPS that is sent again cancels its note and makes
another.

WHAT IT ISSUES HAS NO FISCAL VALUE. It needs no database and reaches no other
host; the environment is not read.

The control address has no authentication and is refused anywhere but on
loopback:

  GET, PUT, DELETE /faults       what goes wrong, for example
                                 {"seed":1,"faults":[
                                   {"kind":"latency","delay":"300ms","jitter":"200ms"},
                                   {"kind":"drop","scope":"issue","after":true,"probability":0.2},
                                   {"kind":"hide","scope":"query","delay":"30s"},
                                   {"kind":"status","status":502,"body":"html","next":3},
                                   {"kind":"reject","code":"1110","scope":"issue","next":5}]}
                                 kinds: drop, reset, status (each with "after": first do what
                                 was asked; body html, soap_fault or soap11_fault), reject
                                 (a code), half_answer, truncated_xml, unreadable_xml,
                                 missing_xml, element_bomb, nested_bomb, other_document,
                                 variant (qualified, declaration, byte_order, cdata, indented),
                                 latency (delay, jitter), clock_skew (delay), hide (delay)
                                 scope: any, issue, test, query, cancel or registration
                                 how often: probability, next (so many) or every (nth);
                                 without one always
  GET, PUT         /registry     taxpayers, services, and how the city behaves
  GET              /ledger       every note, cancelled or not and by what, and every message
  GET              /roots.pem    the roots to trust: of its server and of its test ICP
  POST             /certificates {"document":"11222333000181","name":"Acme","password":"..."}
                                 answers an A1 certificate (PKCS#12)
  POST             /site/notes   {"registration":"31000000","series":"A","rps_number":"7",
                                 "document":"11222333000181","amount_cents":100,"service_code":"2919"}
                                 a note made by hand on the city's site
  POST             /site/cancel  {"registration":"31000000","number":7}
                                 a note cancelled by hand
  POST             /site/marks   {"registration":"31000000","number":7,"mark":"guide"}
                                 guide, accepted, rejected or deducted`

func command() *cobra.Command {
	return program.Command(program.Description[*saopaulo.Simulator]{
		Name:  "saopaulo-simulator",
		Short: "Run a simulator of the city of São Paulo's service, for development and tests only",
		Help:  help,
		Notice: "A simulator of the city of São Paulo, for development and tests only. " +
			"What it issues has no fiscal value.",
		Listen: "127.0.0.1:8445", Control: "127.0.0.1:8446",
		Start: func(options server.Options) (*saopaulo.Simulator, error) {
			return saopaulo.Start(saopaulo.Options{Options: options})
		},
		Addresses: func(simulator *saopaulo.Simulator) []program.Address {
			return []program.Address{{What: "service", Where: simulator.URL()}}
		},
	})
}
