package operate

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/received"
)

func EventsCommand() *cobra.Command {
	return cli.CommandGroup("events", "Look at what happened to notes outside, at the authority",
		eventsStatusCommand(), eventsListCommand(), eventsShowCommand(), eventsDocumentsCommand(),
		eventsRescanCommand())
}

var distributionTable = cli.Table[received.Distribution]{
	Header: "ISSUER\tENVIRONMENT\tPOSITION\tLAST SUCCESS\tTAKEN\tOTHER SERIES\tPROBLEM",
	Row: func(d received.Distribution) []any {
		return []any{d.TaxID, nfse.EnvironmentName(d.Production), d.Position, cli.OrDash(d.SucceededAt), d.Taken, d.Other,
			cli.OrDash(cli.OrNone(d.Problem.English()))}
	},
}

func eventsStatusCommand() *cobra.Command {
	command := cli.NewCommand("status [--organization ORG]",
		"Show of each issuer how far the authority was asked, when, and why it is not",
		"emissor events status --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := cli.OrganizationFilter(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		distributions, err := s.Store.Received.Distributions(ctx, *organization)
		return distributionTable.Show(s, distributions, err)
	})
}

var externalEventTable = cli.Table[received.ExternalEvent]{
	Header: "ID\tHAPPENED\tISSUER\tENVIRONMENT\tEVENT\tWHAT\tNOTE\tOUTCOME",
	Row: func(e received.ExternalEvent) []any {
		outcome := "-"
		switch {
		case !e.Problem.None():
			outcome = "NOT APPLIED: " + e.Problem.English()
		case !e.Outcome.None():
			outcome = e.Outcome.English()
		case e.NoteID != nil:
			outcome = fact.EffectToCome.Fact().English()
		}
		return []any{e.ID, cli.OrDash(e.HappenedAt), e.TaxID, nfse.EnvironmentName(e.Production), cli.OrDash(e.Type),
			e.Title.English(), cli.OrDash(e.NoteID), outcome}
	},
}

func eventsListCommand() *cobra.Command {
	command := cli.NewCommand("list [--organization ORG] [--note NOTE] [--flagged]",
		"List what happened outside, newest first",
		`emissor events list --note nfse_01m0w44f10fsyspwgt3r335dyf
emissor events list --flagged --json`, cobra.NoArgs)
	var filter received.ExternalEventFilter
	organization := cli.OrganizationFilter(command)
	command.Flags().StringVar(&filter.NoteID, "note", "", "only of this note (nfse_...)")
	command.Flags().BoolVar(&filter.Flagged, "flagged", false,
		"only what is not applied, because it cannot be read or its signature does not verify")
	command.Flags().IntVar(&filter.Limit, "limit", 100, "the most rows")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		filter.OrganizationID = *organization
		events, err := s.Store.Received.ExternalEvents(ctx, filter)
		return externalEventTable.Show(s, events, err)
	})
}

func eventsShowCommand() *cobra.Command {
	command := cli.NewCommand("show EVENT", "Show an event, with the authority's own document",
		"emissor events show 1204", cobra.ExactArgs(1))
	var id int64
	return cli.CheckedCommand(command, func(args []string) (err error) {
		if id, err = strconv.ParseInt(args[0], 10, 64); err != nil {
			return errors.New("an event is named by its number, as `emissor events list` shows it")
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		event, content, err := s.Store.Received.ExternalEvent(ctx, id)
		if err != nil {
			return err
		}
		if s.Json {
			return s.Print(struct {
				received.ExternalEvent
				Content string `json:"content"`
			}{event, string(content)}, "", nil)
		}
		if err := externalEventTable.PrintOne(s, event); err != nil {
			return err
		}
		return s.Printf("\naccess key  %s\nposition    %d\nreason      %s\n\n%s\n",
			cli.Cell(event.AccessKey), event.Position, cli.Cell(cli.OrDash(event.ReasonText)), string(content))
	})
}

var externalDocumentTable = cli.Table[received.ExternalDocument]{
	Header: "RECEIVED\tISSUER\tENVIRONMENT\tSERIES\tNUMBER\tACCESS KEY\tNOTE\tPROVED BY",
	Row: func(d received.ExternalDocument) []any {
		return []any{d.ReceivedAt, d.TaxID, nfse.EnvironmentName(d.Production), d.Series, d.Number, d.AccessKey,
			cli.OrDash(d.NoteID), cli.OrDash(d.LinkedBy)}
	},
}

func eventsDocumentsCommand() *cobra.Command {
	command := cli.NewCommand("documents [--organization ORG]",
		"List documents of series that are numbered here which are not on record, as after a restore",
		"emissor events documents --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := cli.OrganizationFilter(command)
	limit := command.Flags().Int("limit", 100, "the most rows")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		documents, err := s.Store.Received.ExternalDocuments(ctx, *organization, *limit)
		return externalDocumentTable.Show(s, documents, err)
	})
}

func eventsRescanCommand() *cobra.Command {
	command := cli.NewCommand("rescan --organization ORG",
		"Read again from the beginning what happened outside; what is on record stays, and nothing is done twice",
		"emissor events rescan --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := cli.OrganizationFlag(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		rescanned, err := s.Changes.Received.RescanEvents(ctx, *organization)
		if err != nil {
			return err
		}
		if s.Json {
			return s.Print(rescanned, "", nil)
		}
		for _, d := range rescanned {
			if err := s.Printf("%s (%s) is read again from the beginning; it had come to %d\n", d.TaxID,
				nfse.EnvironmentName(d.Production), d.Position); err != nil {
				return err
			}
		}
		return nil
	})
}
