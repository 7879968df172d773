package reference

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNational(t *testing.T) {
	t.Run("IsInTheFolderOfTheVariable", func(t *testing.T) {
		dir := t.TempDir()
		t.Setenv(nationalVariable, dir)
		file := filepath.Join(dir, "table.tsv")
		if err := os.WriteFile(file, []byte("code\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if found := National(t, "table.tsv"); found != file {
			t.Errorf("found at %s", found)
		}
		if content := ReadNational(t, "table.tsv"); string(content) != "code\n" {
			t.Errorf("read %q", content)
		}
	})
	t.Run("IsOtherwiseBesideTheRepository", func(t *testing.T) {
		t.Setenv(nationalVariable, "")
		root, err := filepath.Abs("../..")
		if err != nil {
			t.Fatal(err)
		}
		if found := folder("national", nationalVariable); found != filepath.Join(filepath.Dir(root), "shared",
			"national") {
			t.Errorf("expected in %s", found)
		}
	})
	t.Run("SkipsWhereItIsMissing", func(t *testing.T) {
		counted := filepath.Join(t.TempDir(), "skipped")
		t.Setenv(skippedVariable, counted)
		t.Setenv(nationalVariable, t.TempDir())
		skipped := false
		t.Run("missing", func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			National(t, "table.tsv")
		})
		if !skipped {
			t.Error("a test went on without a file that is not there")
		}
		if names, err := os.ReadFile(counted); err != nil || string(names) != t.Name()+"/missing\n" {
			t.Errorf("counted %q, %v", names, err)
		}
	})
}

func TestSaoPaulo_IsInTheFolderOfTheVariable(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(saoPauloVariable, dir)
	if err := os.WriteFile(filepath.Join(dir, "errors.tsv"), []byte("code\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found := SaoPaulo(t, "errors.tsv"); found != filepath.Join(dir, "errors.tsv") {
		t.Errorf("found at %s", found)
	}
}
