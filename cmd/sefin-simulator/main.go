// Command sefin-simulator plays the national tax authority, for development and
// tests only. What it issues has no fiscal value.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"emissor/simulators/sefin"
	"emissor/simulators/shared/control"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sefin-simulator:", err)
		os.Exit(1)
	}
}

const help = `Run a simulator of the national tax authority (SEFIN Nacional), for development
and tests only. It makes its own certificate authority, asks for client
certificates as the real hosts do, checks documents, and answers as they do.

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
                                 competence on: {"ibscbs_required_from":"2027-01-01"}
  GET              /ledger       what was issued, and every document that was sent
  GET              /roots.pem    the roots to trust: of its server and of its test ICP
  POST             /certificates {"document":"11222333000181","name":"Acme","password":"..."}
                                 answers an A1 certificate (PKCS#12)
  POST             /events       {"access_key":"...","type":"305101"}
                                 an event that no client asks for, as a city, a taker or
                                 the portal make it: any of layout 1.01, with reason, text
                                 and, of a block (305102), bars (e101101)
  PUT              /numbering    {"step":3,"shift":100}: the ADN renumbers its NSUs
  POST             /distribution {"tax_id":"...","access_key":"...","archive":"..."}
                                 anything in the distribution of a company`

func command() *cobra.Command {
	var o options
	command := &cobra.Command{
		Use:           "sefin-simulator",
		Short:         "Run a simulator of the national tax authority, for development and tests only",
		Long:          help,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			return o.run(command.Context(), command.OutOrStdout())
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8443", "where the authority listens (TLS)")
	flags.StringVar(&o.control, "control", "127.0.0.1:8444", "where it is controlled (plain HTTP, loopback only)")
	flags.StringVar(&o.dir, "dir", "",
		"directory where certificates and ledger are kept between runs (default: nothing is kept)")
	flags.BoolVar(&o.production, "production", false,
		"expect documents of production (tpAmb 1), not of restricted production")
	flags.BoolVar(&o.verbose, "verbose", false, "log every request, without documents")
	return command
}

type options struct {
	listen, control, dir string
	production, verbose  bool
}

// run serves until ctx ends.
func (o *options) run(ctx context.Context, out io.Writer) error {
	listener, err := control.Listen(ctx, o.control)
	if err != nil {
		return fmt.Errorf("--control: %w", err)
	}
	defer listener.Close()
	level := slog.LevelInfo
	if o.verbose {
		level = slog.LevelDebug
	}
	simulator, err := sefin.Start(sefin.Options{
		Listen: o.listen, Dir: o.dir, Production: o.production,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level})),
	})
	if err != nil {
		return err
	}
	defer simulator.Close()
	o.explain(out, simulator, listener.Addr())
	return control.Serve(ctx, listener, simulator.Control())
}

// explain prints where everything is.
func (o *options) explain(out io.Writer, simulator *sefin.Simulator, control net.Addr) {
	fmt.Fprintf(out, "A simulator of the national authority, for development and tests only. "+
		"What it signs has no fiscal value.\n"+
		"  issue and query  %s\n  ADN              %s\n", simulator.URL(), simulator.ADNURL())
	fmt.Fprintf(out, "  control          http://%s\n  roots            http://%s/roots.pem\n", control, control)
	if o.dir != "" {
		fmt.Fprintf(out, "  kept in          %s, with the roots in %s\n", o.dir, sefin.RootsFile)
	}
}
