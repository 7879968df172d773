package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// What of the sources becomes a recorded text: the argument of these calls, these
// fields, what these functions return or choose, and the value of these names.
var (
	recordingCalls = map[string]int{"saveAlarm": 3, "alarmed": 0, "ambiguous": 1, "breaks": 1, "fault": 2,
		"notDelivered": 0, "unknown": 0, "notSent": 0, "unclassified": 0}

	recordedFields = []string{"Reason", "Hold", "Alarm", "NeedsPerson", "Problem", "reason", "needsPerson", "What",
		"HoldSeries", "problem", "text"}

	recordingFunctions = []string{
		"whyUnusable", "unsentReason", "describe", "unexpected", "CityRefuses",
		"MissingRate", "ifWrong", "otherEnvironment", "signatureProblem", "mismatch", "mismatchOf", "outcomeOf", "send",
		"addressViolation", "textViolation", "identityFault", "regimeFault", "seriesFault", "approximateTaxesFault",
		"inactiveMunicipalitiesFault", "profileViolation", "UsableCertificates",
		"AfterAskingNumber", "heldSeries", "ValidateProfile", "profileHold",
		"serviceViolation", "customerViolation", "withholdingViolation", "rateViolation", "amountViolation",
		"classificationObjection", "classificationFault", "turnedAway", "readReply", "replaced", "firstNote",
		"foundNote", "nameOf", "readNote", "unclear", "why", "readPair", "interpretSent",
		"ReadCancellation", "readXML", "Read",
	}

	recordedNames = []string{"noAuthority", "aboveRate", "ErrNoFiscalProfile",
		"contradicts", "errOtherRoot", "errNoEnvelope", "taxIDNotShown", "taxIDOfAnother"}
)

// recordedTexts are the formats of what the sources record.
func (s source) recordedTexts() (found []string) {
	add := func(expression ast.Expr) { found = append(found, format(expression)) }
	s.inspect(func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.CallExpr:
			if at, records := recordingCalls[nameOf(n.Fun)]; records && at < len(n.Args) {
				add(n.Args[at])
			}
		case *ast.KeyValueExpr:
			if slices.Contains(recordedFields, nameOf(n.Key)) {
				add(n.Value)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN && slices.Contains(recordedFields, nameOf(left)) {
					add(n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) && slices.Contains(recordedNames, name.Name) {
					add(n.Values[i])
				}
			}
		case *ast.FuncDecl:
			if slices.Contains(recordingFunctions, n.Name.Name) {
				found = append(found, textsWithin(n.Body)...)
			}
		}
		return true
	})
	return found
}

// textsWithin are all texts of a function.
func textsWithin(body *ast.BlockStmt) (found []string) {
	ast.Inspect(body, func(node ast.Node) bool {
		expression, is := node.(ast.Expr)
		if !is {
			return true
		}
		if text := format(expression); text != "%s" {
			found = append(found, text)
			return false
		}
		return true
	})
	return found
}

// quoted are the texts of SQL, of more than a word, that the store writes or reads as
// what happened to a note.
func (s source) quoted() (found []string) {
	literal := regexp.MustCompile(`(interval )?'([^']*)'`)
	about := regexp.MustCompile(`endpoint_state|AS unwanted|AS waiting|gone_since`)
	s.inspect(func(node ast.Node) bool {
		expression, is := node.(ast.Expr)
		if !is {
			return true
		}
		text := format(expression)
		if text == "%s" {
			return true
		}
		if about.MatchString(text) {
			for _, match := range literal.FindAllStringSubmatch(text, -1) {
				if match[1] == "" && severalWords.MatchString(match[2]) {
					found = append(found, match[2])
				}
			}
		}
		return false
	})
	return found
}

// severalWords is a text that is more than a name.
var severalWords = regexp.MustCompile(`[a-zA-Z]{2}.* | .*[a-zA-Z]{2}`)
