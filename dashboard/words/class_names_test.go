package words_test

import (
	"testing"

	"emissor/dashboard/words"
	"emissor/fiscal/national/classification"
)

// Every name of ours in the built-in table has the official words in Portuguese.
func TestClassName_EveryOne(t *testing.T) {
	tables := classification.NewSource(nil, nil).Editions().On("2026-11-22")
	named := 0
	for _, row := range tables.ClassTribs() {
		if row.Name == "" {
			continue
		}
		named++
		if words.Portuguese.ClassName(row.Name) == row.Name {
			t.Errorf("%s has no words in Portuguese: %s", row.Code, row.Name)
		}
	}
	if named == 0 {
		t.Error("no name was looked at")
	}
}
