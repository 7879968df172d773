package rotation

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"emissor/internal/seal"
	"emissor/store/operate"
)

// rotatedSealer is a sealer of two keys, of which the second one seals. older seals with
// the first.
func rotatedSealer(t *testing.T) (older, sealer *seal.Sealer) {
	t.Helper()
	file := seal.File{Path: filepath.Join(t.TempDir(), "keyset.json")}
	open := func() *seal.Sealer {
		t.Helper()
		sealer, err := seal.Open(seal.Source{File: file.Path})
		if err != nil {
			t.Fatal(err)
		}
		return sealer
	}
	if err := file.Create(); err != nil {
		t.Fatal(err)
	}
	older = open()
	err := file.Change(func(keyset *seal.Keyset) error {
		id, err := keyset.AddKey()
		return errors.Join(err, keyset.MakePrimary(id))
	})
	if err != nil {
		t.Fatal(err)
	}
	return older, open()
}

// someSecrets are sealed secrets, of which one does something bad when it is written.
type someSecrets struct {
	secrets []operate.SealedSecret
	bad     func(context.Context) error // of the second one; nil once it is mended
	written []string
}

func (s *someSecrets) SealedUnder(
	_ context.Context, _ operate.KeyIDs, place string, _ int,
) (found []operate.SealedSecret, err error) {
	for _, secret := range s.secrets {
		if secret.Place() > place {
			found = append(found, secret)
		}
	}
	return found, nil
}

func (s *someSecrets) Reseal(ctx context.Context, secret operate.SealedSecret, _ []byte) (bool, error) {
	if secret.ID == "crt_2" && s.bad != nil {
		if err := s.bad(ctx); err != nil {
			return false, err
		}
	}
	s.written = append(s.written, secret.ID)
	return true, nil
}

// One secret that cannot be sealed again stops no other, and rests for a while.
func TestReseal_OneSecretFails(t *testing.T) {
	t.Parallel()
	older, sealer := rotatedSealer(t)
	for name, bad := range map[string]func(context.Context) error{
		"fails":          func(context.Context) error { return errors.New("bad") },
		"panics":         func(context.Context) error { panic("bad") },
		"takes for ever": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			secrets := &someSecrets{bad: bad}
			for _, id := range []string{"crt_1", "crt_2", "crt_3"} {
				sealed, err := older.Seal([]byte("secret"), "org_1", id)
				if err != nil {
					t.Fatal(err)
				}
				secrets.secrets = append(secrets.secrets, operate.SealedSecret{Table: "certificates", Column: "sealed",
					OrganizationID: "org_1", ID: id, Sealed: sealed})
			}
			resealing := newResealing(secrets, sealer)
			resealing.longest = 10 * time.Millisecond
			run := func() resealed {
				t.Helper()
				result, err := resealing.run(t.Context(), 0)
				if err != nil {
					t.Fatal(err)
				}
				return result
			}
			result := run()
			if result.done != 2 || len(result.failed) != 1 || result.failed[0].place != "certificates crt_2 sealed" ||
				!slices.Equal(secrets.written, []string{"crt_1", "crt_3"}) {
				t.Errorf("done is %+v, written are %v", result, secrets.written)
			}
			if result := run(); len(result.failed) > 0 {
				t.Error("it is tried again at once")
			}
			secrets.bad = nil
			resealing.resting.Remove("crt_2 sealed") // as after its pause
			secrets.written = nil
			if run(); !slices.Contains(secrets.written, "crt_2") {
				t.Errorf("once it is mended, written are %v", secrets.written)
			}
		})
	}
}
