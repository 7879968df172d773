package fact

import (
	"embed"
	"maps"
	"slices"
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
	for _, file := range codeTables() {
		for _, row := range tsv.Must(tables, file) {
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
	for _, row := range tsv.Must(tables, wordsTable) {
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

// codeTables are the tables of codes.
func codeTables() []string {
	return slices.DeleteFunc(tsv.Files(tables), func(file string) bool { return file == wordsTable })
}

// Codes returns all codes, in order.
func Codes() []Code { return slices.Sorted(maps.Keys(texts())) }

// Names returns the names of the arguments in a code's texts, in order; nil for a code that is
// in no table.
func (c Code) Names() []string { return holes(texts()[c].english) }
