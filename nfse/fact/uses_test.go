package fact

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sources are the Go files of the program, without its tests.
func sources(t *testing.T) (files *token.FileSet, all []*ast.File) {
	t.Helper()
	files = token.NewFileSet()
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != "../.." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		all = append(all, parsed)
		return err
	})
	if err != nil || len(all) < 300 {
		t.Fatalf("%d files: %v", len(all), err)
	}
	return files, all
}

// parse reads a Go file.
func parse(t *testing.T, source string) *ast.File {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// defined are the names of the codes, by codes.go.
func defined(all []*ast.File) map[string]Code {
	codes := map[string]Code{}
	for _, file := range all {
		if file.Name.Name != "fact" {
			continue
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, is := node.(*ast.ValueSpec); is && named(spec.Type) == "Code" {
				codes[spec.Names[0].Name] = Code(literal(spec.Values[0]))
			}
			return true
		})
	}
	return codes
}

// codeOf is the code that an expression names: fact.X, or X within this package.
func codeOf(file *ast.File, expression ast.Expr, codes map[string]Code) (Code, bool) {
	switch e := expression.(type) {
	case *ast.SelectorExpr:
		if named(e.X) == "fact" {
			code, is := codes[e.Sel.Name]
			return code, is
		}
	case *ast.Ident:
		if file.Name.Name == "fact" {
			code, is := codes[e.Name]
			return code, is
		}
	}
	return "", false
}

func named(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func literal(expression ast.Expr) string {
	if e, is := expression.(*ast.BasicLit); is && e.Kind == token.STRING {
		text, _ := strconv.Unquote(e.Value)
		return text
	}
	return ""
}

// Every code is recorded by somebody: it is named outside comparisons.
func TestCodes_RecordedBySomebody(t *testing.T) {
	_, all := sources(t)
	codes := defined(all)
	recorded := map[Code]bool{}
	for _, file := range all {
		var inspect func(ast.Node) bool
		inspect = func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					return false
				}
			case *ast.KeyValueExpr: // of what is looked up by a code
				if _, is := codeOf(file, n.Key, codes); is {
					ast.Inspect(n.Value, inspect)
					return false
				}
			case *ast.CallExpr:
				if named(n.Fun) == "Is" {
					return false
				}
			case *ast.CaseClause:
				for _, statement := range n.Body {
					ast.Inspect(statement, func(within ast.Node) bool {
						if e, is := within.(ast.Expr); is {
							if code, is := codeOf(file, e, codes); is {
								recorded[code] = true
							}
						}
						return true
					})
				}
				return false
			case *ast.ValueSpec:
				if named(n.Type) == "Code" {
					return false
				}
			case ast.Expr:
				if code, is := codeOf(file, n, codes); is {
					recorded[code] = true
				}
			}
			return true
		}
		ast.Inspect(file, inspect)
	}
	for _, name := range slices.Sorted(maps.Keys(codes)) {
		if !recorded[codes[name]] {
			t.Errorf("nobody records %s (%s)", name, codes[name])
		}
	}
	if len(codes) != len(texts())-1 { // but for the one of the tests
		t.Errorf("%d codes are found, and the tables have %d", len(codes), len(texts())-1)
	}
}

// What a code is recorded with is what its texts are filled in with, no more and no less.
func TestCodes_RecordedWithTheirArguments(t *testing.T) {
	files, all := sources(t)
	codes := defined(all)
	for _, file := range all {
		ast.Inspect(file, func(node ast.Node) bool {
			call, is := node.(*ast.CallExpr)
			if !is {
				return true
			}
			var pairs []ast.Expr
			var code Code
			switch method, isMethod := call.Fun.(*ast.SelectorExpr); {
			case isMethod && (method.Sel.Name == "With" || method.Sel.Name == "Fact"):
				if code, is = codeOf(file, method.X, codes); !is {
					return true
				}
				pairs = call.Args
			case named(call.Fun) == "factSQL" && len(call.Args) > 0:
				if code, is = codeOf(file, call.Args[0], codes); !is {
					return true
				}
				pairs = call.Args[1:]
			default:
				return true
			}
			var given []string
			for i := 0; i < len(pairs); i += 2 {
				given = append(given, literal(pairs[i]))
			}
			slices.Sort(given)
			if len(pairs)%2 != 0 || !slices.Equal(given, code.Names()) {
				t.Errorf("%s: %s is recorded with %q, and said with %q", files.Position(call.Pos()), code, given,
					code.Names())
			}
			return true
		})
	}
}
