package evidence

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// demand is something that the code wants of a host.
type demand struct{ folder, file, value string }

// demandsIn returns the demands of the sources of a folder, without tests; of commands their settings.
func demandsIn(t *testing.T, folder string) (found []demand) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s has no sources: %v", folder, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		of := demandsOf
		if folder == commands {
			of = settingsOf
		}
		for _, value := range of(parsed(t, source)) {
			found = append(found, demand{folder, filepath.Base(name), value})
		}
	}
	if slices.Contains(ofReports, folder) {
		for _, code := range codesOf(t, filepath.Join(root, folder, catalogue)) {
			found = append(found, demand{folder, catalogue, code})
		}
	}
	return found
}

// catalogue is the table of what codes mean. Of those ofReports no official table has the codes; the others are
// compared with theirs by TestCatalogue_HasEveryOfficialCode of the authorities' packages.
const catalogue = "catalogue.tsv"

var ofReports = []string{"fiscal/national/dsf/rules", "fiscal/national/issnet/rules", "fiscal/national/fiorilli/rules"}

// codesOf are the codes of a catalogue that a host gives.
func codesOf(t *testing.T, name string) (codes []string) {
	t.Helper()
	table, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		if code, _, _ := strings.Cut(line, "\t"); code == strings.ToUpper(code) && spoken.MatchString(code) {
			codes = append(codes, code)
		}
	}
	return codes
}

func parsed(t *testing.T, source []byte) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// demandsOf returns the demands of a source: what tags of members and elements name, constants that are numbers,
// statuses, methods, versions of TLS, what is claimed of an authority (fiscal.Capabilities), and every text, where a
// text of XML counts by its elements. What is said to people is none.
func demandsOf(file *ast.File) (found []string) {
	add := func(value string) {
		if value = strings.TrimSpace(value); !slices.Contains(found, value) {
			found = append(found, value)
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CallExpr:
			return !isSaid(node)
		case *ast.KeyValueExpr:
			key, named := node.Key.(*ast.Ident)
			return !named || !slices.Contains(forPeople, key.Name)
		case *ast.GenDecl:
			addNumbers(node, add)
		case *ast.Field:
			if node.Tag != nil {
				addMembers(node, add)
				return false
			}
		case *ast.CompositeLit:
			addCapabilities(node, add)
		case *ast.SelectorExpr:
			if name := nameOf(node); official.MatchString(name) {
				add(name)
			}
		case *ast.BinaryExpr:
			addStatus(node, add)
		case *ast.BasicLit:
			addText(node, add)
		}
		return true
	})
	return found
}

var (
	// forPeople are the names of fields of texts that no host sees.
	forPeople = []string{"name", "source", "From", "Subject", "Means"}
	// official are names of constants that stand for what a host says or is told.
	official = regexp.MustCompile(`^(http\.(Status[A-Z]\w*|Method\w+)|tls\.(Version|Renegotiate)\w+)$`)
	// element is one in a text of XML.
	element = regexp.MustCompile(`</?([A-Za-z][\w:.]*)`)
	spoken  = regexp.MustCompile(`[A-Za-z0-9]`)
)

// isSaid reports whether a call is about words for people: facts, logs, errors.
func isSaid(call *ast.CallExpr) bool {
	function, is := call.Fun.(*ast.SelectorExpr)
	if !is {
		return false
	}
	name := nameOf(function)
	return function.Sel.Name == "With" || function.Sel.Name == "LogAttrs" || strings.HasPrefix(name, "errors.") ||
		name == "fmt.Errorf" || name == "http.StatusText"
}

// nameOf is a selector of a package, as http.StatusOK; empty for others.
func nameOf(selector *ast.SelectorExpr) string {
	if of, is := selector.X.(*ast.Ident); is {
		return of.Name + "." + selector.Sel.Name
	}
	return ""
}

// addText adds a text, or the elements of one of XML.
func addText(literal *ast.BasicLit, add func(string)) {
	text, err := strconv.Unquote(literal.Value)
	switch {
	case literal.Kind != token.STRING || err != nil || !spoken.MatchString(text):
	case strings.ContainsAny(text, "<>") || strings.Contains(text, `="`):
		for _, found := range element.FindAllStringSubmatch(text, -1) {
			add(found[1])
		}
	default:
		add(text)
	}
}

// addNumbers adds the names of constants that are numbers, or made of them.
func addNumbers(declared *ast.GenDecl, add func(string)) {
	if declared.Tok != token.CONST {
		return
	}
	for _, spec := range declared.Specs {
		for i, value := range spec.(*ast.ValueSpec).Values {
			ast.Inspect(value, func(node ast.Node) bool {
				literal, is := node.(*ast.BasicLit)
				selector, isSelector := node.(*ast.SelectorExpr)
				if is && literal.Kind != token.STRING || isSelector && strings.HasPrefix(nameOf(selector), "time.") {
					add(spec.(*ast.ValueSpec).Names[i].Name)
				}
				return true
			})
		}
	}
}

// addMembers adds what the tag of a field names, and what the struct in it is read by, with tags or without.
func addMembers(field *ast.Field, add func(string)) {
	name := tagged(field)
	if name != "" {
		add(name)
	}
	ast.Inspect(field.Type, func(node ast.Node) bool {
		inner, is := node.(*ast.Field)
		switch {
		case !is:
		case inner.Tag != nil:
			addMembers(inner, add)
			return false
		case name != "" && len(inner.Names) == 1 && inner.Names[0].IsExported() && inner.Names[0].Name != "XMLName":
			add(inner.Names[0].Name)
		}
		return true
	})
}

// tagged is the member or the element that the tag of a field names, without its namespace.
func tagged(field *ast.Field) string {
	tag, _ := strconv.Unquote(field.Tag.Value)
	for _, kind := range []string{"json", "xml"} {
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get(kind), ",")
		if _, local, qualified := strings.Cut(name, " "); qualified {
			name = local
		}
		if name != "" && name != "-" {
			return name
		}
	}
	return ""
}

// addCapabilities adds what is claimed of an authority.
func addCapabilities(literal *ast.CompositeLit, add func(string)) {
	of, is := literal.Type.(*ast.SelectorExpr)
	if !is || nameOf(of) != "fiscal.Capabilities" {
		return
	}
	for _, element := range literal.Elts {
		if pair, is := element.(*ast.KeyValueExpr); is {
			add("Capabilities." + pair.Key.(*ast.Ident).Name)
		}
	}
}

// addStatus adds the number that a status is compared with.
func addStatus(compared *ast.BinaryExpr, add func(string)) {
	selector, is := compared.X.(*ast.SelectorExpr)
	number, isNumber := compared.Y.(*ast.BasicLit)
	if is && isNumber && strings.HasPrefix(selector.Sel.Name, "Status") && number.Kind == token.INT {
		add("status " + compared.Op.String() + " " + number.Value)
	}
}

// ofHosts are the settings that say how authorities are reached.
var ofHosts = regexp.MustCompile(`^EMISSOR_(AUTHORITY|NATIONAL|SAO_PAULO|CITIES)(_|$)`)

// settingsOf are the settings of a source about hosts, each with what it is where nobody sets it.
func settingsOf(file *ast.File) (found []string) {
	ast.Inspect(file, func(node ast.Node) bool {
		if field, is := node.(*ast.Field); is && field.Tag != nil {
			text, _ := strconv.Unquote(field.Tag.Value)
			tag := reflect.StructTag(text)
			if name := tag.Get("envconfig"); ofHosts.MatchString(name) {
				found = append(found, strings.TrimSuffix(name+"="+tag.Get("default"), "="))
			}
		}
		return true
	})
	return found
}
