// Package program is the command line of a simulator: its flags, what it prints, and
// how it runs until it is stopped.
package program

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"emissor/test/simulators/shared/control"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/shapes"
)

// Simulator is a running simulator.
type Simulator interface {
	Control() http.Handler // of its control address
	Close() error
}

// Address is where something is, and what.
type Address struct{ What, Where string }

// Description is what the program of one simulator says and does.
type Description[S Simulator] struct {
	Name, Short, Help string
	Notice            string // printed first
	Listen, Control   string // the addresses where nothing else is said
	Start             func(server.Options) (S, error)
	Addresses         func(S) []Address // printed beside that of control
}

// Command makes the command of a simulator.
func Command[S Simulator](d Description[S]) *cobra.Command {
	var o options
	command := &cobra.Command{
		Use:           d.Name,
		Short:         d.Short,
		Long:          d.Help,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			return run(command.Context(), d, o, command.OutOrStdout())
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.listen, "listen", d.Listen, "where the authority listens (TLS)")
	flags.StringVar(&o.control, "control", d.Control, "where it is controlled (plain HTTP, loopback only)")
	flags.StringVar(&o.dir, "dir", "",
		"directory where certificates and ledger are kept between runs (default: nothing is kept)")
	flags.StringVar(&o.shapes, "shapes", usualShapes, "the forms of answers: usual, or any: each in another form that was "+
		"recorded or that a schema allows, with gateways' pages and lost answers between them")
	flags.BoolVar(&o.verbose, "verbose", false, "log every request, without documents")
	return command
}

// Main runs a command until it ends, or the process gets a signal to end. Where it fails
// the process exits with 1.
func Main(command *cobra.Command) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command.ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", command.Name(), err)
		os.Exit(1)
	}
}

type options struct {
	listen, control, dir string
	shapes               string
	verbose              bool
}

// The words of --shapes.
const (
	usualShapes = "usual"
	anyShapes   = "any"
)

// server are the options of the server that the flags ask for.
func (o options) server() (server.Options, error) {
	level := slog.LevelInfo
	if o.verbose {
		level = slog.LevelDebug
	}
	options := server.Options{
		Listen: o.listen, Dir: o.dir,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level})),
	}
	switch o.shapes {
	case usualShapes:
	case anyShapes:
		seed := rand.Uint64()
		options.Logger.Info("answers are drawn from any shape", "seed", seed)
		options.Shapes = shapes.Any(seed, shapes.Usual)
	default:
		return options, fmt.Errorf("--shapes: %q is not %s or %s", o.shapes, usualShapes, anyShapes)
	}
	return options, nil
}

// run serves until ctx ends.
func run[S Simulator](ctx context.Context, d Description[S], o options, out io.Writer) error {
	options, err := o.server()
	if err != nil {
		return err
	}
	listener, err := control.Listen(ctx, o.control)
	if err != nil {
		return fmt.Errorf("--control: %w", err)
	}
	defer listener.Close()
	simulator, err := d.Start(options)
	if err != nil {
		return err
	}
	defer simulator.Close()
	fmt.Fprintln(out, d.Notice)
	explain(out, d.Addresses(simulator), listener.Addr(), o.dir)
	return control.Serve(ctx, listener, simulator.Control())
}

// explain prints where everything is, the roots last.
func explain(out io.Writer, addresses []Address, control net.Addr, dir string) {
	base := "http://" + control.String()
	addresses = append(addresses, Address{"control", base})
	if dir != "" {
		addresses = append(addresses, Address{"kept in", dir + ", with the roots in " + server.RootsFile})
	}
	addresses = append(addresses, Address{"roots", base + "/roots.pem"})
	width := 0
	for _, a := range addresses {
		width = max(width, len(a.What))
	}
	for _, a := range addresses {
		fmt.Fprintf(out, "  %-*s  %s\n", width, a.What, a.Where)
	}
}
