// Command devstack runs a command with a real PostgreSQL, a real Temporal server and the Temporal UI
// around it, without Docker:
//
//	devstack [flags] -- COMMAND [ARGUMENTS...]
//
// It starts the three servers, waits until they are usable, runs COMMAND with their addresses in its
// environment, stops everything when COMMAND ends, and exits with COMMAND's exit code. A server that
// ends by itself ends everything too. Nothing is left running, whichever process is killed.
//
// Temporal and its UI are the programs engine and engine-ui, which are looked for beside devstack. With -engine-build
// COMMAND is run as soon as PostgreSQL is usable; beside it the engine is built, with what the processors have left,
// and started, and then with -ui-build the UI. See "GET $DEVSTACK_CONTROL/temporal" for where that stands.
//
// COMMAND finds in its environment:
//
//	EMISSOR_DATABASE_URL  the empty or existing database "emissor"
//	TEMPORAL_ADDRESS      host:port of the Temporal frontend
//	TEMPORAL_NAMESPACE    the namespace "emissor", registered and usable
//	TEMPORAL_UI_URL       the Temporal UI (absent with -no-ui)
//	DEVSTACK_CONTROL      where "devstack control" finds this stack
//
// COMMAND can print to the terminal but not read from it: it runs in a process group of its own, so
// that the whole group can be signalled and, at the end, ended.
//
// A test that needs a server to end asks for it, from within COMMAND:
//
//	devstack control kill|start|restart|pause|resume postgres|temporal
//
// or, without the binary, with an empty POST to $DEVSTACK_CONTROL/restart/postgres. A GET of
// $DEVSTACK_CONTROL/temporal is answered with where that server stands: building, starting, up or down.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	args := os.Args[1:]
	switch {
	case len(args) > 0 && args[0] == "control":
		fatal(control(args[1:]))
	default:
		opts, command := parseFlags(args)
		code, err := run(opts, command)
		if err != nil {
			logError(err)
		}
		os.Exit(code)
	}
}

// options are what the flags say.
type options struct {
	state        string
	logFile      string
	postgresPort int
	temporalPort int
	uiPort       int
	noUI         bool
	engine       string
	engineBuild  string
	uiBuild      string
}

// parseFlags reads the command line of a stack; it ends the program when the line is wrong.
func parseFlags(args []string) (options, []string) {
	var o options
	flags := flag.NewFlagSet("devstack", flag.ExitOnError)
	flags.StringVar(&o.state, "state", "",
		"keep state and logs in this `directory` (default: a temporary one, removed at the end)")
	flags.StringVar(&o.logFile, "log", "",
		"write the logs of all servers to this one `file` (default: one file each in the state directory)")
	flags.IntVar(&o.postgresPort, "postgres-port", 0, "`port` of PostgreSQL (0: any free one)")
	flags.IntVar(&o.temporalPort, "temporal-port", 0, "`port` of the Temporal frontend (0: any free one)")
	flags.IntVar(&o.uiPort, "ui-port", 0, "`port` of the Temporal UI (0: any free one)")
	flags.BoolVar(&o.noUI, "no-ui", false, "run without the Temporal UI")
	flags.StringVar(&o.engine, "engine", "",
		"the `program` that is Temporal (default: engine, beside devstack)")
	flags.StringVar(&o.engineBuild, "engine-build", "",
		"build the engine by this shell `command` while COMMAND runs already")
	flags.StringVar(&o.uiBuild, "ui-build", "",
		"with -engine-build: build the UI by this shell `command` once the engine is up")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: devstack [flags] -- COMMAND [ARGUMENTS...]")
		fmt.Fprintln(flags.Output(), "       devstack control kill|start|restart|pause|resume postgres|temporal")
		flags.PrintDefaults()
	}
	_ = flags.Parse(args) // ExitOnError: it does not return an error
	if flags.NArg() == 0 {
		flags.Usage()
		os.Exit(2)
	}
	return o, flags.Args()
}

// logError prints an error the way every message of devstack looks.
func logError(err error) {
	fmt.Fprintln(os.Stderr, "devstack:", err)
}

// fatal ends a subcommand, with success when err is nil.
func fatal(err error) {
	if err == nil {
		os.Exit(0)
	}
	logError(err)
	var usage usageError
	if errors.As(err, &usage) {
		os.Exit(2)
	}
	os.Exit(1)
}

// usageError is a wrong command line.
type usageError string

// Error returns the message.
func (e usageError) Error() string { return string(e) }
