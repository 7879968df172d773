package api_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"emissor/test/testkit"
)

// examplesOf are the examples of a body by their names; a single one has the name "", and where the body has none it is
// the one of its schema.
func examplesOf(media *openapi3.MediaType) map[string]any {
	found := map[string]any{}
	if media.Example != nil {
		found[""] = media.Example
	} else if example := media.Schema.Value.Example; example != nil && len(media.Examples) == 0 {
		found[""] = example
	}
	for name, example := range media.Examples {
		found[name] = example.Value.Value
	}
	return found
}

// checkExamples checks that a body in JSON has examples, and that they are what its schema says.
func checkExamples(t *testing.T, what string, content openapi3.Content) {
	t.Helper()
	for kind, media := range content {
		examples := examplesOf(media)
		if len(examples) == 0 {
			t.Errorf("%s has no example in %s", what, kind)
		}
		for name, example := range examples {
			if err := media.Schema.Value.VisitJSON(example); err != nil {
				t.Errorf("%s, example %q: %v", what, name, err)
			}
		}
	}
}

// Every body that is sent or answered has examples, and they are as described.
func TestOpenAPI_Examples(t *testing.T) {
	bodies := 0
	for path, item := range testkit.Description(t).Paths.Map() {
		for method, operation := range item.Operations() {
			for _, parameter := range slices.Concat(item.Parameters, operation.Parameters) {
				if err := parameter.Value.Schema.Value.VisitJSON(parameter.Value.Example); err != nil {
					t.Errorf("the example of the parameter %s of %s: %v", parameter.Value.Name, path, err)
				}
			}
			if operation.RequestBody != nil {
				bodies++
				checkExamples(t, method+" "+path, operation.RequestBody.Value.Content)
			}
			for status, response := range operation.Responses.Map() {
				bodies++
				checkExamples(t, fmt.Sprint(method, " ", path, " ", status), response.Value.Content)
			}
		}
	}
	if bodies < 100 {
		t.Errorf("only %d bodies were found", bodies)
	}
}

// The examples of schemas, which bodies and webhooks share, are as described too.
func TestOpenAPI_SchemaExamples(t *testing.T) {
	for name, schema := range testkit.Description(t).Components.Schemas {
		if example := schema.Value.Example; example != nil {
			if err := schema.Value.VisitJSON(example); err != nil {
				t.Errorf("the example of %s: %v", name, err)
			}
		}
	}
}

// Every error that a response can be has an example, which says whether it is retryable.
func TestOpenAPI_ErrorExamples(t *testing.T) {
	shown := map[string]bool{}
	for name, response := range testkit.Description(t).Components.Responses {
		media := response.Value.Content.Get("application/json")
		if media == nil || media.Schema.Ref != "#/components/schemas/Error" {
			continue
		}
		codes := testkit.ErrorCodes(t, response)
		found := map[string]bool{}
		for _, example := range examplesOf(media) {
			failure, _ := example.(map[string]any)["error"].(map[string]any)
			code, _ := failure["code"].(string)
			found[code], shown[code] = true, true
			if retryable, can := codes[code]; !can || retryable != nil && retryable != failure["retryable"] {
				t.Errorf("the response %s has the example %v, and can be %v", name, failure, codes)
			}
		}
		same(t, "examples of "+name, sorted(found), slices.Sorted(maps.Keys(codes)))
	}
	for _, code := range testkit.Description(t).Components.Schemas["ErrorCode"].Value.Enum {
		if !shown[code.(string)] {
			t.Errorf("no response has the error %s", code)
		}
	}
}

// What the description says by formats of ours is checked of answers: a timestamp without milliseconds or of another
// zone is not as described, nor is a reference with control characters.
func TestOpenAPI_FormatsAreChecked(t *testing.T) {
	schemas := testkit.Description(t).Components.Schemas
	for name, texts := range map[string]map[string]bool{
		"Timestamp": {
			"2026-08-25T09:30:00.120Z": true, "2026-08-25T09:30:00Z": false, "2026-08-25T09:30:00.120-03:00": false,
			"2026-08-25T09:30:00.1204Z": false,
		},
		"Reference": {"order 1001": true, "São João": true, " 1": false, "a\u0085b": false, "a\tb": false},
	} {
		for text, good := range texts {
			if err := schemas[name].Value.VisitJSON(text); (err == nil) != good {
				t.Errorf("%s %q: %v", name, text, err)
			}
		}
	}
}
