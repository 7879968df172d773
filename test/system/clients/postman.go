package clients

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// object is one of JSON.
type object = map[string]any

// Postman makes a collection for Postman of an OpenAPI description, of the same requests as Bruno's: base_url and
// api_key are variables of the environment.
func Postman(description *openapi3.T) ([]byte, error) {
	var folders []object
	for _, tag := range description.Tags {
		requests, err := requestsOf(description, tag.Name)
		if err != nil {
			return nil, err
		}
		var items []object
		for _, r := range requests {
			items = append(items, r.postman())
		}
		folders = append(folders, object{"name": tag.Name, "description": tag.Description, "item": items})
	}
	text, err := json.MarshalIndent(object{
		"info": object{
			"name": "Emissor", "description": description.Info.Description,
			"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
		},
		"auth": object{"type": "bearer", "bearer": []object{{"key": "token", "value": "{{api_key}}", "type": "string"}}},
		"item": folders,
	}, "", "\t")
	return append(text, '\n'), err
}

// postman is the request as an item of a collection.
func (r request) postman() object {
	path := strings.ReplaceAll(r.path, "{id}", "{{"+variableOf(r.parameters)+"}}")
	asked := object{
		"method": r.method, "header": r.switchedOff(openapi3.ParameterInHeader),
		"description": cmp.Or(r.operation.Description, r.operation.Summary),
		"url": object{"raw": "{{base_url}}" + path, "host": []string{"{{base_url}}"},
			"path": strings.Split(strings.TrimPrefix(path, "/"), "/"), "query": r.switchedOff(openapi3.ParameterInQuery)},
	}
	if r.operation.Security != nil && len(*r.operation.Security) == 0 {
		asked["auth"] = object{"type": "noauth"}
	}
	if r.body != "" {
		asked["body"] = object{"mode": "raw", "raw": r.body, "options": object{"raw": object{"language": "json"}}}
	}
	return object{"name": r.name, "request": asked, "event": []object{
		{"listen": "test", "script": object{"type": "text/javascript", "exec": r.checks()}},
	}}
}

// checks are the lines of the script that runs after the answer.
func (r request) checks() []string {
	lines := []string{`pm.test("it is done", () => pm.expect(pm.response.code).to.be.below(300));`}
	if r.creates != "" {
		lines = append(lines, fmt.Sprintf(`pm.collectionVariables.set(%q, pm.response.json().id);`, r.creates))
	}
	if r.operation.OperationID == "getNfse" && r.method == http.MethodGet { // until the note is final
		lines = append(lines,
			`if (["queued", "processing"].includes(pm.response.json().status)) {`,
			`  setTimeout(() => {}, 1000 * Number(pm.response.headers.get("Retry-After"))); // what follows waits for it`,
			`  pm.execution.setNextRequest(pm.info.requestId);`,
			`}`)
	}
	return lines
}

// switchedOff lists the parameters of a kind, switched off, with their examples.
func (r request) switchedOff(in string) []object {
	all := []object{}
	for _, parameter := range r.parameters {
		if parameter.Value.In == in {
			all = append(all, object{"key": parameter.Value.Name, "value": fmt.Sprint(parameter.Value.Example),
				"description": parameter.Value.Description, "disabled": true})
		}
	}
	return all
}
