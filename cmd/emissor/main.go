// Command emissor is the whole program: the API, the worker, the dashboard, the
// migrations and the operator's commands.
//
//	emissor migrate   brings the database and the engine's namespace up to date
//	emissor serve     runs the API, a worker and the dashboard; api, worker and dashboard run them apart
//	emissor note ...  and the other commands look at what is on record and change it
//	emissor client ... trigger and mcp call the API with a key, and know no database
//
// This package puts the commands together; they are in serve, operate, company and callers, each in a file of its own
// name, and what they share is in cli.
package main

import (
	"context"
	_ "embed"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	_ "golang.org/x/crypto/x509roots/fallback" // the CAs of the web where the machine has none, as in our image

	"emissor/cmd/emissor/callers"
	"emissor/cmd/emissor/cli"
	"emissor/cmd/emissor/company"
	"emissor/cmd/emissor/operate"
	"emissor/cmd/emissor/serve"
)

// versionFile is the one place of the version: a release is a commit that changes it alone.
//
//go:embed VERSION
var versionFile string

// linkedCommit is given to the linker where the program is built without its repository:
// -ldflags '-X main.linkedCommit=...'.
var linkedCommit string

func init() { cli.Built(versionFile, linkedCommit) }

func main() {
	collectSeldom()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := rootCommand().ExecuteContext(ctx)
	stop()
	if err != nil {
		os.Exit(cli.Report(cli.Printable{To: os.Stderr}, err, slices.Contains(os.Args, "--json")))
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
	root.SetOut(cli.Printable{To: os.Stdout})
	root.SetErr(cli.Printable{To: os.Stderr})
	root.SetFlagErrorFunc(cli.WrongFlag)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}",
		"{{if and .Runnable (not .HasSubCommands)}}", 1)) // a group alone does nothing
	root.AddCommand(
		serve.Command(), serve.APICommand(), serve.WorkerCommand(), serve.DashboardCommand(),
		serve.MigrateCommand(), serve.DoctorCommand(), serve.HealthcheckCommand(),
		cli.ConfigCommand(), cli.VersionCommand(),
		operate.ArchiveCommand(), operate.AuditCommand(), operate.AuthorityCommand(), operate.CityCommand(),
		operate.ClassificationCommand(), operate.DeliveryCommand(), operate.EmailCommand(), operate.EventsCommand(),
		operate.KeysetCommand(), operate.LedgerCommand(), operate.MunicipalityCommand(), operate.OutboxCommand(),
		operate.ReceivedCommand(), operate.RecoveryCommand(), operate.StorageCommand(), operate.WebhookCommand(),
		operate.ZipCodesCommand(),
		company.CertificateCommand(), company.CityLoginCommand(), company.CulturalEventCommand(), company.CustomerCommand(),
		company.FiscalProfileCommand(), company.KeyCommand(), company.NoteCommand(), company.OrganizationCommand(),
		company.RehearseCommand(), company.SeriesCommand(), company.ServiceCommand(), company.UserCommand(),
		company.WorkCommand(),
		callers.ClientCommand(), callers.ListenCommand(), callers.LogsCommand(), callers.MCPCommand(),
		callers.TriggerCommand(),
	)
	cli.Finish(root)
	return root
}
