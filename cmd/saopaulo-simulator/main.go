// Command saopaulo-simulator plays the city of São Paulo's service of invoices, for
// development and tests only. What it issues has no fiscal value.
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

	"emissor/simulators/saopaulo"
	"emissor/simulators/shared/control"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "saopaulo-simulator:", err)
		os.Exit(1)
	}
}

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
	var o options
	command := &cobra.Command{
		Use:           "saopaulo-simulator",
		Short:         "Run a simulator of the city of São Paulo's service, for development and tests only",
		Long:          help,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			return o.run(command.Context(), command.OutOrStdout())
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8445", "where the city listens (TLS)")
	flags.StringVar(&o.control, "control", "127.0.0.1:8446", "where it is controlled (plain HTTP, loopback only)")
	flags.StringVar(&o.dir, "dir", "",
		"directory where certificates and ledger are kept between runs (default: nothing is kept)")
	flags.BoolVar(&o.verbose, "verbose", false, "log every request, without documents")
	return command
}

type options struct {
	listen, control, dir string
	verbose              bool
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
	simulator, err := saopaulo.Start(saopaulo.Options{
		Listen: o.listen, Dir: o.dir,
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
func (o *options) explain(out io.Writer, simulator *saopaulo.Simulator, control net.Addr) {
	fmt.Fprintf(out, "A simulator of the city of São Paulo, for development and tests only. "+
		"What it issues has no fiscal value.\n"+
		"  service  %s\n  control  http://%s\n", simulator.URL(), control)
	if o.dir != "" {
		fmt.Fprintf(out, "  kept in  %s, with the roots in %s\n", o.dir, saopaulo.RootsFile)
	}
	fmt.Fprintf(out, "  roots    http://%s/roots.pem\n", control)
}
