package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emissor/seal"
	"emissor/store"
)

func keysetStatusCommand() *cobra.Command {
	command := newCommand("status", "Show the keys, what each sealed, which process holds which, and the next step",
		cobra.NoArgs)
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		file, err := s.keysetFile(ctx)
		if err != nil {
			return err
		}
		keyset, err := file.Read()
		if err != nil {
			return err
		}
		r, err := s.readRotation(ctx, keyset.Keys())
		if err != nil {
			return err
		}
		return r.print(s)
	})
}

func keysetRotateCommand() *cobra.Command {
	command := newCommand("rotate", "Take the next step of a rotation of the keyset", cobra.NoArgs)
	command.Long = `Take the next step of a rotation of the keyset. Processes run on meanwhile.

  1. A new key is added to the file of EMISSOR_KEYSET_FILE. It opens, but does not seal yet.
  2. Once every running process holds it, it becomes the primary key, which seals.
  3. What older keys sealed is sealed anew (running processes do so in the background as well).
  4. Once nothing is sealed under the older keys and every process seals with the new one, they are removed.

Each run takes one step, or says for what it is too early. Processes read the file every ten seconds; where they have
copies of it, copy it after each step. Keep the keyset from before as long as backups of the database from before.`
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		file, err := s.keysetFile(ctx)
		if err != nil {
			return err
		}
		var done string
		err = file.Change(func(keyset *seal.Keyset) error {
			r, err := s.readRotation(ctx, keyset.Keys())
			if err != nil {
				return err
			}
			if done, err = r.step(ctx, s, keyset); err != nil {
				return err
			}
			return s.changes.KeysetRotated(ctx, numbers(r.keys.IDs()), numbers(keyset.Keys().IDs()), done)
		})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(s.out, done)
		return err
	})
}

// keysetFile is the file that a rotation changes.
func (s *session) keysetFile(ctx context.Context) (seal.File, error) {
	if s.config.KeysetFile == "" {
		return seal.File{}, errors.New("EMISSOR_KEYSET_FILE is not set: only a keyset in a file can be rotated")
	}
	kek, err := s.config.kek(ctx)
	return seal.File{Path: s.config.KeysetFile, KEK: kek}, err
}

// rotation is where a rotation stands. It is kept nowhere: the keys in the file,
// what is sealed under each and what the processes report say it.
type rotation struct {
	keys    seal.Keys
	counts  map[int64]int // of the secrets that each key sealed
	reports []store.KeysetReport
}

func (s *session) readRotation(ctx context.Context, keys seal.Keys) (r rotation, err error) {
	r.keys = keys
	if r.counts, err = s.store.CountSealed(ctx); err != nil {
		return r, err
	}
	r.reports, err = s.store.KeysetReports(ctx)
	return r, err
}

// step takes the next step and says what was done.
func (r rotation) step(ctx context.Context, s *session, keyset *seal.Keyset) (done string, err error) {
	newest, older := r.keys.Newest(), r.keys.BeforePrimary()
	switch {
	case len(r.keys) == 1:
		added, err := keyset.AddKey()
		return fmt.Sprintf("added the key %d, which does not seal yet; "+
			"run the command again when every process holds it (`emissor keyset status`)", added), err
	case r.keys.Primary() != newest:
		if without := processesWithout(r.reports, newest); len(without) > 0 {
			return "", fmt.Errorf("too early: the key %d is not held yet by %s", newest, strings.Join(without, ", "))
		}
		return fmt.Sprintf("the key %d is the primary key now; "+
			"run the command again to seal anew what older keys sealed", newest), keyset.MakePrimary(newest)
	case r.sealedUnder(older) > 0:
		return resealAll(ctx, s, older)
	}
	if late := r.processesBehind(); len(late) > 0 {
		return "", fmt.Errorf("too early: %s may still seal with an older key than %d",
			strings.Join(late, ", "), newest)
	}
	return fmt.Sprintf("removed %s: nothing is sealed under it any more. The rotation is complete", keyNames(older)),
		keyset.Remove(older...)
}

func resealAll(ctx context.Context, s *session, older []seal.KeyID) (done string, err error) {
	sealer, err := s.config.sealer(ctx)
	if err != nil {
		return "", err
	}
	result, err := newResealing(s.store, sealer).run(ctx, 0)
	for _, failure := range result.failed {
		err = errors.Join(err, fmt.Errorf("%s: %w", failure.place, failure.err))
	}
	if err != nil {
		return "", err
	}
	if len(result.closed) > 0 {
		return "", fmt.Errorf("%d secrets were sealed anew; these do not open with the keyset, and keep %s from being "+
			"removed: %s", result.done, keyNames(older), strings.Join(result.closed, ", "))
	}
	return fmt.Sprintf("%d secrets were sealed anew; run the command again to remove %s",
		result.done, keyNames(older)), nil
}

// processesBehind are those that may still seal with an older key than the newest.
func (r rotation) processesBehind() []string {
	return processesWhere(r.reports, func(report store.KeysetReport) bool {
		return report.PrimaryKeyID != int64(r.keys.Newest())
	})
}

func (r rotation) sealedUnder(keys []seal.KeyID) (count int) {
	for _, key := range keys {
		count += r.counts[int64(key)]
	}
	return count
}

// next says what the next step is, or waits for.
func (r rotation) next() string {
	newest, older := r.keys.Newest(), r.keys.BeforePrimary()
	switch {
	case len(r.keys) == 1:
		return "nothing: no rotation is under way"
	case r.keys.Primary() != newest && len(processesWithout(r.reports, newest)) > 0:
		return fmt.Sprintf("wait until every process holds the key %d", newest)
	case r.keys.Primary() != newest:
		return fmt.Sprintf("`emissor keyset rotate` makes the key %d the primary one", newest)
	case r.sealedUnder(older) > 0:
		return "`emissor keyset rotate` seals anew what older keys sealed; the processes do so as well"
	case len(r.processesBehind()) > 0:
		return fmt.Sprintf("wait until every process seals with the key %d", newest)
	}
	return "`emissor keyset rotate` removes " + keyNames(older)
}

// printedKeyset is the status as it is printed.
type printedKeyset struct {
	Keys      []printedKeysetKey     `json:"keys"`
	Processes []printedKeysetProcess `json:"processes"`
	Next      string                 `json:"next"`
}

type printedKeysetKey struct {
	ID      seal.KeyID `json:"id"`
	Primary bool       `json:"primary"`
	Secrets int        `json:"secrets"`
}

type printedKeysetProcess struct {
	Process    string  `json:"process"`
	Keys       []int64 `json:"keys"`
	Primary    int64   `json:"primary"`
	ReportedAt string  `json:"reported_at"`
}

func (r rotation) print(s *session) error {
	printed := printedKeyset{Next: r.next(), Processes: []printedKeysetProcess{}}
	var rows [][]any
	for _, key := range r.keys {
		state := "opens"
		if key.Primary {
			state = "seals (primary)"
		}
		printed.Keys = append(printed.Keys, printedKeysetKey{key.ID, key.Primary, r.counts[int64(key.ID)]})
		rows = append(rows, []any{"key", key.ID, state, fmt.Sprintf("%d secrets", r.counts[int64(key.ID)])})
	}
	for _, report := range r.reports {
		printed.Processes = append(printed.Processes,
			printedKeysetProcess{report.Process, report.KeyIDs, report.PrimaryKeyID, report.ReportedAt.String()})
		holds := strings.Trim(fmt.Sprint([]int64(report.KeyIDs)), "[]")
		rows = append(rows, []any{"process", report.Process, "holds " + holds,
			fmt.Sprintf("primary %d, reported %s", report.PrimaryKeyID, report.ReportedAt)})
	}
	if err := s.print(printed, "WHAT\tNAME\tSTATE\tMORE", rows); err != nil {
		return err
	}
	return s.printf("\nNext: %s.\n", printed.Next)
}

// keyNames names keys.
func keyNames(keys []seal.KeyID) string {
	names := mapped(slices.Clone(keys), func(key seal.KeyID) string { return fmt.Sprint(key) })
	if len(names) == 1 {
		return "the key " + names[0]
	}
	return "the keys " + strings.Join(names, ", ")
}
