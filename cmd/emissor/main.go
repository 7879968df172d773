// Command emissor is the whole program: the API, the worker, the dashboard, the
// migrations and the operator's commands.
//
//	emissor migrate   brings the database and the engine's namespace up to date
//	emissor serve     runs the API, a worker and the dashboard; api, worker and dashboard run them apart
//	emissor note ...  and the other commands look at what is on record and change it
//	emissor client ... trigger and mcp call the API with a key, and know no database
//
// serve.go runs the parts, process.go makes what they share, config.go reads the
// environment. Each operator's command has a file of its own name: it is a
// databaseCommand (command.go), which gets a commandRun with an open database and
// prints a table for people or JSON for scripts. Those of callers are a callerCommand
// (caller.go), which gets a client of the API instead.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	_ "golang.org/x/crypto/x509roots/fallback" // the CAs of the web where the machine has none, as in our image

	"emissor/nfse"
	"emissor/store/postgres"
)

func main() {
	collectSeldom()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := rootCommand().ExecuteContext(ctx)
	stop()
	if err != nil {
		os.Exit(report(printable{os.Stderr}, err, slices.Contains(os.Args, "--json")))
	}
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "emissor",
		Short: "Issues Brazil's municipal service invoices (NFS-e), each exactly once",
		Long: "Issues Brazil's municipal service invoices (NFS-e), each exactly once.\n\n" +
			"Configured by the environment: `emissor config` lists every variable.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.SetOut(printable{os.Stdout})
	root.SetErr(printable{os.Stderr})
	root.SetFlagErrorFunc(wrongFlag)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}",
		"{{if and .Runnable (not .HasSubCommands)}}", 1)) // a group alone does nothing
	root.AddCommand(
		serveCommand(), apiCommand(), workerCommand(), dashboardCommand(), migrateCommand(), configCommand(),
		versionCommand(), healthcheckCommand(),
		organizationCommand(), keyCommand(), keysetCommand(), webhookCommand(),
		fiscalProfileCommand(), certificateCommand(), seriesCommand(), recoveryCommand(),
		noteCommand(), deliveryCommand(), emailCommand(), ledgerCommand(), outboxCommand(), zipCodesCommand(),
		auditCommand(), customerCommand(), serviceCommand(), workCommand(), culturalEventCommand(),
		classificationCommand(), municipalityCommand(), cityCommand(), authorityCommand(), eventsCommand(), receivedCommand(),
		userCommand(), doctorCommand(), rehearseCommand(), storageCommand(), archiveCommand(),
		clientCommand(), triggerCommand(), listenCommand(), logsCommand(), mcpCommand(),
	)
	finish(root)
	return root
}

// message returns what went wrong, in words for an operator.
func message(err error) string {
	var known *nfse.Error
	if errors.As(err, &known) {
		return known.Message
	}
	if postgres.IsUnstorable(err) {
		return "a text that was given holds a NUL, or bytes that are no UTF-8, and cannot be kept"
	}
	return err.Error()
}
