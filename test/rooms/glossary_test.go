package rooms

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

const glossaryPath = "../../docs/glossary.md"

// glossaryEntry is a row of the glossary's table.
type glossaryEntry struct {
	word, meaning string
	unused        []string // words that occur in no identifier of the product
}

// codeWord is a word in code within a column.
var codeWord = regexp.MustCompile("`([^`]+)`")

func glossary(t *testing.T) (entries []glossaryEntry) {
	t.Helper()
	text, err := os.ReadFile(glossaryPath)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| Word |") {
			continue
		}
		columns := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(columns) != 4 {
			t.Fatalf("a row has %d columns: %s", len(columns), line)
		}
		entry := glossaryEntry{word: strings.TrimSpace(columns[0]), meaning: strings.TrimSpace(columns[1])}
		for _, found := range codeWord.FindAllStringSubmatch(columns[3], -1) {
			entry.unused = append(entry.unused, found[1])
		}
		entries = append(entries, entry)
	}
	if len(entries) < 80 {
		t.Fatalf("the glossary has only %d entries", len(entries))
	}
	return entries
}

func TestGlossary_SortedWithMeanings(t *testing.T) {
	last := ""
	for _, entry := range glossary(t) {
		if word := strings.ToLower(entry.word); word <= last {
			t.Errorf("%q stands behind %q", entry.word, last)
		} else {
			last = word
		}
		if !strings.HasSuffix(entry.meaning, ".") {
			t.Errorf("%q has no sentence for its meaning", entry.word)
		}
	}
}

// The words that the glossary says are not used occur in no identifier that the product
// declares, alone or as a part.
func TestGlossary_UnusedWords(t *testing.T) {
	instead := map[string]string{}
	for _, entry := range glossary(t) {
		for _, word := range entry.unused {
			instead[word] = entry.word
		}
	}
	if len(instead) < 5 {
		t.Fatalf("the glossary names only %d words that are not used", len(instead))
	}
	declarations := 0
	for _, path := range productSources(t) {
		for _, name := range declaredIn(t, path) {
			declarations++
			for _, word := range wordsOf(name) {
				if other, unused := instead[word]; unused {
					t.Errorf("%s: %s has the word %q: see %q in docs/glossary.md", path, name, word, other)
				}
			}
		}
	}
	if declarations < 10_000 {
		t.Fatalf("only %d declarations were read", declarations)
	}
}

// notProduct are the folders of tests and development; so is one whose name ends in
// "test" or "simulator".
var notProduct = []string{"dev", "test"}

func productSources(t *testing.T) (paths []string) {
	t.Helper()
	const root = "../.."
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(name, ".") || slices.Contains(notProduct, name) ||
			strings.HasSuffix(name, "test") || strings.HasSuffix(name, "simulator")):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// declaredIn lists the identifiers that a file declares.
func declaredIn(t *testing.T, path string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	add := func(identifiers ...*ast.Ident) {
		for _, identifier := range identifiers {
			names = append(names, identifier.Name)
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			add(node.Name)
		case *ast.TypeSpec:
			add(node.Name)
		case *ast.ValueSpec:
			add(node.Names...)
		case *ast.Field:
			add(node.Names...)
		case *ast.AssignStmt:
			for _, assigned := range node.Lhs {
				if identifier, ok := assigned.(*ast.Ident); ok && node.Tok == token.DEFINE {
					add(identifier)
				}
			}
		case *ast.RangeStmt:
			for _, assigned := range []ast.Expr{node.Key, node.Value} {
				if identifier, ok := assigned.(*ast.Ident); ok && node.Tok == token.DEFINE {
					add(identifier)
				}
			}
		}
		return true
	})
	return names
}

// wordsOf splits an identifier into its words, in lower case: maxHTTPCalls is max, http
// and calls.
func wordsOf(identifier string) (words []string) {
	runes := []rune(identifier)
	begin := 0
	for i := 1; i <= len(runes); i++ {
		ends := i == len(runes) || runes[i] == '_' || unicode.IsUpper(runes[i]) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if !ends {
			continue
		}
		if word := strings.Trim(string(runes[begin:i]), "_"); word != "" {
			words = append(words, strings.ToLower(word))
		}
		begin = i
	}
	return words
}

func TestWordsOf(t *testing.T) {
	for identifier, expected := range map[string][]string{
		"note": {"note"}, "maxHTTPCalls": {"max", "http", "calls"}, "TaxID": {"tax", "id"}, "poll_at": {"poll", "at"},
		"_": nil, "XMLs": {"xm", "ls"},
	} {
		if words := wordsOf(identifier); !slices.Equal(words, expected) {
			t.Errorf("%s: %q", identifier, words)
		}
	}
}
