package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	_ "embed" // the template

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/yuin/goldmark"
)

//go:embed reference.gohtml
var referenceTemplate string

// Reference makes the readable reference of an OpenAPI description: a part of a page in HTML, without script, in which
// every operation and every record has an anchor of its name.
func Reference(description *openapi3.T) ([]byte, error) {
	page := template.Must(template.New("").Funcs(template.FuncMap{
		"markdown": markdown,
		"json":     indented,
		"answers":  answersOf,
		"fields":   fieldsOf,
		"kind":     kindOf,
	}).Parse(referenceTemplate))
	var tags []referenceTag
	for _, tag := range description.Tags {
		requests, err := requestsOf(description, tag.Name)
		if err != nil {
			return nil, err
		}
		tags = append(tags, referenceTag{tag, operationsOf(requests)})
	}
	var text bytes.Buffer
	err := page.Execute(&text, map[string]any{"Info": description.Info, "Tags": tags, "Records": recordsOf(description)})
	return text.Bytes(), err
}

type referenceTag struct {
	*openapi3.Tag
	Operations []referenceOperation
}

// referenceOperation is an operation with the example of each of its bodies.
type referenceOperation struct {
	*openapi3.Operation
	Method, Path string
	Parameters   openapi3.Parameters
	Bodies       []string
}

// operationsOf joins the requests that are the same operation with another body.
func operationsOf(requests []request) (operations []referenceOperation) {
	for _, r := range requests {
		last := len(operations) - 1
		if last < 0 || operations[last].Operation != r.operation {
			operations = append(operations, referenceOperation{r.operation, r.method, r.path, r.parameters, nil})
			last++
		}
		if r.body != "" {
			operations[last].Bodies = append(operations[last].Bodies, r.body)
		}
	}
	return operations
}

// referenceAnswer is an answer of an operation by its status.
type referenceAnswer struct {
	Status, Description string
	Record              template.HTML
	Codes               []string // of an error
}

func answersOf(operation referenceOperation) (answers []referenceAnswer) {
	all := operation.Responses.Map()
	for _, status := range slices.Sorted(maps.Keys(all)) {
		response := all[status].Value
		answer := referenceAnswer{Status: status, Description: *response.Description}
		if media := response.Content.Get("application/json"); media != nil && media.Schema.Ref != "" {
			answer.Record = kindOf(media.Schema)
		}
		codes, _ := response.Extensions["x-error-codes"].(map[string]any)
		answer.Codes = slices.Sorted(maps.Keys(codes))
		answers = append(answers, answer)
	}
	return answers
}

// record is an object of the description by its name.
type record struct {
	Name string
	*openapi3.Schema
}

func recordsOf(description *openapi3.T) (records []record) {
	for _, name := range slices.Sorted(maps.Keys(description.Components.Schemas)) {
		if schema := description.Components.Schemas[name].Value; len(membersOf(schema)) > 0 {
			records = append(records, record{name, schema})
		}
	}
	return records
}

// field is a member of a record.
type field struct {
	Name, Description string
	Kind              template.HTML
	Required          bool
}

func fieldsOf(schema *openapi3.Schema) (fields []field) {
	members := membersOf(schema)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		member := members[name]
		required := slices.Contains(schema.Required, name)
		fields = append(fields, field{name, member.Value.Description, kindOf(member), required})
	}
	slices.SortStableFunc(fields, func(a, b field) int { return cmp.Compare(place(b.Required), place(a.Required)) })
	return fields
}

func place(first bool) int {
	if first {
		return 1
	}
	return 0
}

// membersOf are the members of an object, those of what it is made of included.
func membersOf(schema *openapi3.Schema) openapi3.Schemas {
	members := maps.Clone(schema.Properties)
	for _, part := range slices.Concat(schema.AllOf, schema.AnyOf, schema.OneOf) {
		if members == nil {
			members = openapi3.Schemas{}
		}
		maps.Copy(members, membersOf(part.Value))
	}
	return members
}

// kindOf says what values a schema takes; a record is a link to it.
func kindOf(ref *openapi3.SchemaRef) template.HTML {
	schema := ref.Value
	var words []string
	switch name := ref.Ref[strings.LastIndex(ref.Ref, "/")+1:]; {
	case name != "" && len(membersOf(schema)) > 0:
		words = append(words, fmt.Sprintf(`<a href="#%[1]s">%[1]s</a>`, template.HTMLEscapeString(name)))
	case schema.Type.Is("array"):
		words = append(words, "list of "+string(kindOf(schema.Items)))
	case len(schema.AllOf) == 1:
		words = append(words, string(kindOf(schema.AllOf[0])))
	case len(schema.Enum) > 0:
		words = append(words, oneOf(schema.Enum))
	default:
		words = append(words, template.HTMLEscapeString(strings.Join(schema.Type.Slice(), " or ")))
	}
	words = append(words, boundsOf(schema)...)
	if schema.Nullable {
		words = append(words, "or null")
	}
	return template.HTML(strings.Join(words, ", "))
}

func oneOf(values []any) string {
	var codes []string
	for _, value := range values {
		if value != nil {
			codes = append(codes, code(fmt.Sprint(value)))
		}
	}
	return strings.Join(codes, " ")
}

func boundsOf(schema *openapi3.Schema) (words []string) {
	switch {
	case schema.MaxLength != nil:
		words = append(words, fmt.Sprintf("%d to %d characters", schema.MinLength, *schema.MaxLength))
	case schema.MaxItems != nil:
		words = append(words, fmt.Sprintf("at most %d", *schema.MaxItems))
	}
	if schema.Min != nil && schema.Max != nil {
		words = append(words, fmt.Sprintf("%.0f to %.0f", *schema.Min, *schema.Max))
	}
	if schema.Pattern != "" {
		words = append(words, code(schema.Pattern))
	}
	return words
}

func code(text string) string { return "<code>" + template.HTMLEscapeString(text) + "</code>" }

func markdown(text string) (template.HTML, error) {
	var page bytes.Buffer
	err := goldmark.Convert([]byte(text), &page)
	return template.HTML(page.String()), err
}

func indented(value any) (string, error) {
	text, err := json.MarshalIndent(value, "", "  ")
	return string(text), err
}
