package company

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/postgres"
)

// register is how commands work with a register of the company: works, or events.
type register[T nfse.Work | nfse.CulturalEvent] struct {
	catalogues.Register[T]
	word, argument string // of a record, and as an argument
	examples       registerExamples
	fields         []string
	explained      map[string]string
	table          cli.Table[catalogues.Registered[T]]

	read  func(map[string]string) (T, []*nfse.Error)
	texts func(T) map[string]string
}

// registerExamples are what the examples of a register's commands are made of.
type registerExamples struct{ group, id, record string }

// of is the example of one of the register's commands.
func (e registerExamples) of(verb, flags string) string {
	return "emissor " + e.group + " " + verb + " --organization org_01m10n7b5xf0stgd3ek65gw866 \\\n  " + flags
}

// placeExplained are the fields of where a work or an event is.
var placeExplained = map[string]string{
	"municipality_code": "IBGE code of its city; none abroad",
	"zip_code":          "zip code of its address in Brazil", "street": "street of its address",
	"number":     "number there",
	"complement": "what completes the address", "district": "district of its address",
	"postal_code": "postal code of an address abroad", "city": "city of an address abroad",
	"region": "state, province or region of an address abroad",
}

var workRegister = register[nfse.Work]{
	Register: catalogues.Works,
	word:     "work", argument: "WORK", examples: registerExamples{"work", "wrk_01m0yf09rfen39krf8sv19nhqn",
		`--name "Edifício Aurora" --registration 900012345678 --municipality 3304557`},
	fields: catalogue.WorkFields,
	explained: map[string]string{
		"name": "what people call it", "registration": "its CNO or CEI, 12 digits",
		"cib":                "its number in the Brazilian register of property, 8 characters",
		"property_number":    "its number at the city, if it has one",
		"technical_document": "the engineer's ART, RRT or DRT, if there is one",
	},
	table: cli.Table[catalogues.Registered[nfse.Work]]{Header: "WORK\tNAME\tCNO OR CEI\tCIB\tCITY\tCLOSED",
		Row: func(r catalogues.Registered[nfse.Work]) []any {
			return []any{r.ID, cli.Shorten(r.Record.Name), r.Record.Registration, r.Record.CIB, r.Record.MunicipalityCode,
				cli.OrDash(r.ClosedAt)}
		}},
	read: catalogue.ReadWork, texts: catalogue.TextsOfWork,
}

var culturalEventRegister = register[nfse.CulturalEvent]{
	Register: catalogues.CulturalEvents,
	word:     "event", argument: "EVENT", examples: registerExamples{"cultural-event", "occ_01m15yrnetftsayp45f2d67dg8",
		`--name "Festa Junina" --from 2027-06-12 --through 2027-06-13 --identification 7 --municipality 3304557`},
	fields: catalogue.CulturalEventFields,
	explained: map[string]string{
		"name": "its name, as notes state it", "from": "its first day, as 2026-11-20", "through": "its last day",
		"identification": "by which the city knows it, in place of an address",
	},
	table: cli.Table[catalogues.Registered[nfse.CulturalEvent]]{Header: "EVENT\tNAME\tFROM\tTHROUGH\tCITY\tCLOSED",
		Row: func(r catalogues.Registered[nfse.CulturalEvent]) []any {
			return []any{r.ID, cli.Shorten(r.Record.Name), r.Record.From, r.Record.Through, r.Record.MunicipalityCode,
				cli.OrDash(r.ClosedAt)}
		}},
	read: catalogue.ReadCulturalEvent, texts: catalogue.TextsOfCulturalEvent,
}

func WorkCommand() *cobra.Command {
	return cli.CommandGroup("work", "Keep the register of construction works that notes refer to",
		workRegister.addCommand(), workRegister.listCommand(), workRegister.setCommand(), workRegister.closeCommand())
}

func CulturalEventCommand() *cobra.Command {
	return cli.CommandGroup("cultural-event", "Keep the register of events that notes of services of item 12 refer to",
		culturalEventRegister.addCommand(), culturalEventRegister.listCommand(), culturalEventRegister.setCommand(),
		culturalEventRegister.closeCommand())
}

// flags adds a flag for every field of a record, as flagsOf does.
func (r register[T]) flags(command *cobra.Command) func() map[string]string {
	explained := maps.Clone(placeExplained)
	maps.Copy(explained, r.explained)
	return flagsOf(command, r.fields, explained)
}

// flagsOf adds a flag for every field. What is called returns those that were given.
func flagsOf(command *cobra.Command, fields []string, explained map[string]string) func() map[string]string {
	values := map[string]*string{}
	for _, field := range fields {
		values[field] = command.Flags().String(FlagOf(field), "", explained[field])
	}
	return func() map[string]string {
		given := map[string]string{}
		for field, value := range values {
			if command.Flags().Changed(FlagOf(field)) {
				given[field] = *value
			}
		}
		return given
	}
}

func FlagOf(field string) string {
	if field == "municipality_code" {
		return "municipality"
	}
	return strings.ReplaceAll(field, "_", "-")
}

// record reads a record from its texts; its error names the flag.
func (r register[T]) record(texts map[string]string) (record T, err error) {
	record, problems := r.read(texts)
	return record, atFlags(problems)
}

// atFlags names the flags of wrong fields.
func atFlags(problems []*nfse.Error) (err error) {
	for _, problem := range problems {
		err = errors.Join(err, cli.Usage("--%s %s", FlagOf(problem.Field), problem.Message))
	}
	return err
}

// known says of a record that is not on record whose it is not.
func (r register[T]) known(err error, scope nfse.Scope, id string) error {
	switch {
	case errors.Is(err, catalogues.ErrNotRegistered):
		return fmt.Errorf("the organization has no %s %s %s", nfse.Environment(scope.Livemode), r.word, id)
	case errors.Is(err, catalogues.ErrClosed):
		return fmt.Errorf("the %s %s is closed", r.word, id)
	}
	return err
}

func (r register[T]) addCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "add --organization ORG --name NAME ...",
		Short:   "Put one into the register",
		Example: r.examples.of("add", r.examples.record),
		Args:    cobra.NoArgs,
	}
	organization, environment := cli.OrganizationFlag(command), liveUnlessSaid(command)
	given := r.flags(command)
	var record T
	return cli.CheckedCommand(command, func([]string) (err error) {
		record, err = r.record(given())
		return err
	}, func(ctx context.Context, s *cli.CommandRun) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		added, err := r.Add(ctx, s.Changes.Catalogues, scope, record)
		if err != nil {
			return err
		}
		return r.table.PrintOne(s, added)
	})
}

func (r register[T]) listCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "list --organization ORG [--all]",
		Short:   "List those that notes may refer to, newest first; with --all the closed ones too",
		Example: r.examples.of("list", "--all"),
		Args:    cobra.NoArgs,
	}
	organization, environment := cli.OrganizationFlag(command), liveUnlessSaid(command)
	all := command.Flags().Bool("all", false, "also those that are closed")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		records, page := []catalogues.Registered[T]{}, postgres.Page{Limit: registerPage}
		for more := true; more; {
			var next []catalogues.Registered[T]
			if next, more, err = r.List(ctx, s.Store.Catalogues, scope, !*all, page); err != nil {
				return err
			}
			if records = append(records, next...); more {
				page.After = next[len(next)-1].ID
			}
		}
		return r.table.Print(s, records)
	})
}

// registerPage is how many records are read at once.
const registerPage = 500

func (r register[T]) setCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "set " + r.argument + " --organization ORG ...",
		Short:   "Change what is on record; notes keep what they took, and those that wait take the change",
		Example: r.examples.of("set "+r.examples.id, r.examples.record),
		Args:    cobra.ExactArgs(1),
	}
	organization, environment := cli.OrganizationFlag(command), liveUnlessSaid(command)
	given := r.flags(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		before, err := r.One(ctx, s.Store.Catalogues, scope, s.Args[0])
		if err != nil {
			return r.known(err, scope, s.Args[0])
		}
		texts := r.texts(before.Record)
		maps.Copy(texts, given())
		record, err := r.record(texts)
		if err != nil {
			return err
		}
		if err := r.Set(ctx, s.Changes.Catalogues, scope, before.ID, record, nfse.VersionOf(before.Record)); err != nil {
			return r.known(err, scope, before.ID)
		}
		return r.printed(ctx, s, scope, before.ID)
	})
}

func (r register[T]) closeCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "close " + r.argument + " --organization ORG",
		Short:   "End that notes refer to it, for good; notes that have it keep it",
		Example: r.examples.of("close "+r.examples.id, "--environment live"),
		Args:    cobra.ExactArgs(1),
	}
	organization, environment := cli.OrganizationFlag(command), liveUnlessSaid(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		if err := r.Close(ctx, s.Changes.Catalogues, scope, s.Args[0]); err != nil {
			return r.known(err, scope, s.Args[0])
		}
		return r.printed(ctx, s, scope, s.Args[0])
	})
}

func (r register[T]) printed(ctx context.Context, s *cli.CommandRun, scope nfse.Scope, id string) error {
	now, err := r.One(ctx, s.Store.Catalogues, scope, id)
	if err != nil {
		return err
	}
	return r.table.PrintOne(s, now)
}
