package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/kelseyhightower/envconfig"
	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
)

// healthcheckTimeout is less than what the images' HEALTHCHECK allows.
const healthcheckTimeout = 2 * time.Second

func HealthcheckCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "healthcheck",
		Short: "Ask the process of this container whether it is ready; fail, and say why, where it is not",
		Long: `Ask the process of this container whether it is ready; fail, and say why, where it is not.

It reads EMISSOR_ADMIN_LISTEN alone, and asks /readyz there: for images, which have no other program that could.`,
		Example: "emissor healthcheck --json",
		Args:    cobra.NoArgs,
	}
	asJSON := cli.JSONFlag(command)
	command.RunE = func(command *cobra.Command, _ []string) error {
		var config cli.ProcessConfig
		cli.ForgetEmptyVariables()
		if err := envconfig.Process("", &config); err != nil {
			return cli.Describe(err)
		}
		address, err := adminAddress(config.AdminListen)
		if err != nil {
			return fmt.Errorf("EMISSOR_ADMIN_LISTEN: %w", err)
		}
		found, err := askReadiness(command.Context(), address)
		if err != nil {
			return err
		}
		if *asJSON {
			err = cli.PrintJSON(command.OutOrStdout(), found)
		}
		if !found.Ready {
			err = errors.Join(err, fmt.Errorf("not ready: %s", found.Answer))
		}
		return err
	}
	return command
}

// ProcessReadiness is what a process answers to whether it is ready.
type ProcessReadiness struct {
	Ready  bool   `json:"ready"`
	Answer string `json:"answer"` // why it is not, or what is to be looked at although it is
}

// adminAddress is where the admin listener is reached from its own machine.
func adminAddress(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", err
	}
	if address, err := netip.ParseAddr(host); host == "" || err == nil && address.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

// askReadiness asks a process whether it is ready. That nobody answers is an error.
func askReadiness(ctx context.Context, address string) (found ProcessReadiness, err error) {
	ctx, cancel := context.WithTimeout(ctx, healthcheckTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return found, err
	}
	answer, err := (&http.Transport{}).RoundTrip(request) // without the proxy of the environment
	if err != nil {
		return found, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	return ProcessReadiness{answer.StatusCode == http.StatusOK, strings.TrimSpace(string(body))}, err
}
