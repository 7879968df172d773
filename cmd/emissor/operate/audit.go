package operate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/store/audit"
)

func AuditCommand() *cobra.Command {
	return cli.CommandGroup("audit", "Look at who changed what, when and from where",
		auditListCommand(), auditPruneCommand())
}

var auditTable = cli.Table[audit.Entry]{
	Header: "TIME\tACTOR\tFROM\tACTION\tSUBJECT\tORGANIZATION\tCHANGE",
	Row: func(e audit.Entry) []any {
		return []any{e.At, string(e.Actor.Kind) + " " + e.Actor.ID, e.Actor.From, e.Action, e.SubjectID,
			cli.OrDash(e.OrganizationID), cmp.Or(difference(e), "-")}
	},
}

func auditListCommand() *cobra.Command {
	command := cli.NewCommand("list", "List entries of the audit log, newest first",
		`emissor audit list --since 3d --action key
emissor audit list --subject key_01m116ranrf85bnbmzg0nt4vfm --json`, cobra.NoArgs)
	var filter audit.Filter
	organization := cli.OrganizationFilter(command)
	flags := command.Flags()
	flags.StringVar(&filter.ActorID, "actor", "", "only by this user (usr_...), key (key_...) or operating-system user")
	flags.StringVar(&filter.Action, "action", "", "only this action, as key.revoke, or all of a kind, as key")
	cli.CompleteFlag(command, "action", slices.Concat(actionKinds(), audit.Actions)...)
	flags.StringVar(&filter.SubjectID, "subject", "", "only of what has this id")
	since := flags.String("since", "", "only since then: 2h, 3d, or 2026-11-21T08:00:00Z")
	until := flags.String("until", "", "only before then, likewise")
	flags.StringVar(&filter.After, "starting-after", "", "only what is older than this entry (aud_...)")
	flags.IntVar(&filter.Limit, "limit", 100, "the most rows")
	return cli.CheckedCommand(command, func([]string) (err error) {
		if err := CheckAction(filter.Action); err != nil {
			return err
		}
		if filter.Limit < 1 {
			return cli.Usage("--limit must be 1 or more")
		}
		if filter.After != "" && !nfse.IsID(nfse.PrefixAuditEntry, filter.After) {
			return cli.Usage("--starting-after must be the id of an entry (aud_...)")
		}
		now := time.Now()
		if filter.Since, err = cli.ParseSince(*since, now); err != nil {
			return err
		}
		if filter.Until, err = cli.ParseSince(*until, now); err != nil {
			return errors.New(strings.Replace(err.Error(), "--since", "--until", 1))
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		filter.OrganizationID = *organization
		entries, more, err := s.Store.Audit.Log(ctx, filter)
		if err != nil {
			return err
		}
		if more {
			fmt.Fprintf(command.ErrOrStderr(), "the list ends at --limit %d: go on with --starting-after %s\n",
				filter.Limit, entries[len(entries)-1].ID)
		}
		return auditTable.Print(s, entries)
	})
}

// CheckAction refuses what is neither an action nor a kind of actions.
func CheckAction(action string) error {
	kinds := actionKinds()
	given := audit.Action(action)
	if action == "" || slices.Contains(audit.Actions, given) || slices.Contains(kinds, given) {
		return nil
	}
	return cli.Usage("--action must be an action or one of the kinds %s",
		strings.Join(cli.Mapped(kinds, func(kind audit.Action) string { return string(kind) }), ", "))
}

// actionKinds are what actions are about, as key of key.revoke, sorted.
func actionKinds() []audit.Action {
	kinds := map[audit.Action]bool{}
	for _, action := range audit.Actions {
		kind, _, _ := strings.Cut(string(action), ".")
		kinds[audit.Action(kind)] = true
	}
	return slices.Sorted(maps.Keys(kinds))
}

// difference lists what changed of a record, for people: name: before → after.
func difference(entry audit.Entry) string {
	var changes []string
	for _, change := range entry.Changes() {
		switch from, to := change.From.String(), change.To.String(); {
		case from == "":
			changes = append(changes, change.Name+": "+to)
		case to == "":
			changes = append(changes, change.Name+": "+from)
		default:
			changes = append(changes, change.Name+": "+from+" → "+to)
		}
	}
	return strings.Join(changes, "; ")
}

// leastAuditAge is how old an entry must be before the schema lets it be deleted.
const leastAuditAge = 365 * 24 * time.Hour

func auditPruneCommand() *cobra.Command {
	const batch = 10_000
	command := &cobra.Command{
		Use:   "prune --older-than AGE",
		Short: "Delete old entries of the audit log; that is an entry too",
		Long: `Delete old entries of the audit log; that is an entry too.

It needs the database role that migrates: no other may delete entries. The schema lets none go that is younger than
a year.`,
		Example: "emissor audit prune --older-than 1826d",
		Args:    cobra.NoArgs,
	}
	olderThan := cli.RequiredFlag(command, "older-than", "age in days, as 1826d (five years); 366d at least")
	var age time.Duration
	return cli.CheckedCommand(command, func([]string) error {
		now := time.Now()
		moment, err := cli.ParseSince(*olderThan, now)
		if age = now.Sub(moment); err != nil || *olderThan == "" || age <= leastAuditAge {
			return cli.Usage("--older-than must be an age as 1826d, of 366d or more")
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		pruned := 0
		for {
			n, err := s.Changes.Audit.PruneLog(ctx, age, batch)
			if err != nil {
				return err
			}
			if pruned += n; n < batch {
				break
			}
		}
		return s.Print(map[string]int{"pruned": pruned}, fmt.Sprintf("%d ENTRIES WERE DELETED", pruned), nil)
	})
}
