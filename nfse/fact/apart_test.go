package fact

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// No recorded fact is taken apart by its text: neither a column of one in SQL, nor what it
// says in Go.
func TestFacts_AreNotTakenApart(t *testing.T) {
	files, all := sources(t)
	fields := factFields(all)
	for _, file := range all {
		for _, declaration := range file.Decls {
			for _, found := range takenApart(declaration, fields) {
				t.Errorf("%s: what a fact says is taken apart", files.Position(found))
			}
		}
	}
}

// The test finds each way of it, and lets stand what does not decide.
func TestFacts_TakenApart(t *testing.T) {
	const head = "package p\ntype row struct{ Reason fact.Fact }\n"
	for _, source := range []string{
		`func f() bool { return strings.Contains(why.English(), "x") }`,
		`func f() bool { return strings.HasPrefix(r.Reason.Arguments["words"].(string), "x") }`,
		`func f() bool { text := why.English(); return strings.Contains(text, "x") }`,
		`func f() bool { return form.MatchString(why.Portuguese()) }`,
		`func f() string { return form.ReplaceAllString(why.English(), "") }`,
		`func f() bool { return slices.Contains(known, why.English()) }`,
		`func f() bool { return known[why.English()] }`,
		`func f() bool { return why.English() == "x" }`,
		`func f() bool { text := why.English(); return text != "x" }`,
		`func f() bool { return r.Reason.String() == "x" }`,
		`func f() bool { switch why.English() { case "x": return true }; return false }`,
		"const q = `held_reason::text LIKE '%x%'`",
		"const q = `held_reason #>> '{arguments,words}' LIKE '%x%'`",
		"const q = `strpos(held_reason::text, 'x') > 0`",
		"const q = `(n.held_reason ->> 'code') ~ 'x'`",
		"const q = `held_reason ->> 'text' = 'x'`",
		"const q = `fact::text <> 'x'`",
	} {
		if len(apartIn(t, head+source)) != 1 {
			t.Errorf("it is not found: %s", source)
		}
	}
	for _, source := range []string{
		`func f() bool { return why.Is(fact.Said) && r.Reason.None() }`,
		`func f() string { return strings.Join([]string{why.English()}, "; ") }`,
		`func f() string { text := why.English(); return text + "." }`,
		"const q = `held_reason ->> 'code' = 'waits' AND reason IS DISTINCT FROM $2::jsonb`",
	} {
		if len(apartIn(t, head+source)) != 0 {
			t.Errorf("it is found: %s", source)
		}
	}
}

func apartIn(t *testing.T, source string) (found []token.Pos) {
	t.Helper()
	parsed := parse(t, source)
	for _, declaration := range parsed.Decls {
		found = append(found, takenApart(declaration, factFields([]*ast.File{parsed}))...)
	}
	return found
}

// factFields are the names of the fields that are facts.
func factFields(all []*ast.File) map[string]bool {
	fields := map[string]bool{}
	for _, file := range all {
		ast.Inspect(file, func(node ast.Node) bool {
			field, is := node.(*ast.Field)
			if !is {
				return true
			}
			kind, is := field.Type.(*ast.SelectorExpr)
			if is && kind.Sel.Name == "Fact" && named(kind.X) == "fact" {
				for _, name := range field.Names {
					fields[name.Name] = true
				}
			}
			return true
		})
	}
	return fields
}

// takenApart are the places of a declaration that look into what a fact says.
func takenApart(declaration ast.Decl, fields map[string]bool) (found []token.Pos) {
	texts := textReader{fields: fields, variables: map[string]bool{}}
	ast.Inspect(declaration, func(node ast.Node) bool {
		apart := false
		switch n := node.(type) {
		case *ast.AssignStmt:
			texts.assigned(n)
		case *ast.CallExpr:
			apart = looksInto(n.Fun) && slices.ContainsFunc(n.Args, texts.within)
		case *ast.BinaryExpr:
			apart = (n.Op == token.EQL || n.Op == token.NEQ) && (texts.is(n.X) || texts.is(n.Y))
		case *ast.SwitchStmt:
			apart = n.Tag != nil && texts.is(n.Tag)
		case *ast.IndexExpr:
			apart = texts.is(n.Index)
		case *ast.BasicLit:
			apart = takenApartInSQL.MatchString(n.Value)
		}
		if apart {
			found = append(found, node.Pos())
		}
		return true
	})
	return found
}

// textReader knows the texts of facts.
type textReader struct {
	fields    map[string]bool // that are facts
	variables map[string]bool // that were given a text of one
}

// saying are the methods that make a text of a fact.
var saying = map[string]bool{"English": true, "Portuguese": true, "EnglishDetail": true, "PortugueseDetail": true}

// is reports whether an expression is a text of a fact.
func (r textReader) is(expression ast.Expr) bool {
	switch e := expression.(type) {
	case *ast.ParenExpr:
		return r.is(e.X)
	case *ast.Ident:
		return r.variables[e.Name]
	case *ast.CallExpr:
		method, is := e.Fun.(*ast.SelectorExpr)
		return is && (saying[method.Sel.Name] || method.Sel.Name == "String" && r.isField(method.X))
	}
	return false
}

// within reports whether there is a text of a fact in an expression, or a field that is one.
func (r textReader) within(expression ast.Expr) (found bool) {
	ast.Inspect(expression, func(node ast.Node) bool {
		if e, is := node.(ast.Expr); is && (r.is(e) || r.isField(e)) {
			found = true
		}
		return !found
	})
	return found
}

func (r textReader) isField(expression ast.Expr) bool {
	selector, is := expression.(*ast.SelectorExpr)
	return is && r.fields[selector.Sel.Name]
}

// assigned keeps which variables are texts of facts.
func (r textReader) assigned(assignment *ast.AssignStmt) {
	if len(assignment.Lhs) != len(assignment.Rhs) {
		return
	}
	for i, variable := range assignment.Lhs {
		if name, is := variable.(*ast.Ident); is {
			r.variables[name.Name] = r.is(assignment.Rhs[i])
		}
	}
}

// looksInto reports whether a function looks into a text.
func looksInto(function ast.Expr) bool {
	method, is := function.(*ast.SelectorExpr)
	if !is {
		return false
	}
	name := method.Sel.Name
	switch named(method.X) {
	case "regexp":
		return true
	case "strings":
		return !slices.Contains([]string{"Join", "NewReplacer", "NewReader", "Repeat"}, name)
	case "slices":
		return name == "Contains" || name == "Index"
	}
	return slices.ContainsFunc([]string{"MatchString", "FindString", "FindAllString", "ReplaceAllString",
		"ReplaceAllLiteralString"}, func(looking string) bool { return strings.HasPrefix(name, looking) })
}

// takenApartInSQL is a column of facts, or a part of one, before or within what looks into a
// text; and what only its text can be compared with.
var takenApartInSQL = func() *regexp.Regexp {
	column := `\b(` + strings.Join(factColumns, "|") + `)\b`
	part := `(\s*(->>?|#>>?)\s*'[^']*')?(::text)?\s*\)?\s*`
	return regexp.MustCompile(`(?i)` + column + part + `(~|!~|(NOT )?I?LIKE\b|SIMILAR TO)` +
		`|(split_part|substr(ing)?|regexp_\w+|position|strpos|starts_with)\s*\([^)]*` + column +
		`|` + column + `\s*->>\s*'text'` +
		`|` + column + `::text\s*\)?\s*(=|<>)`)
}()

// factColumns are the columns that hold facts.
var factColumns = []string{"fact", "reason", "held_reason", "last_problem", "disabled_reason", "problem",
	"outcome", "title", "failure"}
