package words

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// Every place of the built-in table has its words in Portuguese.
func TestPlace_EveryBuiltIn(t *testing.T) {
	file, err := os.Open("../../fiscal/national/classification/data/cindop.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for rows := bufio.NewScanner(file); rows.Scan(); {
		row := strings.Split(rows.Text(), "\t")
		if strings.HasPrefix(row[0], "#") || len(row) < 3 || row[2] == "place" {
			continue
		}
		if Portuguese.Place(row[2]) == row[2] || English.Place(row[2]) != row[2] {
			t.Errorf("%q is %q in Portuguese, and %q in English", row[2], Portuguese.Place(row[2]),
				English.Place(row[2]))
		}
	}
}
