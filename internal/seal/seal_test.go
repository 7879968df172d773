package seal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"emissor/internal/seal"
)

func newSealer(t *testing.T) *seal.Sealer {
	t.Helper()
	keyset, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := seal.New(keyset)
	if err != nil {
		t.Fatal(err)
	}
	return sealer
}

func TestSealer_OpensForItsOwnerOnly(t *testing.T) {
	sealer := newSealer(t)
	sealed, err := sealer.Seal([]byte("whsec_secret"), "org_a", "whe_1")
	if err != nil || bytes.Contains(sealed, []byte("whsec")) {
		t.Fatalf("%q %v", sealed, err)
	}
	if opened, err := sealer.Unseal(sealed, "org_a", "whe_1"); err != nil || string(opened) != "whsec_secret" {
		t.Errorf("%s %v", opened, err)
	}
	for _, owner := range [][]string{{"org_b", "whe_1"}, {"org_a", "whe_2"}, {"org_awhe_1"}, {"org_a", "whe_1", ""},
		nil} {
		if _, err := sealer.Unseal(sealed, owner...); err == nil {
			t.Errorf("it opens for %q", owner)
		}
	}
	if _, err := newSealer(t).Unseal(sealed, "org_a", "whe_1"); err == nil {
		t.Error("it opens with another keyset")
	}
	sealed[len(sealed)-1] ^= 1
	if _, err := sealer.Unseal(sealed, "org_a", "whe_1"); err == nil {
		t.Error("a changed secret opens")
	}
}

func TestSealer_KeysetFromFileOrText(t *testing.T) {
	keyset, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "keyset.json")
	if err := os.WriteFile(file, keyset, 0o600); err != nil {
		t.Fatal(err)
	}
	fromFile, err := seal.Open(seal.Source{File: file})
	if err != nil {
		t.Fatal(err)
	}
	fromText, err := seal.Open(seal.Source{Text: string(keyset)})
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := fromFile.Seal([]byte("x"), "a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fromText.Unseal(sealed, "a"); err != nil {
		t.Error(err)
	}
}

func TestSealer_WithoutKeyset(t *testing.T) {
	sealer, err := seal.Open(seal.Source{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sealer.Seal([]byte("x")); !errors.Is(err, seal.ErrNoKeyset) {
		t.Error(err)
	}
	if _, err := sealer.Unseal([]byte("x")); !errors.Is(err, seal.ErrNoKeyset) {
		t.Error(err)
	}
}

func TestSealer_BadKeyset(t *testing.T) {
	for _, text := range []string{"hunter2", "{}", `{"primaryKeyId":1,"key":[]}`} {
		if _, err := seal.New([]byte(text)); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := seal.Open(seal.Source{File: filepath.Join(t.TempDir(), "absent")}); err == nil {
		t.Error("an absent file is a keyset")
	}
}
