package operate

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/authorities"
	"emissor/fiscal/description"
	"emissor/nfse"
	"emissor/store/operate"
)

// serverStatus is how the servers of an authority do, by our own calls.
type serverStatus struct {
	Authority    string                    `json:"authority"`
	Name         string                    `json:"name"`
	On           bool                      `json:"on"`
	Environments []operate.AuthorityStatus `json:"environments"` // with calls of the last day, or notes that wait
}

// ServerStatuses are how the servers of all authorities do.
type ServerStatuses struct {
	Since       nfse.Timestamp `json:"since"` // since when calls are counted
	Authorities []serverStatus `json:"authorities"`
}

func cityStatusCommand() *cobra.Command {
	command := cli.NewCommand("status", "Say how the servers of cities and of the other authorities do, by the calls of "+
		"our own notes",
		"emissor city status --json", cobra.NoArgs)
	command.Long = command.Short + `.

Calls are counted as answered / not delivered / unknown: answered is every answer that was understood, a refusal too;
of what was not delivered nothing reached the authority; of what is unknown no answer came, or none that says what
became of it. Calls that are under way are not counted. How long they took is said of those that were answered. Nothing
is called by this command.`
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		statuses, since, err := s.Store.Operate.AuthorityStatuses(ctx)
		if err != nil {
			return err
		}
		all := ServerStatuses{Since: since, Authorities: []serverStatus{}}
		for _, by := range authorities.All() {
			all.Authorities = append(all.Authorities, statusOf(by, statuses))
		}
		return all.print(s)
	})
}

func statusOf(by description.Authority, statuses []operate.AuthorityStatus) serverStatus {
	status := serverStatus{Authority: by.Name, Name: by.English, On: by.Off == "",
		Environments: []operate.AuthorityStatus{}}
	for _, one := range statuses {
		if one.Authority == by.Name {
			status.Environments = append(status.Environments, one)
		}
	}
	return status
}

const statusHeader = "AUTHORITY\tSTATE\tENVIRONMENT\tLAST HOUR\tLAST DAY\tMEDIAN\t95 %\tLAST ANSWER\t" +
	"LAST FAILURE\tWHY\tHELD\tIN DOUBT"

func (a ServerStatuses) print(s *cli.CommandRun) error {
	var rows [][]any
	for _, one := range a.Authorities {
		if len(one.Environments) == 0 {
			rows = append(rows, []any{one.Authority, onOrOff(one.On), "-", "-", "-", "-", "-", "-", "-", "-", 0, 0})
		}
		for _, of := range one.Environments {
			rows = append(rows, []any{one.Authority, onOrOff(one.On), nfse.EnvironmentName(of.Production),
				callWords(of.Hour), callWords(of.Day), tookWords(of.Median), tookWords(of.Percentile95),
				cli.OrDash(of.LastAnswered), cli.OrDash(of.LastFailed), cli.OrDash(cli.OrNone(of.Failure.English())), of.Held,
				of.InDoubt})
		}
	}
	if err := s.Print(a, statusHeader, rows); err != nil {
		return err
	}
	return s.Printf("\nCalls since %s, as answered / not delivered / unknown.\n", a.Since)
}

func callWords(count operate.CallCount) string {
	return fmt.Sprintf("%d / %d / %d", count.Answered, count.NotDelivered, count.Unknown)
}

// tookWords is a time in milliseconds, in words.
func tookWords(milliseconds *float64) string {
	if milliseconds == nil {
		return "-"
	}
	return (time.Duration(*milliseconds) * time.Millisecond).String()
}
