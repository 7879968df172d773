package words

import (
	"go/ast"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"emissor/internal/tsv"
	"emissor/nfse"
	"emissor/store/companies"
)

// auditedFunctions make what the audit log says of a record.
var auditedFunctions = []string{"auditCancellation", "auditCustomer", "setNextNumber", "record", "comings"}

var fieldName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// auditedNames are the fields that the store puts on record of who changed what: the
// names in maps that are before or after, and those of the types made for it.
func (s source) auditedNames() (names []string) {
	quoted := func(expression ast.Expr) {
		if literal, is := expression.(*ast.BasicLit); is {
			if text, err := strconv.Unquote(literal.Value); err == nil && fieldName.MatchString(text) {
				names = append(names, text)
			}
		}
	}
	keys := func(within ast.Node) {
		ast.Inspect(within, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.CompositeLit:
				if _, isMap := n.Type.(*ast.MapType); !isMap {
					return true
				}
				for _, element := range n.Elts {
					if pair, is := element.(*ast.KeyValueExpr); is {
						quoted(pair.Key)
					}
				}
			case *ast.IndexExpr:
				quoted(n.Index)
			}
			return true
		})
	}
	s.inspect(func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.KeyValueExpr:
			if name := nameOf(n.Key); name == "Before" || name == "After" {
				keys(n.Value)
			}
		case *ast.CallExpr:
			if nameOf(n.Fun) == "AuditSeries" {
				quoted(n.Args[1])
			}
		case *ast.FuncDecl:
			if slices.Contains(auditedFunctions, n.Name.Name) {
				keys(n.Body)
			}
		case *ast.TypeSpec:
			made, is := n.Type.(*ast.StructType)
			if !is || !strings.HasPrefix(strings.ToLower(n.Name.Name), "audited") {
				return true
			}
			for _, field := range made.Fields.List {
				if field.Tag != nil {
					tag, _ := strconv.Unquote(field.Tag.Value)
					name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
					names = append(names, name)
				}
			}
		}
		return true
	})
	return names
}

// Every field of the audit log has a name in both languages, and no name is of none.
func TestAudit_EveryFieldHasWords(t *testing.T) {
	recorded := parseSource(t, "store/*").auditedNames()
	for _, whole := range []any{nfse.FiscalProfile{}, nfse.Service{}, nfse.Classification{}, nfse.Defaults{},
		nfse.ServiceTaxation{}, nfse.CustomerTaxation{}, companies.CityKey{}} {
		of := reflect.TypeOf(whole)
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			recorded = append(recorded, name)
		}
	}
	// What the field "changed" of a customer lists.
	recorded = append(recorded, "name", "nickname", "email", "municipality_code", "address")
	for _, name := range recorded {
		if !Has("audit.field." + name) {
			t.Errorf("the audit log says %s, which audit_fields.tsv has no words for", name)
		}
	}
	for _, row := range tsv.Must(tables, "audit_fields.tsv") {
		if name, is := strings.CutPrefix(row[0], "audit.field."); is && !slices.Contains(recorded, name) {
			t.Errorf("nothing is recorded as %s", name)
		}
	}
}
