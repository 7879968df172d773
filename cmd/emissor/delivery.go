package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/nfse"
	"emissor/store"
)

func deliveryCommand() *cobra.Command {
	command := &cobra.Command{Use: "delivery", Short: "Look at webhook deliveries and send failed ones again"}
	command.AddCommand(deliveryListCommand(), deliveryShowCommand(), deliveryRetryCommand())
	return command
}

func printDeliveries(command *cobra.Command, out output, value any, deliveries []store.Delivery) error {
	header := "ID\tENVIRONMENT\tEVENT\tNOTE\tENDPOINT\tSTATUS\tATTEMPTS\tNEXT ATTEMPT\tLAST PROBLEM"
	return out.print(command.OutOrStdout(), value, header, func(add func(...any)) {
		for _, d := range deliveries {
			add(d.ID, d.Environment(), d.EventType, d.NoteID, d.EndpointID, d.Status, d.Attempts, orDash(d.NextAttemptAt), orDash(d.LastProblem))
		}
	})
}

func printAttempts(command *cobra.Command, out output, value any, attempts []nfse.DeliveryAttempt) error {
	return out.print(command.OutOrStdout(), value, "STARTED\tTOOK\tSTATUS\tPROBLEM\tANSWER", func(add func(...any)) {
		for _, a := range attempts {
			add(a.StartedAt, time.Duration(a.DurationMS)*time.Millisecond, orDash(a.Status), orDash(a.Problem), shorten(a.Answer))
		}
	})
}

func deliveryListCommand() *cobra.Command {
	var out output
	var filter store.DeliveryFilter
	var status, since string
	command := &cobra.Command{
		Use:   "list",
		Short: "List deliveries, newest first",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) (err error) {
			if filter.Status, err = parseDeliveryStatus(status); err != nil {
				return err
			}
			if filter.Since, err = parseSince(since, time.Now()); err != nil {
				return err
			}
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				deliveries, err := s.Deliveries(ctx, filter)
				if err != nil {
					return err
				}
				return printDeliveries(command, out, deliveries, deliveries)
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&status, "status", "", "pending, delivered, failed or skipped")
	flags.StringVar(&filter.EndpointID, "endpoint", "", "only to this endpoint (whe_...)")
	flags.StringVar(&since, "since", "", "only of events since then: 2h, 3d, or 2026-11-21T08:00:00Z")
	flags.IntVar(&filter.Limit, "limit", 100, "the most rows")
	return out.flag(command)
}

func deliveryShowCommand() *cobra.Command {
	var out output
	return out.flag(&cobra.Command{
		Use:   "show DELIVERY",
		Short: "Show a delivery and every attempt of it",
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				delivery, attempts, err := s.Delivery(ctx, args[0])
				if err != nil {
					return err
				}
				value := struct {
					store.Delivery
					Attempts []nfse.DeliveryAttempt `json:"attempt_log"`
				}{delivery, attempts}
				if out.json {
					return out.print(command.OutOrStdout(), value, "", nil)
				}
				if err := printDeliveries(command, out, nil, []store.Delivery{delivery}); err != nil {
					return err
				}
				if delivery.Reason != nil {
					fmt.Fprintln(command.OutOrStdout(), "\nreason:", *delivery.Reason)
				}
				fmt.Fprintln(command.OutOrStdout())
				return printAttempts(command, out, nil, attempts)
			})
		},
	})
}

func deliveryRetryCommand() *cobra.Command {
	var out output
	filter := store.DeliveryFilter{Limit: 10_000}
	var since, status string
	command := &cobra.Command{
		Use:   "retry [DELIVERY] [--endpoint ENDPOINT] [--since TIME]",
		Short: "Send one delivery again, or all failed ones of an endpoint or since a time",
		Long: "Send one delivery again, or all failed ones of an endpoint or since a time.\n\n" +
			"Each gets a fresh window of attempts, with the endpoint's present URL and secret and the same body. A run that is still open is replaced.\n" +
			"One delivery may also be pending (it is then sent at once) or skipped; --status skipped chooses all that were, as while an endpoint was disabled.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) (err error) {
			if filter.Since, err = parseSince(since, time.Now()); err != nil {
				return err
			}
			if filter.Status = store.DeliveryStatus(status); filter.Status != store.DeliveryFailed && filter.Status != store.DeliverySkipped {
				return errors.New("--status must be failed or skipped")
			}
			switch {
			case len(args) == 1 && (filter.EndpointID != "" || since != ""):
				return errors.New("name one delivery, or choose with --endpoint and --since, not both")
			case len(args) == 1:
				filter = store.DeliveryFilter{ID: args[0], Limit: 1}
			case filter.EndpointID == "" && since == "":
				return errors.New("name a delivery, or choose with --endpoint or --since")
			}
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				if err := checkRetried(ctx, s, filter); err != nil {
					return err
				}
				ids, err := s.RetryDeliveries(ctx, filter)
				if err != nil {
					return err
				}
				header := fmt.Sprintf("%d DELIVERIES PUT ON THEIR WAY AGAIN", len(ids))
				if len(ids) == filter.Limit && filter.ID == "" {
					header += "; THERE MAY BE MORE: REPEAT THE COMMAND"
				}
				return out.print(command.OutOrStdout(), ids, header, func(add func(...any)) {
					for _, id := range ids {
						add(id)
					}
				})
			})
		},
	}
	command.Flags().StringVar(&filter.EndpointID, "endpoint", "", "all failed ones of this endpoint (whe_...)")
	command.Flags().StringVar(&since, "since", "", "all failed ones of events since then: 2h, 3d, or 2026-11-21T08:00:00Z")
	command.Flags().StringVar(&status, "status", string(store.DeliveryFailed), "which ones to choose: failed or skipped")
	return out.flag(command)
}

// checkRetried says clearly why nothing would be sent.
func checkRetried(ctx context.Context, s *store.Store, filter store.DeliveryFilter) error {
	endpointID := filter.EndpointID
	if filter.ID != "" {
		delivery, _, err := s.Delivery(ctx, filter.ID)
		if err != nil {
			return err
		}
		if delivery.Status == store.DeliveryDelivered {
			return nfse.NewError(nfse.CodeInvalidRequest, "delivery", "the delivery %s was delivered at %s: there is nothing to send again", delivery.ID, delivery.ResolvedAt)
		}
		endpointID = delivery.EndpointID
	}
	if endpointID == "" {
		return nil
	}
	endpoint, err := s.Endpoint(ctx, endpointID)
	switch {
	case err != nil:
		return err
	case endpoint.DeletedAt != nil:
		return errors.New("the endpoint was removed: nothing can be sent to it")
	case endpoint.DisabledAt != nil:
		return fmt.Errorf("the endpoint is disabled (%s): enable it first", *endpoint.DisabledReason)
	}
	return nil
}

func parseDeliveryStatus(s string) (store.DeliveryStatus, error) {
	switch status := store.DeliveryStatus(s); status {
	case "", store.DeliveryPending, store.DeliveryDelivered, store.DeliveryFailed, store.DeliverySkipped:
		return status, nil
	}
	return "", errors.New("--status must be pending, delivered, failed or skipped")
}
