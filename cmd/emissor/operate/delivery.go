package operate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/internal/webhook/endpoint"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/webhooks"
)

func DeliveryCommand() *cobra.Command {
	return cli.CommandGroup("delivery", "Look at webhook deliveries and send failed ones again",
		deliveryListCommand(), deliveryShowCommand(), deliveryRetryCommand())
}

var deliveryTable = cli.Table[webhooks.Delivery]{
	Header: "ID\tENVIRONMENT\tEVENT\tNOTE\tENDPOINT\tSTATUS\tATTEMPTS\tNEXT ATTEMPT\tLAST PROBLEM",
	Row: func(d webhooks.Delivery) []any {
		return []any{d.ID, d.Environment(), d.EventType, d.NoteID, d.EndpointID, d.Status, d.Attempts,
			cli.OrDash(d.NextAttemptAt), cmp.Or(d.LastProblem.English(), "-")}
	},
}

var attemptTable = cli.Table[nfse.DeliveryAttempt]{
	Header: "STARTED\tTOOK\tSTATUS\tPROBLEM\tANSWER",
	Row: func(a nfse.DeliveryAttempt) []any {
		took := time.Duration(a.DurationMS) * time.Millisecond
		return []any{a.StartedAt, took, cli.OrDash(a.Status), cmp.Or(a.Problem.English(), "-"), cli.Shorten(a.Answer)}
	},
}

func deliveryListCommand() *cobra.Command {
	command := cli.NewCommand("list", "List deliveries, newest first",
		"emissor delivery list --status failed --since 3d --endpoint whe_01m0j4g6egf25rj7w21ej02xms", cobra.NoArgs)
	var filter webhooks.DeliveryFilter
	flags := command.Flags()
	status := flags.String("status", "", "pending, delivered, failed or skipped")
	statuses := []webhooks.DeliveryStatus{
		webhooks.DeliveryPending, webhooks.DeliveryDelivered, webhooks.DeliveryFailed, webhooks.DeliverySkipped}
	cli.CompleteFlag(command, "status", statuses...)
	since := flags.String("since", "", "only of events since then: 2h, 3d, or 2026-11-21T08:00:00Z")
	flags.StringVar(&filter.EndpointID, "endpoint", "", "only to this endpoint (whe_...)")
	flags.IntVar(&filter.Limit, "limit", 100, "the most rows")
	return cli.CheckedCommand(command, func([]string) (err error) {
		if *status != "" {
			filter.Status, err = cli.ParseStatus(*status, statuses...)
		}
		if err == nil {
			filter.Since, err = cli.ParseSince(*since, time.Now())
		}
		return err
	}, func(ctx context.Context, s *cli.CommandRun) error {
		deliveries, err := s.Store.Webhooks.Deliveries(ctx, filter)
		return deliveryTable.Show(s, deliveries, err)
	})
}

func deliveryShowCommand() *cobra.Command {
	command := cli.NewCommand("show DELIVERY", "Show a delivery and every attempt of it",
		"emissor delivery show dlv_01m0xs63awfx890mesn9p6xp5h", cobra.ExactArgs(1))
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		delivery, attempts, err := s.Store.Webhooks.Delivery(ctx, s.Args[0])
		if err != nil {
			return err
		}
		if s.Json {
			return s.Print(struct {
				webhooks.Delivery
				Attempts []nfse.DeliveryAttempt `json:"attempt_log"`
			}{delivery, attempts}, "", nil)
		}
		if err := deliveryTable.PrintOne(s, delivery); err != nil {
			return err
		}
		if !delivery.Reason.None() {
			fmt.Fprintln(s.Out, "\nreason:", cli.Cell(delivery.Reason))
		}
		fmt.Fprintln(s.Out)
		return attemptTable.Print(s, attempts)
	})
}

func deliveryRetryCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "retry [DELIVERY] [--endpoint ENDPOINT] [--since TIME]",
		Short: "Send one delivery again, or all failed ones of an endpoint or since a time",
		Long: `Send one delivery again, or all failed ones of an endpoint or since a time.

Each gets a fresh window of attempts, with the endpoint's present URL and secret and the same body. A run that is
still open is replaced. One delivery may also be pending (it is then sent at once) or skipped; --status skipped
chooses all that were, as while an endpoint was disabled.`,
		Example: `emissor delivery retry dlv_01m0xs63awfx890mesn9p6xp5h
emissor delivery retry --endpoint whe_01m0j4g6egf25rj7w21ej02xms --since 2h`,
		Args: cobra.MaximumNArgs(1),
	}
	filter := webhooks.DeliveryFilter{Limit: 10_000}
	flags := command.Flags()
	flags.StringVar(&filter.EndpointID, "endpoint", "", "all failed ones of this endpoint (whe_...)")
	since := flags.String("since", "", "all failed ones of events since then: 2h, 3d, or 2026-11-21T08:00:00Z")
	status := flags.String("status", string(webhooks.DeliveryFailed), "which ones to choose: failed or skipped")
	statuses := []webhooks.DeliveryStatus{webhooks.DeliveryFailed, webhooks.DeliverySkipped}
	cli.CompleteFlag(command, "status", statuses...)
	return cli.CheckedCommand(command, func(args []string) (err error) {
		if filter.Since, err = cli.ParseSince(*since, time.Now()); err != nil {
			return err
		}
		if filter.Status, err = cli.ParseStatus(*status, statuses...); err != nil {
			return err
		}
		switch {
		case len(args) == 1 && (filter.EndpointID != "" || *since != ""):
			return errors.New("name one delivery, or choose with --endpoint and --since, not both")
		case len(args) == 1:
			filter = webhooks.DeliveryFilter{ID: args[0], Limit: 1}
		case filter.EndpointID == "" && *since == "":
			return errors.New("name a delivery, or choose with --endpoint or --since")
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		if err := checkRetryable(ctx, s.Store, filter); err != nil {
			return err
		}
		ids, err := s.Changes.Webhooks.RetryDeliveries(ctx, filter)
		if err != nil {
			return err
		}
		header := fmt.Sprintf("%d DELIVERIES PUT ON THEIR WAY AGAIN", len(ids))
		if len(ids) == filter.Limit && filter.ID == "" {
			header += "; THERE MAY BE MORE: REPEAT THE COMMAND"
		}
		return s.Print(ids, header, cli.Mapped(ids, func(id string) []any { return []any{id} }))
	})
}

// checkRetryable returns an error that says why nothing would be sent.
func checkRetryable(ctx context.Context, db *store.Store, filter webhooks.DeliveryFilter) error {
	if filter.ID == "" && filter.EndpointID == "" {
		return nil
	}
	var delivery webhooks.Delivery
	endpointID, err := filter.EndpointID, error(nil)
	if filter.ID != "" {
		if delivery, _, err = db.Webhooks.Delivery(ctx, filter.ID); err != nil {
			return err
		}
		endpointID = delivery.EndpointID
	}
	to, err := db.Webhooks.Endpoint(ctx, endpointID)
	if err != nil {
		return err
	}
	obstacle := endpoint.ObstacleAt(to)
	if filter.ID != "" {
		obstacle = endpoint.ObstacleOf(delivery, to)
	}
	switch obstacle {
	case endpoint.Delivered:
		return fmt.Errorf("the delivery %s was delivered at %s: there is nothing to send again",
			delivery.ID, delivery.ResolvedAt)
	case endpoint.Forgotten:
		return fmt.Errorf("the event of the delivery %s is so old that its content is no longer kept", delivery.ID)
	case endpoint.Removed:
		return errors.New("the endpoint was removed: nothing can be sent to it")
	case endpoint.Disabled:
		return fmt.Errorf("the endpoint is disabled (%s): enable it first", to.DisabledReason)
	}
	return nil
}
