package clients

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Collection makes a collection for Bruno of an OpenAPI description: its files by their paths. Each operation is a
// request for each example of its body; the collection keeps no key, but takes it from the environment.
//
// What a request creates is used by those after it, so that the whole of it runs: ids are variables, and reading a note
// repeats while the note is not final.
func Collection(description *openapi3.T) (map[string]string, error) {
	files := map[string]string{
		"bruno.json": "{\n  \"version\": \"1\",\n  \"name\": \"Emissor\",\n  \"type\": \"collection\"\n}\n",
		".gitignore": ".env\n",
		"collection.bru": block("auth", "mode: bearer") + block("auth:bearer", "token: {{api_key}}") +
			block("docs", description.Info.Description),
		"environments/environment.bru": block("vars",
			"base_url: {{process.env.EMISSOR_API_URL}}\napi_key: {{process.env.EMISSOR_API_KEY}}"),
	}
	for place, tag := range description.Tags {
		files[tag.Name+"/folder.bru"] = block("meta", fmt.Sprintf("name: %s\nseq: %d", tag.Name, place+1)) +
			block("docs", tag.Description)
		requests, err := requestsOf(description, tag.Name)
		if err != nil {
			return nil, err
		}
		for i, request := range requests {
			files[tag.Name+"/"+request.file+".bru"] = request.text(i + 1)
		}
	}
	return files, nil
}

// request is one request of the collection.
type request struct {
	file, name, method, path string
	operation                *openapi3.Operation
	parameters               openapi3.Parameters
	body                     string // JSON; empty is none
	creates                  string // the variable that keeps the id of what it creates
}

// order is the place of a request in its folder: what is created is there for the requests after it.
func (r request) order() string {
	place := map[string]int{http.MethodPost: 1, http.MethodGet: 2, http.MethodHead: 3, http.MethodPatch: 4}[r.method]
	switch {
	case r.creates == "" && r.method == http.MethodPost:
		place = 5 // it ends something
	case strings.Contains(r.path, "{id}/"):
		place = 3 // a part of what was read
	}
	return fmt.Sprint(place, r.path, r.file)
}

// requestsOf are the requests of a tag, in their order.
func requestsOf(description *openapi3.T, tag string) (requests []request, err error) {
	paths := description.Paths.Map()
	for path, item := range paths {
		for method, operation := range item.Operations() {
			if !slices.Contains(operation.Tags, tag) {
				continue
			}
			r := request{file: operation.OperationID, name: operation.Summary, method: method, path: path,
				operation: operation, parameters: slices.Concat(item.Parameters, operation.Parameters)}
			if one := paths[path+"/{id}"]; one != nil && method == http.MethodPost {
				r.creates = variableOf(one.Parameters)
			}
			if operation.RequestBody == nil {
				requests = append(requests, r)
				continue
			}
			media := operation.RequestBody.Value.Content.Get("application/json")
			for name, example := range bodiesOf(media) {
				variant := r
				if name != "" {
					variant.file, variant.name = r.file+"-"+strings.ReplaceAll(name, "_", "-"), r.name+", "+name
				}
				if variant.body, err = bodyOf(example); err != nil {
					return nil, fmt.Errorf("%s: %w", r.file, err)
				}
				requests = append(requests, variant)
			}
		}
	}
	slices.SortFunc(requests, func(a, b request) int { return cmp.Compare(a.order(), b.order()) })
	return requests, nil
}

// bodiesOf are the examples of a body: its own, or that of its schema.
func bodiesOf(media *openapi3.MediaType) map[string]any {
	bodies := map[string]any{}
	for name, example := range media.Examples {
		bodies[name] = example.Value.Value
	}
	if len(bodies) == 0 {
		bodies[""] = cmp.Or(media.Example, media.Schema.Value.Example)
	}
	return bodies
}

// variables take the place of values of examples: ids of what was created before, and a reference that is new each
// time.
var variables = map[string]string{
	"service_id": "{{service_id}}", "customer_id": "{{customer_id}}", "reference": "{{$guid}}",
}

// bodyOf is an example as JSON, with variables for what differs each time.
func bodyOf(example any) (string, error) {
	if members, ok := example.(map[string]any); ok {
		members = maps.Clone(members)
		for name, variable := range variables {
			if _, ok := members[name]; ok {
				members[name] = variable
			}
		}
		example = members
	}
	text, err := json.MarshalIndent(example, "", "  ")
	return string(text), err
}

// variableOf is the variable of a path's id: service_id for ServiceIdInPath.
func variableOf(parameters openapi3.Parameters) string {
	for _, parameter := range parameters {
		if kind, ok := strings.CutSuffix(parameter.Ref, "IdInPath"); ok {
			return strings.ToLower(kind[strings.LastIndex(kind, "/")+1:]) + "_id"
		}
	}
	return ""
}

// text is the request's file; seq is its place in its folder.
func (r request) text(seq int) string {
	auth, body := "inherit", "none"
	if r.operation.Security != nil && len(*r.operation.Security) == 0 {
		auth = "none"
	}
	if r.body != "" {
		body = "json"
	}
	path := strings.ReplaceAll(r.path, "{id}", "{{"+variableOf(r.parameters)+"}}")
	var text strings.Builder
	text.WriteString(block("meta", fmt.Sprintf("name: %s\ntype: http\nseq: %d", r.name, seq)))
	text.WriteString(block(strings.ToLower(r.method),
		fmt.Sprintf("url: {{base_url}}%s\nbody: %s\nauth: %s", path, body, auth)))
	text.WriteString(r.optional("params:query", openapi3.ParameterInQuery))
	text.WriteString(r.optional("headers", openapi3.ParameterInHeader))
	if r.body != "" {
		text.WriteString(block("body:json", r.body))
	}
	if r.creates != "" {
		text.WriteString(block("vars:post-response", r.creates+": res.body.id"))
	}
	text.WriteString(block("assert", "res.status: lt 300"))
	if r.operation.OperationID == "getNfse" {
		text.WriteString(block("script:post-response", fmt.Sprintf(untilFinal, r.name)))
	}
	text.WriteString(block("docs", cmp.Or(r.operation.Description, r.operation.Summary)))
	return text.String()
}

// untilFinal repeats a request while its note is not final, as Retry-After says.
const untilFinal = `if (["queued", "processing"].includes(res.body.status)) {
  await bru.sleep(1000 * Number(res.headers["retry-after"]));
  bru.runner.setNextRequest("%s");
}`

// optional lists the parameters of a kind, switched off, with their examples.
func (r request) optional(name, in string) string {
	var lines []string
	for _, parameter := range r.parameters {
		if parameter.Value.In == in {
			lines = append(lines, fmt.Sprintf("~%s: %v", parameter.Value.Name, parameter.Value.Example))
		}
	}
	if lines == nil {
		return ""
	}
	return block(name, strings.Join(lines, "\n"))
}

var lineStart = regexp.MustCompile(`(?m)^(.)`)

// block is a block of a file of Bruno.
func block(name, content string) string {
	return name + " {\n" + lineStart.ReplaceAllString(strings.TrimSpace(content), "  $1") + "\n}\n\n"
}
