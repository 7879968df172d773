package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/webhook"
)

func webhookCommand() *cobra.Command {
	return commandGroup("webhook", "Manage webhook endpoints: where an organization's events are sent",
		webhookAddCommand(), webhookListCommand(), webhookRotateCommand(), webhookTestCommand(),
		webhookChangeCommand("disable", "Stop deliveries to an endpoint; those on their way are skipped",
			func(by *store.Changes, ctx context.Context, id string) (store.Endpoint, error) {
				return by.DisableEndpoint(ctx, id, fact.EndpointDisabledByOperator.Fact())
			}),
		webhookChangeCommand("enable", "Let deliveries go to an endpoint again, from the next event on",
			(*store.Changes).EnableEndpoint),
		webhookChangeCommand("remove", "End an endpoint for good; its deliveries stay on record",
			(*store.Changes).DeleteEndpoint))
}

// printedEndpoint is an endpoint as commands show it.
type printedEndpoint struct {
	ID             string          `json:"id"`
	OrganizationID string          `json:"organization_id"`
	Environment    string          `json:"environment"`
	URL            string          `json:"url"`
	Status         string          `json:"status"`
	Reason         fact.Fact       `json:"disabled_reason"`
	Secret         string          `json:"secret,omitempty"` // only when it is made
	RotatingUntil  *nfse.Timestamp `json:"previous_secret_ends_at"`
	CreatedAt      nfse.Timestamp  `json:"created_at"`
}

func newPrintedEndpoint(e store.Endpoint) printedEndpoint {
	status := "enabled"
	switch {
	case e.DeletedAt != nil:
		status = "removed"
	case e.DisabledAt != nil:
		status = "disabled"
	}
	return printedEndpoint{
		ID: e.ID, OrganizationID: e.OrganizationID, Environment: e.Environment(), URL: e.URL, Status: status,
		Reason: e.DisabledReason, RotatingUntil: e.PreviousSecretEndsAt, CreatedAt: e.CreatedAt,
	}
}

var endpointTable = table[printedEndpoint]{
	"ID\tORGANIZATION\tENVIRONMENT\tURL\tSTATUS\tREASON\tOLD SECRET UNTIL\tCREATED",
	func(e printedEndpoint) []any {
		return []any{e.ID, e.OrganizationID, e.Environment, e.URL, e.Status,
			cmp.Or(e.Reason.English(), "-"), orDash(e.RotatingUntil), e.CreatedAt}
	},
}

// showSecret prints an endpoint with its new secret, which is seen only now.
func showSecret(s *session, endpoint store.Endpoint, secret string) error {
	printed := newPrintedEndpoint(endpoint)
	printed.Secret = secret
	if err := endpointTable.printOne(s, printed); err != nil {
		return err
	}
	return s.printf("\n%s\n\nThis is the secret of its signatures. It is shown only now.\n", secret)
}

// newSecret makes a secret, and seals it for its endpoint.
func newSecret(
	ctx context.Context, s *session, organizationID, endpointID string,
) (secret string, sealed []byte, err error) {
	sealer, err := s.sealing(ctx)
	if err != nil {
		return "", nil, err
	}
	secret = webhook.NewSecret()
	sealed, err = sealer.Seal([]byte(secret), organizationID, endpointID)
	return secret, sealed, err
}

func webhookAddCommand() *cobra.Command {
	command := newCommand("add URL --organization ORG --environment test|live",
		"Add an endpoint; the secret of its signatures is shown once", cobra.ExactArgs(1))
	organization, environment := organizationFlag(command), environmentFlag(command)
	var endpoint store.Endpoint
	return checkedCommand(command, func(args []string) (err error) {
		endpoint.ID, endpoint.URL, endpoint.OrganizationID = nfse.NewID(nfse.PrefixEndpoint), args[0], *organization
		endpoint.Livemode, err = parseEnvironment(*environment)
		return err
	}, func(ctx context.Context, s *session) error {
		if err := s.config.webhookOptions().CheckURL(endpoint.URL); err != nil {
			return err
		}
		if _, err := s.store.Organization(ctx, endpoint.OrganizationID); err != nil {
			return err
		}
		secret, sealed, err := newSecret(ctx, s, endpoint.OrganizationID, endpoint.ID)
		if err != nil {
			return err
		}
		endpoint.Secret = sealed
		created, err := s.changes.CreateEndpoint(ctx, endpoint)
		if err != nil {
			return err
		}
		return showSecret(s, created, secret)
	})
}

func webhookListCommand() *cobra.Command {
	command := newCommand("list", "List endpoints, of one organization or of all", cobra.NoArgs)
	organization := organizationFilter(command)
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		endpoints, err := s.store.Endpoints(ctx, *organization)
		if err != nil {
			return err
		}
		return endpointTable.print(s, mapped(endpoints, newPrintedEndpoint))
	})
}

func webhookChangeCommand(
	verb, short string, change func(*store.Changes, context.Context, string) (store.Endpoint, error),
) *cobra.Command {
	command := newCommand(verb+" ENDPOINT", short, cobra.ExactArgs(1))
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		endpoint, err := change(s.changes, ctx, s.args[0])
		if err != nil {
			return err
		}
		return endpointTable.printOne(s, newPrintedEndpoint(endpoint))
	})
}

func webhookRotateCommand() *cobra.Command {
	command := newCommand("rotate ENDPOINT",
		"Give an endpoint a new secret; for 24 hours the old one signs as well", cobra.ExactArgs(1))
	force := command.Flags().Bool("force", false,
		"rotate although the last rotation is not over: only the two newest secrets sign then")
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		endpoint, err := s.store.Endpoint(ctx, s.args[0])
		if err != nil {
			return err
		}
		secret, sealed, err := newSecret(ctx, s, endpoint.OrganizationID, endpoint.ID)
		if err != nil {
			return err
		}
		rotated, err := s.changes.RotateSecret(ctx, endpoint.ID, sealed, *force)
		if err != nil {
			return err
		}
		return showSecret(s, rotated, secret)
	})
}

func webhookTestCommand() *cobra.Command {
	command := newCommand("test ENDPOINT",
		"Send a signed test call, of type webhook.test, and show the answer", cobra.ExactArgs(1))
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		attempt, err := sendTestCall(ctx, s, s.args[0])
		if err != nil {
			return err
		}
		if err := attemptTable.printOne(s, attempt); err != nil {
			return err
		}
		if !attempt.Problem.None() {
			return fmt.Errorf("the test call failed: %s", attempt.Problem)
		}
		return nil
	})
}

// sendTestCall posts the body of a test call to an endpoint, from here, signed with
// the endpoint's secrets.
func sendTestCall(ctx context.Context, s *session, endpointID string) (nfse.DeliveryAttempt, error) {
	endpoint, err := s.store.Endpoint(ctx, endpointID)
	if err != nil {
		return nfse.DeliveryAttempt{}, err
	}
	if endpoint.DeletedAt != nil {
		return nfse.DeliveryAttempt{}, errors.New("the endpoint was removed")
	}
	sealer, err := s.config.sealer(ctx)
	if err != nil {
		return nfse.DeliveryAttempt{}, err
	}
	sealed := [][]byte{endpoint.Secret, endpoint.PreviousSecret}
	secrets, err := sealer.UnsealAll(sealed, endpoint.OrganizationID, endpoint.ID)
	if err != nil {
		return nfse.DeliveryAttempt{}, err
	}
	body, err := nfse.NewTestCall(endpoint.Livemode, nfse.Timestamp{Time: time.Now()})
	if err != nil {
		return nfse.DeliveryAttempt{}, err
	}
	return s.config.webhooks().Send(ctx, endpoint.URL, secrets, body).Log(), nil
}
