package operate

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/authorities"
	"emissor/fiscal/cities"
	"emissor/fiscal/national/cityserver"
	"emissor/fiscal/national/cityserver/rules"
	national "emissor/fiscal/national/rules"
)

// ShownServer is a city of the table: its rows, and how the one of today is served.
type ShownServer struct {
	Rows  []CityRow `json:"rows"`
	Today servedNow `json:"today"`
}

// servedNow is how a city is served today: by its row, and else by its family.
type servedNow struct {
	AsksFirst      bool    `json:"asks_first"`
	NotFounds      int     `json:"not_founds"`
	GraceSeconds   float64 `json:"grace_seconds"`
	Rate           float64 `json:"rate"` // calls a second
	LongestSeconds float64 `json:"longest_call_seconds"`
	Cancels        bool    `json:"cancels"`
	TellsOfOthers  bool    `json:"tells_of_others"` // whether the city's server tells of cancellations by others
	OwnCodes       int     `json:"own_codes"`       // of the family, beside the national ones
	Catalogue      string  `json:"catalogue"`
}

func cityShowCommand() *cobra.Command {
	command := cli.NewCommand("show NAME", "Show all that the table has of a city, in words",
		"emissor city show teresina", cobra.ExactArgs(1))
	cli.CompleteArguments(command,
		cobra.FixedCompletions(cities.Current().Names(), cobra.ShellCompDirectiveNoFileComp))
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		rows, err := rowsOfCities(ctx, s)
		if err != nil {
			return err
		}
		shown := ShownServer{Rows: []CityRow{}}
		for _, row := range rows {
			if row.Name == s.Args[0] {
				shown.Rows = append(shown.Rows, row)
			}
		}
		if len(shown.Rows) == 0 {
			return fmt.Errorf("the table of cities has no %q: emissor city list", s.Args[0])
		}
		if shown.Today, err = serverNow(s.Args[0]); err != nil {
			return err
		}
		var lines [][]any
		for _, row := range shown.Rows {
			lines = append(lines, cityRowLines(row)...)
		}
		return s.Print(shown, "WHAT\tVALUE", append(lines, servedLines(shown.Today)...))
	})
}

// serverNow is how the city of a name is served today.
func serverNow(name string) (now servedNow, err error) {
	city, err := cityserver.New(name, cities.Current(), cityserver.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return now, err
	}
	by, _ := authorities.Named(name)
	own := 0
	for _, rule := range by.Catalogue.All() {
		if _, is := by.Catalogue.Own(rule.Code); is {
			own++
		}
	}
	rows, can := cities.Current().OfName(name), city.Capabilities()
	return servedNow{AsksFirst: can.AsksFirst, NotFounds: can.NotFounds, GraceSeconds: can.GracePeriod.Seconds(),
		Rate: city.Rate(), LongestSeconds: city.CallTimeout().Seconds(), Cancels: can.Cancels,
		TellsOfOthers: rules.Families[rows[len(rows)-1].Family].Tells, OwnCodes: own, Catalogue: by.Catalogue.Name(),
	}, nil
}

// cityRowLines are what a row says, in words.
func cityRowLines(r CityRow) [][]any {
	state := "on"
	if !r.On {
		state = "off: " + r.Off
	}
	code := "as in the national system: three digits, where a service has one"
	if r.MunicipalCode != nil {
		code = *r.MunicipalCode + " digits, wanted of each service"
	}
	lines := [][]any{
		{"name", r.Name}, {"city", r.City + " (" + r.MunicipalityCode + ")"}, {"family", r.Family}, {"state", state},
		{"from", r.From}, {"until", cli.OrDash(r.Until)},
		{"production", orNotServed(r.Production)}, {"test", orNotServed(r.Test)},
		{"signature", r.Signature}, {"municipal code (cTribMun)", code},
	}
	means := rules.Quirks().Quirks(r.Family)
	for _, quirk := range slices.Sorted(maps.Keys(r.row.Quirks)) {
		lines = append(lines, []any{"quirk " + quirk, r.row.Quirks[quirk] + ": " + means[quirk].Means})
	}
	return append(lines, []any{"known from", r.Source}, []any{"since table", r.Table}, []any{"", ""})
}

func orNotServed(address *string) string {
	if address == nil {
		return "not served"
	}
	return *address
}

// servedLines are how a city is served today, in words.
func servedLines(now servedNow) [][]any {
	first := "no: what becomes of a number is asked after it was sent"
	if now.AsksFirst {
		first = "yes: a number is asked about before it is sent, and the numbers of a series go one at a time"
	}
	again := fmt.Sprintf("after %d questions that found nothing, each %s after the one before",
		now.NotFounds, inSeconds(now.GraceSeconds))
	cancels := "no: a cancellation is refused here, and made on the city's portal"
	if now.Cancels {
		cancels = "yes"
	}
	others := "not seen: the city's server does not tell of them. Where the city shares its events with the national " +
		"system, those that it distributes (ADN) are"
	if now.TellsOfOthers {
		others = "seen: the city's server is asked about each note"
	}
	codes := fmt.Sprintf("%d of %s, and else those of the national system", now.OwnCodes, now.Catalogue)
	if now.Catalogue == national.Name {
		codes = "those of the national system"
	}
	return [][]any{
		{"asks before sending", first}, {"sends again", again},
		{"calls", fmt.Sprintf("at most %g a second, each of at most %s", now.Rate, inSeconds(now.LongestSeconds))},
		{"cancels", cancels}, {"cancellations by others", others},
		{"codes of answers", codes},
		{"issues", "where its state is on, and EMISSOR_CITIES is true for the workers"},
	}
}

func inSeconds(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).String()
}
