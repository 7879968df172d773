package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"emissor/fiscal/authorities"
)

// What authorities differ in is given to statements as arguments, and kept in rows: no
// statement and no migration names one.
func TestSQL_NamesNoAuthority(t *testing.T) {
	sources, err := filepath.Glob("*/*.go")
	must(t, err)
	migrations, err := filepath.Glob("migrations/*.sql")
	must(t, err)
	if len(sources) == 0 || len(migrations) == 0 {
		t.Fatal("nothing is looked at")
	}
	for _, file := range append(sources, migrations...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		content, err := os.ReadFile(file)
		must(t, err)
		for _, name := range authorities.Names() {
			if strings.Contains(string(content), "'"+name+"'") || strings.Contains(string(content), `"`+name+`"`) {
				t.Errorf("%s names the authority %s", file, name)
			}
		}
	}
}
