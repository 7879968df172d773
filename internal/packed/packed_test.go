package packed_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"emissor/internal/packed"
)

// What was packed with a version is read with it, in ten years too.
func TestDictionary_NeverChanges(t *testing.T) {
	text, err := os.ReadFile("dictionary1.txt")
	if err != nil {
		t.Fatal(err)
	}
	const first = "9660d60db71e5f48f5df1b8c4f381c41dca0f8b85ab66c528ae31f2db1f5d925"
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != first {
		t.Errorf("dictionary1.txt was changed: its SHA-256 is %x. Add another version instead", sum)
	}
}

// Any bytes come back as they were, with and without certificates, and say which dictionary made them.
func TestDictionary_AnyBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		certificates := rapid.SliceOf(rapid.Byte()).Draw(t, "certificates")
		id := rapid.Uint32Range(packed.FirstOwnID, 1<<31).Draw(t, "id")
		dictionary, err := packed.NewDictionary(id, packed.Latest, certificates)
		if err != nil {
			t.Fatal(err)
		}
		plain := rapid.OneOf(rapid.SliceOf(rapid.Byte()),
			rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) })).Draw(t, "plain")
		checkReturns(t, dictionary, id, plain)
	})
}

// Every stored sample of the authorities does too.
func TestDictionary_Samples(t *testing.T) {
	const shared = "../../../shared"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the authorities' samples are not on this machine: ", err)
	}
	samples := 0
	err := filepath.WalkDir(shared, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".xml" {
			return err
		}
		plain, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		samples++
		const id = packed.FirstOwnID + 7
		dictionary, err := packed.NewDictionary(id, packed.Latest, packed.Certificates(plain))
		if err != nil {
			return err
		}
		checkReturns(t, dictionary, id, plain)
		return nil
	})
	if err != nil || samples == 0 {
		t.Errorf("%d samples: %v", samples, err)
	}
}

type failing interface {
	Helper()
	Errorf(string, ...any)
	Fatal(...any)
}

func checkReturns(t failing, dictionary *packed.Dictionary, id uint32, plain []byte) {
	t.Helper()
	stored, err := dictionary.Pack(plain)
	if err != nil {
		t.Fatal(err)
	}
	if len(plain) == 0 {
		if len(stored) != 0 {
			t.Errorf("nothing became %d bytes", len(stored))
		}
		return
	}
	if !packed.Is(stored) || packed.Size(stored[:min(len(stored), packed.HeadBytes)], len(stored)) != len(plain) {
		t.Errorf("%d bytes are %d, or are no frame", len(plain), packed.Size(stored, len(stored)))
	}
	if made, err := packed.DictionaryOf(stored); err != nil || made != id {
		t.Errorf("they say dictionary %d: %v", made, err)
	}
	back, err := dictionary.Unpack(stored)
	if err != nil || !bytes.Equal(back, plain) {
		t.Errorf("%d bytes came back as %d: %v", len(plain), len(back), err)
	}
}

// Bytes that were cut or changed are an error, or fail their digest elsewhere; they never end the process.
func TestDictionary_Broken(t *testing.T) {
	dictionary, err := packed.Version(packed.Latest)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := dictionary.Pack(bytes.Repeat([]byte("<xNome>Clínica São José</xNome>"), 50))
	if err != nil {
		t.Fatal(err)
	}
	for end := range stored {
		if _, err := dictionary.Unpack(stored[:end]); err == nil && end > 0 {
			t.Errorf("the first %d of %d bytes are read", end, len(stored))
		}
	}
	other, err := packed.NewDictionary(packed.FirstOwnID, packed.Latest, []byte("other"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Unpack(stored); err == nil {
		t.Error("another dictionary reads them")
	}
	if _, err := packed.NewDictionary(1, packed.Latest+1, nil); err == nil {
		t.Error("a version that there is not is a dictionary")
	}
}

// A dictionary of the same number with other certificates, as another database may have it, makes no other document.
func TestDictionary_SameNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		certificate := rapid.StringMatching(`[A-Za-z0-9+/]{200}`)
		one, two := certificate.Draw(t, "one"), certificate.Draw(t, "two")
		plain := []byte("<X509Certificate>" + one + "</X509Certificate>")
		of := func(certificates string) *packed.Dictionary {
			dictionary, err := packed.NewDictionary(packed.FirstOwnID, packed.Latest, []byte(certificates))
			if err != nil {
				t.Fatal(err)
			}
			return dictionary
		}
		stored, err := of(one).Pack(plain)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := of(two).Unpack(stored); err == nil && !bytes.Equal(other, plain) {
			t.Fatalf("%s is read as %s", plain, other)
		}
	})
}

func TestCertificates(t *testing.T) {
	for document, want := range map[string]string{
		"":                      "",
		"<a>no certificate</a>": "",
		"<X509Certificate>MIIa": "",
		"<ds:X509Certificate>MIIa</ds:X509Certificate><X509Certificate>MIIb</X509Certificate>": "MIIaMIIb",
	} {
		if found := packed.Certificates([]byte(document)); string(found) != want {
			t.Errorf("%s: %q", document, found)
		}
	}
}
