package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"emissor/simulators/sefin"
)

func authorityCommand() *cobra.Command {
	var a authorityFlags
	command := &cobra.Command{
		Use:   "authority",
		Short: "Run a stand-in of the national tax authority, for development and tests only",
		Long: `Run a stand-in of the national tax authority (SEFIN Nacional), for development
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
                                 not_base64, unreadable_xml, missing_xml, wrong_signature,
                                 other_document, variant (erro_object, erro_array,
                                 erro_string, empty_erro, capitalised, list, swapped_id),
                                 latency (delay, jitter), clock_skew (delay), hide (delay)
                                 scope: any, issue, query or cancel
                                 how often: probability, next (so many) or every (so-manieth);
                                 without one always
  GET, PUT         /registry     what is on record of municipalities and taxpayers
  GET              /ledger       what was issued, and every document that was sent
  GET              /roots.pem    the roots to believe: of its server and of its test ICP
  POST             /certificates {"document":"11222333000181","name":"Acme","password":"..."}
                                 answers an A1 certificate (PKCS#12)
  POST             /events       {"access_key":"...","type":"305101"}
                                 an event that does not come from the issuer`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error { return a.run(command.Context(), command.OutOrStdout()) },
	}
	flags := command.Flags()
	flags.StringVar(&a.listen, "listen", "127.0.0.1:8443", "where the authority listens (TLS)")
	flags.StringVar(&a.control, "control", "127.0.0.1:8444", "where it is controlled (plain HTTP, loopback only)")
	flags.StringVar(&a.dir, "dir", "", "directory where certificates and ledger are kept between runs (default: nothing is kept)")
	flags.BoolVar(&a.production, "production", false, "expect documents of production (tpAmb 1), not of restricted production")
	flags.BoolVar(&a.verbose, "verbose", false, "log every request, without documents")
	return command
}

type authorityFlags struct {
	listen, control, dir string
	production, verbose  bool
}

// run serves until ctx ends.
func (a *authorityFlags) run(ctx context.Context, out io.Writer) error {
	control, err := listenLoopback(ctx, a.control)
	if err != nil {
		return fmt.Errorf("--control: %w", err)
	}
	defer control.Close()
	level := slog.LevelInfo
	if a.verbose {
		level = slog.LevelDebug
	}
	authority, err := sefin.Start(sefin.Options{
		Listen: a.listen, Dir: a.dir, Production: a.production,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level})),
	})
	if err != nil {
		return err
	}
	defer authority.Close()
	fmt.Fprintf(out, "A stand-in of the national authority, for development and tests only. What it signs has no fiscal value.\n"+
		"  issue and ask   %s\n  by NSU (ADN)    %s\n  control         http://%s\n  roots           http://%s/roots.pem\n",
		authority.URL(), authority.ADNURL(), control.Addr(), control.Addr())
	if a.dir != "" {
		fmt.Fprintf(out, "  kept in         %s, with the roots in %s\n", a.dir, sefin.RootsFile)
	}

	server := &http.Server{Handler: authority.Control(), ReadHeaderTimeout: 5 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(control) }()
	select {
	case err = <-failed:
	case <-ctx.Done():
		err = nil
	}
	return errors.Join(err, server.Close())
}

// listenLoopback refuses an address that another machine could reach: who
// controls a stand-in can make it sign anything.
func listenLoopback(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("%q is not a loopback address, such as 127.0.0.1:8444", address)
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", address)
}
