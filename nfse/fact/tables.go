package fact

import (
	"embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"emissor/internal/tsv"
)

//go:embed *.tsv
var tables embed.FS

// text is a template in each language: {name} is replaced by an argument, {name:kind} by the
// word for it in words. What follows | is the detail, which pages show below the name of a
// step.
type text struct{ portuguese, english string }

// texts holds the texts of every code, by the tables. Tests read them all, so what is wrong with a table is seen there.
var texts = sync.OnceValue(func() map[Code]text {
	all := map[Code]text{}
	for _, file := range tableFiles() {
		for _, row := range rows(file, 3) {
			code := Code(row[0])
			if _, twice := all[code]; twice {
				panic("fact: the code " + row[0] + " is there twice")
			}
			all[code] = text{row[1], row[2]}
		}
	}
	return all
})

// wordsTable has words in place of codes.
const wordsTable = "words.tsv"

// words are what texts show for values of one kind, such as the name of a call. A value that
// is missing here is shown as it is.
var words = sync.OnceValue(func() map[string]map[string]text {
	all := map[string]map[string]text{}
	for _, row := range rows(wordsTable, 4) {
		if all[row[0]] == nil {
			all[row[0]] = map[string]text{}
		}
		all[row[0]][row[1]] = text{row[2], row[3]}
	}
	for part, word := range all["detail_part"] {
		all["detail"][part] = word
		for owner, whose := range all["detail_owner"] {
			all["detail"][owner+"."+part] = text{word.portuguese + " (" + whose.portuguese + ")",
				word.english + " (" + whose.english + ")"}
		}
	}
	return all
})

// tableFiles are the tables of codes.
func tableFiles() (files []string) {
	entries, err := tables.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		if entry.Name() != wordsTable {
			files = append(files, entry.Name())
		}
	}
	return files
}

func rows(file string, columns int) [][]string {
	table, err := tables.ReadFile(file)
	if err != nil {
		panic(err)
	}
	all := tsv.Rows(string(table))
	for _, row := range all {
		if len(row) != columns || slices.Contains(row, "") {
			panic("fact: " + file + ": a row has other cells than the columns: " + strings.Join(row, ", "))
		}
	}
	return all
}

// Codes returns all codes, in order.
func Codes() []Code { return slices.Sorted(maps.Keys(texts())) }

// Names returns the names of the arguments in a code's texts, in order; nil for a code that is
// in no table.
func (c Code) Names() []string { return holes(texts()[c].english) }
