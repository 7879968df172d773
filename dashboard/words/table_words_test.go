package words

import (
	"os"
	"strings"
	"testing"
)

// Every place and kind in the built-in tables of cIndOp, and every kind of taxation, is said in both languages.
func TestTableWords_EveryOne(t *testing.T) {
	for _, table := range []string{"cindop", "cindop-sao-paulo", "cst"} {
		file, err := os.ReadFile("../../fiscal/national/classification/data/" + table + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		var columns []string
		for line := range strings.Lines(string(file)) {
			cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			switch {
			case strings.HasPrefix(line, "#"):
				continue
			case columns == nil:
				columns = cells
				continue
			}
			for i, column := range columns {
				if column != "name" && column != "place" {
					continue
				}
				said++
				if Portuguese.TableWords(cells[i]) == cells[i] || English.TableWords(cells[i]) != cells[i] {
					t.Errorf("%s: %q is %q in Portuguese, and %q in English", table, cells[i],
						Portuguese.TableWords(cells[i]), English.TableWords(cells[i]))
				}
			}
		}
		if said < 12 {
			t.Errorf("%s: %d names were looked at", table, said)
		}
	}
}
