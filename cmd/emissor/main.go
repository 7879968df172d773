// Command emissor is the whole program: the API, the worker, the migrations and
// the operator's commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"emissor/nfse"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := rootCommand().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "emissor:", message(err))
		os.Exit(1)
	}
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "emissor",
		Short:         "Issues Brazil's municipal service invoices (NFS-e), each exactly once",
		Long:          "Issues Brazil's municipal service invoices (NFS-e), each exactly once.\n\nConfigured by the environment: `emissor config` lists every variable.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(
		serveCommand(), apiCommand(), workerCommand(), migrateCommand(), configCommand(),
		organizationCommand(), keyCommand(), keysetCommand(), webhookCommand(),
		fiscalProfileCommand(), certificateCommand(),
		noteCommand(), deliveryCommand(), emailCommand(), ledgerCommand(), outboxCommand(), zipCodesCommand(),
	)
	return root
}

// message says what went wrong in words for an operator.
func message(err error) string {
	var known *nfse.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return err.Error()
}
