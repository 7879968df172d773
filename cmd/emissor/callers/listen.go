package callers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/dashboard/listening"
	"emissor/dashboard/listening/forward"
	"emissor/internal/retry"
	"emissor/internal/webhook"
	"emissor/nfse"
)

// lostPauses are those after a connection to the dashboard that was lost.
var lostPauses = retry.Backoff{Initial: time.Second, Max: 20 * time.Second}

// ListenCommand brings the events of test notes to a receiver on this machine.
func ListenCommand() *cobra.Command {
	command := cli.NewCommand("listen", "Post the events of test notes to a receiver on this machine",
		`emissor listen --forward-to http://localhost:3000/hook
emissor listen --forward-to http://localhost:3000/hook --events nfse.issued,nfse.cancelled --json
emissor listen --print-secret`, cobra.NoArgs)
	command.Long = command.Short + `.

It needs no inbound connection: it asks the dashboard, with a test key. Each event is signed as a webhook is, by the
secret that is printed, which is the same each time with one key. The deliveries are on record as those of an endpoint
that lives as long as the command. It needs EMISSOR_DASHBOARD_URL and EMISSOR_API_KEY only.`
	to := command.Flags().String("forward-to", "", "the receiver's address, as http://localhost:3000/hook")
	events := command.Flags().StringSlice("events", nil, "only these, of nfse.issued, nfse.rejected and nfse.cancelled")
	secret := command.Flags().Bool("print-secret", false, "print the secret of the signatures, and end")
	asJSON := cli.JSONFlag(command)
	cli.CompleteFlag(command, "events", nfse.EventTypes...)
	command.MarkFlagsMutuallyExclusive("print-secret", "forward-to")
	command.MarkFlagsMutuallyExclusive("print-secret", "events")
	command.RunE = func(command *cobra.Command, _ []string) error {
		dashboard, err := cli.DashboardFromEnvironment()
		if err != nil {
			return err
		}
		if dashboard.Livemode() {
			return errors.New("listen takes only events of test notes, and EMISSOR_API_KEY is a live key: use a test key " +
				"(svc_test_...); live events go to endpoints of the dashboard")
		}
		if *secret {
			return printSecret(command.OutOrStdout(), *asJSON)
		}
		if *to == "" {
			return cli.Usage("--forward-to is missing: the receiver's address, as http://localhost:3000/hook")
		}
		f := forward.Forwarder{Dashboard: dashboard, To: *to, Pauses: lostPauses,
			Lost: func(err error) { fmt.Fprintln(command.ErrOrStderr(), "emissor: connecting again:", err) }}
		for _, event := range *events {
			f.Events = append(f.Events, nfse.EventType(event))
		}
		told := teller{out: command.OutOrStdout(), json: *asJSON}
		f.Ready, f.Posted = func(begun listening.Begun) { told.ready(*to, begun) }, told.posted
		ctx, stop := signal.NotifyContext(command.Context(), syscall.SIGHUP) // the terminal is closed
		defer stop()
		return f.Run(ctx)
	}
	return command
}

// printSecret prints the secret by which listen signs with this key.
func printSecret(out io.Writer, asJSON bool) error {
	secret := webhook.SecretOfKey(os.Getenv(cli.VariableAPIKey))
	if asJSON {
		return json.NewEncoder(out).Encode(map[string]string{"secret": secret})
	}
	_, err := fmt.Fprintln(out, secret)
	return err
}

// teller prints what a command that listens does.
type teller struct {
	out  io.Writer
	json bool
}

func (t teller) ready(to string, begun listening.Begun) {
	if t.json {
		t.line(map[string]any{"ready": true, "endpoint_id": begun.ID, "forward_to": to, "secret": begun.Secret})
		return
	}
	fmt.Fprintf(t.out, "Ready: events of test notes are posted to %s as %s.\nThe secret of their signatures is %s\n",
		to, begun.ID, begun.Secret)
}

func (t teller) posted(posted forward.Posted) {
	if t.json {
		t.line(posted)
		return
	}
	outcome := fmt.Sprintf("%d in %d ms", posted.Status, posted.DurationMS)
	if posted.Status == 0 {
		outcome = posted.Problem
	}
	fmt.Fprintf(t.out, "%s  %-14s  %s  %s  %s\n", posted.At.Local().Format(time.TimeOnly), posted.EventType, posted.NoteID,
		posted.EventID, outcome)
}

func (t teller) line(value any) { _ = json.NewEncoder(t.out).Encode(value) }
