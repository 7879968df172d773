package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/nfse"
	"emissor/seal"
	"emissor/store"
	"emissor/webhook"
)

func webhookCommand() *cobra.Command {
	command := &cobra.Command{Use: "webhook", Short: "Manage webhook endpoints: where an organization's events are sent"}
	command.AddCommand(
		webhookAddCommand(), webhookListCommand(), webhookRotateCommand(), webhookTestCommand(),
		webhookChangeCommand("disable", "Stop deliveries to an endpoint; those on their way are skipped",
			func(ctx context.Context, s *store.Store, id string) (store.Endpoint, error) {
				return s.DisableEndpoint(ctx, id, "disabled by the operator")
			}),
		webhookChangeCommand("enable", "Let deliveries go to an endpoint again, from the next event on",
			func(ctx context.Context, s *store.Store, id string) (store.Endpoint, error) {
				return s.EnableEndpoint(ctx, id)
			}),
		webhookChangeCommand("remove", "End an endpoint for good; its deliveries stay on record",
			func(ctx context.Context, s *store.Store, id string) (store.Endpoint, error) {
				return s.DeleteEndpoint(ctx, id)
			}),
	)
	return command
}

// printedEndpoint is an endpoint as commands show it.
type printedEndpoint struct {
	ID             string          `json:"id"`
	OrganizationID string          `json:"organization_id"`
	Environment    string          `json:"environment"`
	URL            string          `json:"url"`
	Status         string          `json:"status"`
	Reason         *string         `json:"disabled_reason"`
	Secret         string          `json:"secret,omitempty"` // only when it is made
	RotatingUntil  *nfse.Timestamp `json:"previous_secret_ends_at"`
	CreatedAt      nfse.Timestamp  `json:"created_at"`
}

func newPrintedEndpoint(e store.Endpoint, secret string) printedEndpoint {
	status := "enabled"
	switch {
	case e.DeletedAt != nil:
		status = "removed"
	case e.DisabledAt != nil:
		status = "disabled"
	}
	return printedEndpoint{
		ID: e.ID, OrganizationID: e.OrganizationID, Environment: e.Environment(), URL: e.URL, Status: status,
		Reason: e.DisabledReason, Secret: secret, RotatingUntil: e.PreviousSecretEndsAt, CreatedAt: e.CreatedAt,
	}
}

func printEndpoints(command *cobra.Command, out output, value any, endpoints []printedEndpoint) error {
	header := "ID\tORGANIZATION\tENVIRONMENT\tURL\tSTATUS\tREASON\tOLD SECRET UNTIL\tCREATED"
	return out.print(command.OutOrStdout(), value, header, func(add func(...any)) {
		for _, e := range endpoints {
			add(e.ID, e.OrganizationID, e.Environment, e.URL, e.Status, orDash(e.Reason), orDash(e.RotatingUntil), e.CreatedAt)
		}
	})
}

// showSecret prints an endpoint with a secret that is seen only now.
func showSecret(command *cobra.Command, out output, endpoint store.Endpoint, secret string) error {
	printed := newPrintedEndpoint(endpoint, secret)
	if err := printEndpoints(command, out, printed, []printedEndpoint{printed}); err != nil || out.json {
		return err
	}
	_, err := fmt.Fprintf(command.OutOrStdout(), "\n%s\n\nThis is the secret of its signatures. It is shown only now.\n", secret)
	return err
}

func webhookAddCommand() *cobra.Command {
	var out output
	var organizationID, environment string
	command := &cobra.Command{
		Use:   "add URL --organization ORG --environment test|live",
		Short: "Add an endpoint; the secret of its signatures is shown once",
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			livemode, err := parseEnvironment(environment)
			if err != nil {
				return err
			}
			return withSealer(command.Context(), func(ctx context.Context, p *secretsContext) error {
				if err := webhook.CheckURL(args[0], p.config.WebhookAllowLoopback); err != nil {
					return err
				}
				if _, err := p.store.Organization(ctx, organizationID); err != nil {
					return err
				}
				endpoint := store.Endpoint{
					ID:    nfse.NewID(nfse.PrefixEndpoint),
					Scope: nfse.Scope{OrganizationID: organizationID, Livemode: livemode},
					URL:   args[0],
				}
				secret := webhook.NewSecret()
				if endpoint.Secret, err = p.sealer.Seal([]byte(secret), organizationID, endpoint.ID); err != nil {
					return err
				}
				created, err := p.store.CreateEndpoint(ctx, endpoint)
				if err != nil {
					return err
				}
				return showSecret(command, out, created, secret)
			})
		},
	}
	command.Flags().StringVar(&organizationID, "organization", "", "id of the organization (org_...)")
	command.Flags().StringVar(&environment, "environment", "", "test or live")
	_ = command.MarkFlagRequired("organization")
	_ = command.MarkFlagRequired("environment")
	return out.flag(command)
}

func webhookListCommand() *cobra.Command {
	var out output
	var organizationID string
	command := &cobra.Command{
		Use:   "list",
		Short: "List endpoints, of one organization or of all",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				endpoints, err := s.Endpoints(ctx, organizationID)
				if err != nil {
					return err
				}
				printed := make([]printedEndpoint, len(endpoints))
				for i, endpoint := range endpoints {
					printed[i] = newPrintedEndpoint(endpoint, "")
				}
				return printEndpoints(command, out, printed, printed)
			})
		},
	}
	command.Flags().StringVar(&organizationID, "organization", "", "only of this organization (org_...)")
	return out.flag(command)
}

func webhookChangeCommand(verb, short string, change func(context.Context, *store.Store, string) (store.Endpoint, error)) *cobra.Command {
	var out output
	return out.flag(&cobra.Command{
		Use:   verb + " ENDPOINT",
		Short: short,
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				endpoint, err := change(ctx, s, args[0])
				if err != nil {
					return err
				}
				printed := newPrintedEndpoint(endpoint, "")
				return printEndpoints(command, out, printed, []printedEndpoint{printed})
			})
		},
	})
}

func webhookRotateCommand() *cobra.Command {
	var out output
	var force bool
	command := &cobra.Command{
		Use:   "rotate ENDPOINT",
		Short: "Give an endpoint a new secret; for 24 hours the old one signs as well",
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return withSealer(command.Context(), func(ctx context.Context, p *secretsContext) error {
				endpoint, err := p.store.Endpoint(ctx, args[0])
				if err != nil {
					return err
				}
				secret := webhook.NewSecret()
				sealed, err := p.sealer.Seal([]byte(secret), endpoint.OrganizationID, endpoint.ID)
				if err != nil {
					return err
				}
				rotated, err := p.store.RotateSecret(ctx, endpoint.ID, sealed, force)
				if err != nil {
					return err
				}
				return showSecret(command, out, rotated, secret)
			})
		},
	}
	command.Flags().BoolVar(&force, "force", false, "rotate although the last rotation is not over: only the two newest secrets sign then")
	return out.flag(command)
}

func webhookTestCommand() *cobra.Command {
	var out output
	return out.flag(&cobra.Command{
		Use:   "test ENDPOINT",
		Short: "Send a signed test call, of type webhook.test, and show the answer",
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return withSealer(command.Context(), func(ctx context.Context, p *secretsContext) error {
				attempt, err := sendTestCall(ctx, p, args[0])
				if err != nil {
					return err
				}
				if err := printAttempts(command, out, attempt, []nfse.DeliveryAttempt{attempt}); err != nil {
					return err
				}
				if attempt.Problem != nil {
					return errors.New("the test call failed: " + *attempt.Problem)
				}
				return nil
			})
		},
	})
}

// sendTestCall posts a body of the shape of an event, signed with the
// endpoint's secrets, from here.
func sendTestCall(ctx context.Context, p *secretsContext, id string) (nfse.DeliveryAttempt, error) {
	endpoint, err := p.store.Endpoint(ctx, id)
	if err != nil {
		return nfse.DeliveryAttempt{}, err
	}
	if endpoint.DeletedAt != nil {
		return nfse.DeliveryAttempt{}, errors.New("the endpoint was removed")
	}
	secrets, err := p.sealer.UnsealAll([][]byte{endpoint.Secret, endpoint.PreviousSecret}, endpoint.OrganizationID, endpoint.ID)
	if err != nil {
		return nfse.DeliveryAttempt{}, err
	}
	body, err := nfse.NewTestCall(endpoint.Livemode, nfse.Timestamp{Time: time.Now()})
	if err != nil {
		return nfse.DeliveryAttempt{}, err
	}
	client := webhook.NewClient(webhook.Options{AllowLoopback: p.config.WebhookAllowLoopback})
	return client.Send(ctx, endpoint.URL, secrets, body).Log(), nil
}

// secretsContext is what a command that handles secrets works with.
type secretsContext struct {
	config config
	store  *store.Store
	sealer *seal.Sealer
}

func withSealer(ctx context.Context, do func(context.Context, *secretsContext) error) error {
	config, err := loadConfig()
	if err != nil {
		return err
	}
	sealer, err := seal.Open(config.KeysetFile, config.Keyset)
	if err != nil {
		return err
	}
	return withStore(ctx, func(ctx context.Context, s *store.Store) error {
		return do(ctx, &secretsContext{config: config, store: s, sealer: sealer})
	})
}
