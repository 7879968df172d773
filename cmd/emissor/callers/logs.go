package callers

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/dashboard/listening"
	"emissor/dashboard/listening/forward"
	"emissor/nfse"
)

// LogsCommand groups what follows logs.
func LogsCommand() *cobra.Command {
	return cli.CommandGroup("logs", "Follow the log of requests to the API", logsTailCommand())
}

// logsTailCommand prints requests as they come.
func logsTailCommand() *cobra.Command {
	command := cli.NewCommand("tail", "Print the requests of an organization and environment as they come",
		`emissor logs tail --failed
emissor logs tail --key key_01m7yv5g08ef688dg9093ee0f7 --json`, cobra.NoArgs)
	command.Long = command.Short + `.

Those of the environment of EMISSOR_API_KEY, some four seconds after they were answered. It needs EMISSOR_DASHBOARD_URL
and EMISSOR_API_KEY only.`
	key := command.Flags().String("key", "", "only those with this key: its id, key_…, never its text")
	failed := command.Flags().Bool("failed", false, "only those that were refused or failed")
	asJSON := cli.JSONFlag(command)
	command.RunE = func(command *cobra.Command, _ []string) error {
		dashboard, err := cli.DashboardFromEnvironment()
		if err != nil {
			return err
		}
		if *key != "" && !nfse.IsID(nfse.PrefixAPIKey, *key) {
			return cli.Usage("--key is the id of a key, as key_01m7yv5g08ef688dg9093ee0f7; its text is in EMISSOR_API_KEY")
		}
		told := teller{out: command.OutOrStdout(), json: *asJSON}
		f := forward.Follower{Dashboard: dashboard, KeyID: *key, Pauses: lostPauses,
			Lost: func(err error) { fmt.Fprintln(command.ErrOrStderr(), "emissor: connecting again:", err) },
			Request: func(request listening.Request) {
				if !*failed || request.Status == 0 || request.Status >= 400 {
					told.request(request)
				}
			}}
		return f.Run(command.Context())
	}
	return command
}

func (t teller) request(request listening.Request) {
	if t.json {
		t.line(request)
		return
	}
	problem := string(request.ErrorCode)
	if request.ErrorField != "" {
		problem += " (" + request.ErrorField + ")"
	}
	parts := []string{request.At.Local().Format(time.TimeOnly), request.ID, fmt.Sprint(request.Status),
		fmt.Sprintf("%4d ms", request.DurationUS/1000), fmt.Sprintf("%-5s", request.Method), request.Path, request.NoteID,
		problem}
	for i, part := range slices.DeleteFunc(parts, func(part string) bool { return part == "" }) {
		if i > 0 {
			fmt.Fprint(t.out, "  ")
		}
		fmt.Fprint(t.out, part)
	}
	fmt.Fprintln(t.out)
}
