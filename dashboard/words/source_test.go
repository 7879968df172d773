package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// source is the Go code of a package, without its tests.
type source []*ast.File

func parseSource(t *testing.T, room string) (all source) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", room, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", room, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, content, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, parsed)
	}
	return all
}

func (s source) inspect(visit func(ast.Node) bool) {
	for _, file := range s {
		ast.Inspect(file, visit)
	}
}

// format is a text as a format: what is not written out is %s.
func format(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return format(e.X) + format(e.Y)
		}
	case *ast.ParenExpr:
		return format(e.X)
	case *ast.CallExpr:
		if name := nameOf(e.Fun); len(e.Args) > 0 && (name == "Sprintf" || name == "Errorf" || name == "New") {
			return format(e.Args[0])
		}
	}
	return "%s"
}

func nameOf(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
