package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.yaml.in/yaml/v3"

	"emissor/client/mcpserver"
	"emissor/nfse"
)

// The arguments of tools that act are the same as in the contract's bodies, with the same bounds.
func TestTools_BoundsAreTheContracts(t *testing.T) {
	content, err := os.ReadFile("../../api/openapi.yaml")
	must(t, err)
	var contract object
	must(t, yaml.Unmarshal(content, &contract))
	compared := 0
	for _, tool := range tools(t) {
		body := map[string]string{"create_service": "CreateService", "save_customer": "CreateCustomer",
			"issue_note": "CreateNfse", "cancel_note": "CancelNfse"}[tool.Name]
		if body == "" {
			continue
		}
		compared++
		theirs := at(contract, "components", "schemas", body)
		if theirs == nil {
			t.Fatalf("the contract has no %s", body)
		}
		input := normal(tool.InputSchema).(object)
		if tool.Name == "cancel_note" { // the id is in the path there
			delete(input["properties"].(object), "id")
			input["required"] = slices.DeleteFunc(input["required"].([]any), func(name any) bool { return name == "id" })
		}
		sameBounds(t, tool.Name, input, resolved(contract, theirs))
	}
	if compared != 4 {
		t.Errorf("%d tools were compared", compared)
	}
}

// sameBounds compares a schema of a tool with the contract's.
func sameBounds(t *testing.T, path string, ours, theirs object) {
	t.Helper()
	for _, bound := range []string{"type", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "pattern",
		"enum", "required", "additionalProperties"} {
		if bound == "pattern" && (strings.HasSuffix(path, "_id") || strings.HasSuffix(path, ".reference")) {
			continue // an id's form, and the characters of a reference, the API answers otherwise
		}
		if !reflect.DeepEqual(ours[bound], theirs[bound]) {
			t.Errorf("%s: %s is %v, in the contract %v", path, bound, ours[bound], theirs[bound])
		}
	}
	here, _ := ours["properties"].(object)
	there, _ := theirs["properties"].(object)
	if names := slices.Sorted(maps.Keys(here)); !slices.Equal(names, slices.Sorted(maps.Keys(there))) {
		t.Errorf("%s has %v, in the contract %v", path, names, slices.Sorted(maps.Keys(there)))
		return
	}
	for name, schema := range here {
		sameBounds(t, path+"."+name, schema.(object), there[name].(object))
	}
}

// resolved is a schema of the contract in the terms of JSON Schema: references followed, allOf
// joined, null left to "left out", and the one bound written that OpenAPI 3.0 writes otherwise.
func resolved(contract object, schema any) object {
	result := object{}
	for name, value := range normal(schema).(object) {
		switch name {
		case "$ref":
			target := any(contract)
			for step := range strings.SplitSeq(strings.TrimPrefix(value.(string), "#/"), "/") {
				target = at(target, step)
			}
			maps.Copy(result, resolved(contract, target))
		case "allOf":
			for _, part := range value.([]any) {
				maps.Copy(result, resolved(contract, part))
			}
		case "properties":
			properties := object{}
			for property, of := range value.(object) {
				properties[property] = resolved(contract, of)
			}
			result[name] = properties
		case "enum":
			result[name] = slices.DeleteFunc(value.([]any), func(one any) bool { return one == nil })
		default:
			result[name] = value
		}
	}
	if result["exclusiveMinimum"] == true {
		result["exclusiveMinimum"] = result["minimum"]
		delete(result, "minimum")
	}
	return result
}

// normal is a value as JSON has it.
func normal(value any) (same any) {
	content, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprint("a schema is not JSON: ", err))
	}
	if err := json.Unmarshal(content, &same); err != nil {
		panic(err)
	}
	return same
}

// tools are those that the server has.
func tools(t *testing.T) []*mcp.Tool {
	t.Helper()
	a := connect(t, "http://127.0.0.1:1", nfse.NewAPIKeyText(false), mcpserver.Options{}, nobody)
	listed, err := a.ListTools(t.Context(), &mcp.ListToolsParams{})
	must(t, err)
	return listed.Tools
}

// The list of tools never changes, and nothing is said to tell of that.
func TestTools_DoNotChange(t *testing.T) {
	a := connect(t, "http://127.0.0.1:1", nfse.NewAPIKeyText(false), mcpserver.Options{}, nobody)
	if can := a.InitializeResult().Capabilities; can.Tools == nil || can.Tools.ListChanged {
		t.Errorf("it can %+v", can)
	}
}

// Each tool says what it is, whether it changes something, and is on the page about them.
func TestTools_AreDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/integrating/mcp.md")
	must(t, err)
	acts := []string{"cancel_note", "create_service", "issue_note", "save_customer"}
	var changing []string
	for _, tool := range tools(t) {
		if at(normal(tool.InputSchema), "properties") == nil {
			t.Errorf("%s has null for properties, which clients refuse", tool.Name)
		}
		if tool.Title == "" || !strings.HasSuffix(tool.Description, ".") || tool.OutputSchema == nil {
			t.Errorf("%s is not described", tool.Name)
		}
		if !tool.Annotations.ReadOnlyHint {
			changing = append(changing, tool.Name)
		}
		if !strings.Contains(string(page), "| `"+tool.Name+"` |") {
			t.Errorf("docs/integrating/mcp.md has no row of %s", tool.Name)
		}
	}
	if slices.Sort(changing); !slices.Equal(changing, acts) {
		t.Errorf("those that change something are %v", changing)
	}
}
