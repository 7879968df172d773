package operate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/internal/webhook/endpoint"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/webhooks"
)

func WebhookCommand() *cobra.Command {
	return cli.CommandGroup("webhook", "Manage webhook endpoints: where an organization's events are sent",
		webhookAddCommand(), webhookListCommand(), webhookSetCommand(), webhookRotateCommand(), webhookTestCommand(),
		webhookChangeCommand("disable", "Stop deliveries to an endpoint; those on their way are skipped",
			func(by *webhooks.Changes, ctx context.Context, id string) (webhooks.Endpoint, error) {
				return by.DisableEndpoint(ctx, id, fact.EndpointDisabledByOperator.Fact())
			}),
		webhookChangeCommand("enable", "Let deliveries go to an endpoint again, from the next event on",
			(*webhooks.Changes).EnableEndpoint),
		webhookChangeCommand("remove", "End an endpoint for good; its deliveries stay on record",
			(*webhooks.Changes).DeleteEndpoint))
}

// PrintedEndpoint is an endpoint as commands show it.
type PrintedEndpoint struct {
	ID             string          `json:"id"`
	OrganizationID string          `json:"organization_id"`
	Environment    string          `json:"environment"`
	URL            string          `json:"url"`
	Events         []string        `json:"events"` // that it wants; empty: all
	Status         string          `json:"status"`
	Reason         fact.Fact       `json:"disabled_reason"`
	Secret         string          `json:"secret,omitempty"` // only when it is made
	RotatingUntil  *nfse.Timestamp `json:"previous_secret_ends_at"`
	CreatedAt      nfse.Timestamp  `json:"created_at"`
}

func newPrintedEndpoint(e webhooks.Endpoint) PrintedEndpoint {
	return PrintedEndpoint{
		ID: e.ID, OrganizationID: e.OrganizationID, Environment: e.Environment(), URL: e.URL, Events: e.Events,
		Status: endpoint.State(e), Reason: e.DisabledReason, RotatingUntil: e.PreviousSecretEndsAt, CreatedAt: e.CreatedAt,
	}
}

var endpointTable = cli.Table[PrintedEndpoint]{
	Header: "ID\tORGANIZATION\tENVIRONMENT\tURL\tEVENTS\tSTATUS\tREASON\tOLD SECRET UNTIL\tCREATED",
	Row: func(e PrintedEndpoint) []any {
		return []any{e.ID, e.OrganizationID, e.Environment, e.URL, cmp.Or(strings.Join(e.Events, ","), allEvents), e.Status,
			cmp.Or(e.Reason.English(), "-"), cli.OrDash(e.RotatingUntil), e.CreatedAt}
	},
}

// showSecret prints an endpoint with its new secret, which is shown only this once.
func showSecret(s *cli.CommandRun, shown webhooks.Endpoint, secret string) error {
	printed := newPrintedEndpoint(shown)
	printed.Secret = secret
	if err := endpointTable.PrintOne(s, printed); err != nil {
		return err
	}
	return s.Printf("\n%s\n\nThis is the secret of its signatures. It is shown only now.\n", secret)
}

func webhookAddCommand() *cobra.Command {
	command := cli.NewCommand("add URL --organization ORG --environment test|live",
		"Add an endpoint; the secret of its signatures is shown once",
		`emissor webhook add https://example.com/emissor --organization org_01m10n7b5xf0stgd3ek65gw866 \
  --environment test --events nfse.issued,nfse.rejected`, cobra.ExactArgs(1))
	organization, environment := cli.OrganizationFlag(command), cli.EnvironmentFlag(command)
	events := eventsFlag(command)
	var given webhooks.Endpoint
	return cli.CheckedCommand(command, func(args []string) (err error) {
		given.ID, given.URL, given.OrganizationID = nfse.NewID(nfse.PrefixEndpoint), args[0], *organization
		if given.Livemode, err = cli.ParseEnvironment(*environment); err != nil {
			return err
		}
		given.Events, err = parseEvents(*events)
		return err
	}, func(ctx context.Context, s *cli.CommandRun) error {
		if err := s.Config.WebhookOptions().CheckURL(given.URL); err != nil {
			return err
		}
		if _, err := s.Store.Access.Organization(ctx, given.OrganizationID); err != nil {
			return err
		}
		sealer, err := s.Sealing(ctx)
		if err != nil {
			return err
		}
		added, secret, err := endpoint.Add(ctx, s.Changes, sealer, given)
		if err != nil {
			return err
		}
		return showSecret(s, added, secret)
	})
}

func webhookListCommand() *cobra.Command {
	command := cli.NewCommand("list", "List endpoints, of one organization or of all",
		"emissor webhook list --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := cli.OrganizationFilter(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		endpoints, err := s.Store.Webhooks.Endpoints(ctx, *organization)
		return endpointTable.Show(s, cli.Mapped(endpoints, newPrintedEndpoint), err)
	})
}

// allEvents stands for every event, also of kinds that there will be.
const allEvents = "all"

func eventsFlag(command *cobra.Command) *[]string {
	events := command.Flags().StringSlice("events", []string{allEvents},
		"the events that the endpoint wants, comma separated: nfse.issued, nfse.rejected, nfse.cancelled, or all")
	cli.CompleteFlag(command, "events", append(slices.Clone(nfse.EventTypes), allEvents)...)
	return events
}

// parseEvents reads the names of events; nil is all.
func parseEvents(names []string) (events []string, err error) {
	for _, name := range names {
		switch {
		case name == allEvents && len(names) == 1:
			return nil, nil
		case !slices.Contains(nfse.EventTypes, nfse.EventType(name)):
			return nil, cli.Usage("--events: %q is no event: they are nfse.issued, nfse.rejected and nfse.cancelled, "+
				"or all", name)
		}
		events = append(events, name)
	}
	if len(events) == 0 {
		return nil, cli.Usage("--events names no event")
	}
	return events, nil
}

func webhookSetCommand() *cobra.Command {
	command := cli.NewCommand("set ENDPOINT", "Change an endpoint's URL or the events that it wants; its secret stays",
		"emissor webhook set whe_01m0j4g6egf25rj7w21ej02xms --url https://example.com/hooks/emissor",
		cobra.ExactArgs(1))
	url := command.Flags().String("url", "", "the new URL; what is on its way goes there")
	names := eventsFlag(command)
	var events []string
	return cli.CheckedCommand(command, func([]string) (err error) {
		if !command.Flags().Changed("url") && !command.Flags().Changed("events") {
			return errors.New("say what to change: --url, --events or both")
		}
		events, err = parseEvents(*names)
		return err
	}, func(ctx context.Context, s *cli.CommandRun) error {
		before, err := s.Store.Webhooks.Endpoint(ctx, s.Args[0])
		if err != nil {
			return err
		}
		if !command.Flags().Changed("url") {
			*url = before.URL
		} else if err := s.Config.WebhookOptions().CheckURL(*url); err != nil {
			return err
		}
		if !command.Flags().Changed("events") {
			events = before.Events
		}
		changed, err := s.Changes.Webhooks.SetEndpoint(ctx, before.ID, *url, events, nil)
		return endpointTable.ShowOne(s, newPrintedEndpoint(changed), err)
	})
}

func webhookChangeCommand(
	verb, short string, change func(*webhooks.Changes, context.Context, string) (webhooks.Endpoint, error),
) *cobra.Command {
	command := cli.NewCommand(verb+" ENDPOINT", short,
		"emissor webhook "+verb+" whe_01m0j4g6egf25rj7w21ej02xms", cobra.ExactArgs(1))
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		changed, err := change(s.Changes.Webhooks, ctx, s.Args[0])
		return endpointTable.ShowOne(s, newPrintedEndpoint(changed), err)
	})
}

func webhookRotateCommand() *cobra.Command {
	command := cli.NewCommand("rotate ENDPOINT",
		"Give an endpoint a new secret; for 24 hours the old one signs as well",
		"emissor webhook rotate whe_01m0j4g6egf25rj7w21ej02xms", cobra.ExactArgs(1))
	force := command.Flags().Bool("force", false,
		"rotate although the last rotation is not over: only the two newest secrets sign then")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		before, err := s.Store.Webhooks.Endpoint(ctx, s.Args[0])
		if err != nil {
			return err
		}
		sealer, err := s.Sealing(ctx)
		if err != nil {
			return err
		}
		rotated, secret, err := endpoint.Rotate(ctx, s.Changes, sealer, before, *force)
		if err != nil {
			return err
		}
		return showSecret(s, rotated, secret)
	})
}

func webhookTestCommand() *cobra.Command {
	command := cli.NewCommand("test ENDPOINT",
		"Send a signed test call, of type webhook.test, and show the answer",
		"emissor webhook test whe_01m0j4g6egf25rj7w21ej02xms", cobra.ExactArgs(1))
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		attempt, err := sendTestCall(ctx, s, s.Args[0])
		if err != nil {
			return err
		}
		if err := attemptTable.PrintOne(s, attempt); err != nil {
			return err
		}
		if !attempt.Problem.None() {
			return fmt.Errorf("the test call failed: %s", attempt.Problem)
		}
		return nil
	})
}

// sendTestCall sends a test call from this process.
func sendTestCall(ctx context.Context, s *cli.CommandRun, id string) (nfse.DeliveryAttempt, error) {
	tested, err := s.Store.Webhooks.Endpoint(ctx, id)
	if err != nil {
		return nfse.DeliveryAttempt{}, err
	}
	if tested.Listens {
		return nfse.DeliveryAttempt{}, errors.New("the endpoint is a command that listens: nothing is sent to it")
	}
	if endpoint.ObstacleAt(tested) == endpoint.Removed {
		return nfse.DeliveryAttempt{}, errors.New("the endpoint was removed")
	}
	sealer, err := s.Config.Sealer(ctx)
	if err != nil {
		return nfse.DeliveryAttempt{}, err
	}
	return endpoint.Test(ctx, s.Config.Webhooks(), sealer, tested)
}
