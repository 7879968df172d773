package main

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/received"
)

func eventsCommand() *cobra.Command {
	return commandGroup("events", "Look at what happened to notes outside, at the authority",
		eventsStatusCommand(), eventsListCommand(), eventsShowCommand(), eventsDocumentsCommand(),
		eventsRescanCommand())
}

var distributionTable = table[received.Distribution]{
	"ISSUER\tENVIRONMENT\tPOSITION\tLAST SUCCESS\tTAKEN\tOTHER SERIES\tPROBLEM",
	func(d received.Distribution) []any {
		return []any{d.TaxID, nfse.EnvironmentName(d.Production), d.Position, orDash(d.SucceededAt), d.Taken, d.Other,
			orDash(orNone(d.Problem.English()))}
	},
}

func eventsStatusCommand() *cobra.Command {
	command := newCommand("status [--organization ORG]",
		"Show of each issuer how far the authority was asked, when, and why it is not",
		"emissor events status --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := organizationFilter(command)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		distributions, err := s.store.Received.Distributions(ctx, *organization)
		return distributionTable.show(s, distributions, err)
	})
}

var externalEventTable = table[received.ExternalEvent]{
	"ID\tHAPPENED\tISSUER\tENVIRONMENT\tEVENT\tWHAT\tNOTE\tOUTCOME",
	func(e received.ExternalEvent) []any {
		outcome := "-"
		switch {
		case !e.Problem.None():
			outcome = "NOT APPLIED: " + e.Problem.English()
		case !e.Outcome.None():
			outcome = e.Outcome.English()
		case e.NoteID != nil:
			outcome = fact.EffectToCome.Fact().English()
		}
		return []any{e.ID, orDash(e.HappenedAt), e.TaxID, nfse.EnvironmentName(e.Production), orDash(e.Type),
			e.Title.English(), orDash(e.NoteID), outcome}
	},
}

func eventsListCommand() *cobra.Command {
	command := newCommand("list [--organization ORG] [--note NOTE] [--flagged]",
		"List what happened outside, newest first",
		`emissor events list --note nfse_01m0w44f10fsyspwgt3r335dyf
emissor events list --flagged --json`, cobra.NoArgs)
	var filter received.ExternalEventFilter
	organization := organizationFilter(command)
	command.Flags().StringVar(&filter.NoteID, "note", "", "only of this note (nfse_...)")
	command.Flags().BoolVar(&filter.Flagged, "flagged", false,
		"only what is not applied, because it cannot be read or its signature does not verify")
	command.Flags().IntVar(&filter.Limit, "limit", 100, "the most rows")
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		filter.OrganizationID = *organization
		events, err := s.store.Received.ExternalEvents(ctx, filter)
		return externalEventTable.show(s, events, err)
	})
}

func eventsShowCommand() *cobra.Command {
	command := newCommand("show EVENT", "Show an event, with the authority's own document",
		"emissor events show 1204", cobra.ExactArgs(1))
	var id int64
	return checkedCommand(command, func(args []string) (err error) {
		if id, err = strconv.ParseInt(args[0], 10, 64); err != nil {
			return errors.New("an event is named by its number, as `emissor events list` shows it")
		}
		return nil
	}, func(ctx context.Context, s *commandRun) error {
		event, content, err := s.store.Received.ExternalEvent(ctx, id)
		if err != nil {
			return err
		}
		if s.json {
			return s.print(struct {
				received.ExternalEvent
				Content string `json:"content"`
			}{event, string(content)}, "", nil)
		}
		if err := externalEventTable.printOne(s, event); err != nil {
			return err
		}
		return s.printf("\naccess key  %s\nposition    %d\nreason      %s\n\n%s\n",
			cell(event.AccessKey), event.Position, cell(orDash(event.ReasonText)), string(content))
	})
}

var externalDocumentTable = table[received.ExternalDocument]{
	"RECEIVED\tISSUER\tENVIRONMENT\tSERIES\tNUMBER\tACCESS KEY\tNOTE\tPROVED BY",
	func(d received.ExternalDocument) []any {
		return []any{d.ReceivedAt, d.TaxID, nfse.EnvironmentName(d.Production), d.Series, d.Number, d.AccessKey,
			orDash(d.NoteID), orDash(d.LinkedBy)}
	},
}

func eventsDocumentsCommand() *cobra.Command {
	command := newCommand("documents [--organization ORG]",
		"List documents of series that are numbered here which are not on record, as after a restore",
		"emissor events documents --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := organizationFilter(command)
	limit := command.Flags().Int("limit", 100, "the most rows")
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		documents, err := s.store.Received.ExternalDocuments(ctx, *organization, *limit)
		return externalDocumentTable.show(s, documents, err)
	})
}

func eventsRescanCommand() *cobra.Command {
	command := newCommand("rescan --organization ORG",
		"Read again from the beginning what happened outside; what is on record stays, and nothing is done twice",
		"emissor events rescan --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := organizationFlag(command)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		rescanned, err := s.changes.Received.RescanEvents(ctx, *organization)
		if err != nil {
			return err
		}
		if s.json {
			return s.print(rescanned, "", nil)
		}
		for _, d := range rescanned {
			if err := s.printf("%s (%s) is read again from the beginning; it had come to %d\n", d.TaxID,
				nfse.EnvironmentName(d.Production), d.Position); err != nil {
				return err
			}
		}
		return nil
	})
}
