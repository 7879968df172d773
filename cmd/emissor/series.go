package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emissor/company"
	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/saopaulo"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
)

func seriesCommand() *cobra.Command {
	group := commandGroup("series", "Look at series whose numbers must not be sent twice, and let held ones go on",
		seriesListCommand(), seriesCheckCommand(), seriesReleaseCommand())
	group.Long = `Look at series whose numbers must not be sent twice, and let held ones go on.

The city of São Paulo cancels the note of a number that is sent again, and makes another one. So a number is asked about
before it is sent, and a series is held, with all notes that wait for it, when one was sent twice all the same (alert
217), or when the database may be a copy of before (restored, or just started) and a number is used that it knows
nothing of. When a series is held:

  emissor series list      says why, and since when
  emissor note show NOTE   says what happened to the note that the reason names
  emissor series check     asks the city which numbers are used, and by which of its notes
  emissor series release   lets notes go on, once a person knows what became of each

docs/operations.md, The city of São Paulo, has what to look at before.`
	return group
}

// printedSeries is a series as commands show it.
type printedSeries struct {
	store.Series
	Environment string `json:"environment"`
	Held        bool   `json:"held"`
}

var seriesTable = table[printedSeries]{
	"AUTHORITY\tENVIRONMENT\tDOCUMENT\tREGISTRATION\tSERIES\tASKED ABOUT\tUSED\tASKED\tHELD SINCE\tHELD FOR",
	func(s printedSeries) []any {
		asked := "-"
		if s.AskedFrom != nil && s.AskedThrough != nil {
			asked = fmt.Sprintf("%d to %d", *s.AskedFrom, *s.AskedThrough)
		}
		return []any{s.Authority, s.Environment, s.TaxID, s.Registration, s.Series.Series, asked, len(s.UsedNumbers),
			orDash(s.AskedAt), orDash(s.HeldAt), orDash(orNone(s.HeldReason.English()))}
	},
}

func seriesListCommand() *cobra.Command {
	command := newCommand("list [--organization ORG]",
		"List series under which something was sent, what the authority said of their numbers, and why one is held",
		cobra.NoArgs)
	organization := organizationFilter(command)
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		all, err := s.store.AllSeries(ctx, *organization)
		if err != nil {
			return err
		}
		return seriesTable.print(s, mapped(all, func(one store.Series) printedSeries {
			return printedSeries{one, company.Environment(one.Production), !one.HeldReason.None()}
		}))
	})
}

// checkedNumber is a number of a series that is used at the authority, or not done
// here.
type checkedNumber struct {
	Number   int64  `json:"number"`
	State    string `json:"state"`    // at the authority: free, used or unknown
	Document string `json:"document"` // the number of the authority's document, where it says it
	NoteID   string `json:"note_id"`  // of ours that has taken the number
	Here     string `json:"here"`     // what is on record of that
}

var checkedNumberTable = table[checkedNumber]{
	"NUMBER\tAT THE CITY\tITS NOTE\tOUR NOTE\tWHICH IS",
	func(n checkedNumber) []any {
		dash := func(text string) string { return orDash(orNone(text)) }
		return []any{n.Number, n.State, dash(n.Document), dash(n.NoteID), dash(n.Here)}
	},
}

func seriesCheckCommand() *cobra.Command {
	command := newCommand("check --organization ORG",
		"Ask the city which of the next numbers are used, and of those whose outcome is open; nothing is changed",
		cobra.NoArgs)
	command.Long = `Ask the city which numbers of the organization's series are used: the next 50 from the next one on,
and those of notes whose outcome is open. Nothing is changed. The command needs EMISSOR_SAO_PAULO_URL and the keyset,
as the worker has them. A used number that none of our notes has taken belongs to another program, or to a note of
ours that a restored backup does not know.`
	organization := organizationFlag(command)
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		profile, err := s.store.FiscalProfile(ctx, *organization)
		if err != nil {
			return err
		}
		if by, _ := authorities.Named(profile.Authority); !by.TakesTurns {
			return fmt.Errorf("the organization issues by the authority %s, which takes a number once and for all: "+
				"there is nothing to check", profile.Authority)
		}
		authority, err := s.saoPaulo()
		if err != nil {
			return err
		}
		credentials, err := s.credentials(ctx, profile)
		if err != nil {
			return err
		}
		check := seriesCheck{session: s, authority: authority, profile: profile,
			asked: fiscal.Session{Production: profile.Production, Credentials: credentials}}
		if err := check.ask(ctx); err != nil {
			return err
		}
		return check.print(ctx)
	})
}

// seriesCheck is what the city says of a series.
type seriesCheck struct {
	*session
	authority *saopaulo.Authority
	profile   nfse.FiscalProfile
	asked     fiscal.Session

	from, through int64 // the next numbers
	open          []int64
	numbers       fiscal.Numbers // of all that was asked about
}

// mostOpen are the most numbers with an open outcome that are asked about.
const mostOpen = 1000

func (c *seriesCheck) ask(ctx context.Context) (err error) {
	if c.from, err = c.store.NextNumber(ctx, c.profile); err != nil {
		return err
	}
	most := c.authority.MaxNumbers()
	c.through = min(c.from+int64(most)-1, c.authority.Capabilities().GreatestNumber)
	open, err := c.store.OpenNumbers(ctx, c.profile, mostOpen)
	if err != nil {
		return err
	}
	c.open = mapped(open, func(taken store.TakenNumber) int64 { return taken.Number })
	questions := slices.Collect(slices.Chunk(c.open, most))
	var next []int64
	for number := c.from; number <= c.through; number++ {
		next = append(next, number)
	}
	if len(next) > 0 { // else no number is left
		questions = append(questions, next)
	}
	c.numbers.Documents = map[int64]string{}
	for _, some := range questions {
		said := c.authority.FindNumbers(ctx, c.asked, c.profile, some)
		if len(said.Free)+len(said.Used) == 0 {
			return errors.New("the city did not say which numbers are used: " + said.Reason.English())
		}
		c.numbers.Free = append(c.numbers.Free, said.Free...)
		c.numbers.Used = append(c.numbers.Used, said.Used...)
		for number, document := range said.Documents {
			c.numbers.Documents[number] = document
		}
		if !said.Reason.None() {
			c.numbers.Reason = said.Reason
		}
	}
	return nil
}

// shown are the numbers that somebody has to know of: used, unknown or open.
func (c *seriesCheck) shown(ctx context.Context) ([]checkedNumber, error) {
	var numbers []int64
	for number := c.from; number <= c.through; number++ {
		if !slices.Contains(c.numbers.Free, number) {
			numbers = append(numbers, number)
		}
	}
	numbers = append(slices.Clone(c.open), numbers...)
	ours, err := c.store.TakenNumbers(ctx, c.profile, numbers)
	return mapped(numbers, func(number int64) checkedNumber {
		one := checkedNumber{Number: number, State: "unknown", Document: c.numbers.Documents[number]}
		switch {
		case slices.Contains(c.numbers.Used, number):
			one.State = "used"
		case slices.Contains(c.numbers.Free, number):
			one.State = "free"
		}
		if i := slices.IndexFunc(ours, func(t store.TakenNumber) bool { return t.Number == number }); i >= 0 {
			one.NoteID, one.Here = ours[i].NoteID, string(ours[i].State)
		}
		return one
	}), err
}

func (c *seriesCheck) print(ctx context.Context) error {
	shown, err := c.shown(ctx)
	if err != nil {
		return err
	}
	held, err := c.store.SeriesHeld(ctx, c.profile)
	if err != nil {
		return err
	}
	if c.json {
		return c.session.print(struct {
			Authority   string          `json:"authority"`
			Environment string          `json:"environment"`
			Series      int             `json:"series"`
			From        int64           `json:"from"` // the next numbers
			Through     int64           `json:"through"`
			Numbers     []checkedNumber `json:"numbers"` // used, unknown or open
			Unknown     fact.Fact       `json:"unknown"` // why some are
			HeldReason  fact.Fact       `json:"held_reason"`
		}{c.profile.Authority, company.Environment(c.profile.Production), c.profile.Series, c.from, c.through, shown,
			c.numbers.Reason, held}, "", nil)
	}
	free := 0
	for number := c.from; number <= c.through; number++ {
		if slices.Contains(c.numbers.Free, number) {
			free++
		}
	}
	lines := []string{fmt.Sprintf("Series %d of registration %s: of the next numbers, %d to %d, the city says that %d "+
		"are free.", c.profile.Series, orNothing(c.profile.MunicipalRegistration), c.from, c.through, free)}
	if !c.numbers.Reason.None() {
		lines = append(lines, "Of some it did not say: "+c.numbers.Reason.English()+".")
	}
	if !held.None() {
		lines = append(lines, "The series is held: "+held.English()+".")
	}
	if err := c.printf("%s\n", strings.Join(lines, "\n")); err != nil || len(shown) == 0 {
		return err
	}
	if err := c.printf("\n"); err != nil {
		return err
	}
	return checkedNumberTable.print(c.session, shown)
}

func seriesReleaseCommand() *cobra.Command {
	command := newCommand("release --organization ORG [--series SERIES] [--yes]",
		"Let notes be sent under a held series again; without --yes only say what that does", cobra.NoArgs)
	command.Long = `Let notes be sent under a held series again, because a person has looked; without --yes only say
what that does.

Nothing that was sent is sent again by this. Notes that wait for the series go on: each asks the city about its number
first. A free one is sent; one that is used counts as another program's from now on, also after a restore, and the note
takes the next one. So find out before whose each used number is: emissor series check.`
	organization := organizationFlag(command)
	series := command.Flags().Int("series", 0, "the series, where several of the organization are held")
	yes := command.Flags().Bool("yes", false, "really release it")
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		held, err := heldSeries(ctx, s, *organization, *series)
		if err != nil {
			return err
		}
		if *yes {
			if err := s.changes.ReleaseSeries(ctx, profileOfSeries(*organization, held)); err != nil {
				return err
			}
		}
		if s.json {
			return s.print(struct {
				Released bool `json:"released"` // false: nothing was, because --yes was not said
				printedSeries
			}{*yes, printedSeries{held, company.Environment(held.Production), !*yes}}, "", nil)
		}
		heading := "NOTHING WAS RELEASED. This is what --yes releases:"
		if *yes {
			heading = "RELEASED:"
		}
		return s.printf("%s\n\nSeries %d of registration %s (%s, %s), held since %s: %s.\n\n"+
			"The notes that wait for it go on: each asks about its number first. A number that is used counts as "+
			"another program's: it is left alone, and the note takes the next one.\n", heading, held.Series,
			held.Registration, held.Authority, company.Environment(held.Production), held.HeldAt, held.HeldReason)
	})
}

// heldSeries finds the organization's held series; the number says which, where there
// are several.
func heldSeries(ctx context.Context, s *session, organizationID string, number int) (store.Series, error) {
	if _, err := s.store.Organization(ctx, organizationID); err != nil {
		return store.Series{}, err
	}
	all, err := s.store.AllSeries(ctx, organizationID)
	if err != nil {
		return store.Series{}, err
	}
	held := slices.DeleteFunc(all, func(one store.Series) bool {
		return one.HeldReason.None() || number != 0 && one.Series != number
	})
	switch {
	case len(held) == 0 && number != 0:
		return store.Series{}, fmt.Errorf("the series %d of the organization is not held", number)
	case len(held) == 0:
		return store.Series{}, errors.New("no series of the organization is held")
	case len(held) > 1:
		numbers := mapped(held, func(one store.Series) string { return fmt.Sprint(one.Series) })
		return store.Series{}, errors.New("several series of the organization are held, say which by --series: " +
			strings.Join(numbers, ", "))
	}
	return held[0], nil
}

// profileOfSeries names a series as profiles do.
func profileOfSeries(organizationID string, one store.Series) nfse.FiscalProfile {
	return nfse.FiscalProfile{OrganizationID: organizationID, Authority: one.Authority, Production: one.Production,
		TaxID: one.TaxID, MunicipalRegistration: &one.Registration, Series: one.Series}
}
