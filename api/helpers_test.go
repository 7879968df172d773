package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

type Body = testkit.Body

// The municipalities and zip codes of the tests. The built-in ranges know both
// zip codes; nobody knows the third.
const (
	saoPaulo     = "3550308"
	rio          = "3304557"
	zipSaoPaulo  = "01310100"
	zipRio       = "20040020"
	zipOfNoRange = "19990000"
)

// absent, as a value of with, takes a field away.
var absent = new(struct{})

// with copies a body and changes some of its fields, named by dotted paths.
func with(body Body, changes Body) Body {
	changed := clone(body)
	for path, value := range changes {
		at, names := changed, strings.Split(path, ".")
		for _, name := range names[:len(names)-1] {
			nested, ok := at[name].(Body)
			if !ok {
				nested = Body{}
				at[name] = nested
			}
			at = nested
		}
		name := names[len(names)-1]
		if at[name] = value; value == absent {
			delete(at, name)
		}
	}
	return changed
}

func clone(body Body) Body {
	copied := maps.Clone(body)
	for name, value := range copied {
		if nested, ok := value.(Body); ok {
			copied[name] = clone(nested)
		}
	}
	return copied
}

// raw is JSON written by hand.
func raw(text string) json.RawMessage { return json.RawMessage(text) }

// decomposed is n characters é, each written as two code points.
func decomposed(n int) string { return strings.Repeat("e\u0301", n) }

// cpf is the i-th of many valid CPFs.
func cpf(i int) string {
	digits := fmt.Sprintf("%09d", 100_000_000+i)
	for range 2 {
		sum := 0
		for at, digit := range digits {
			sum += int(digit-'0') * (len(digits) + 1 - at)
		}
		digits += strconv.Itoa(sum * 10 % 11 % 10)
	}
	return digits
}

// unknownID is well-formed and names nothing.
func unknownID(prefix nfse.Prefix) string { return nfse.NewID(prefix) }

// malformedIDs name nothing, each in its own way. They fit into a path.
func malformedIDs(prefix nfse.Prefix) []string {
	id := nfse.NewID(prefix)
	return []string{
		"1", "null", string(prefix), id[:len(id)-1], id + "0", strings.ToUpper(id),
		strings.Replace(id, string(prefix), "evt_", 1), id[:len(id)-1] + "u", "%00", "a%2Fb", strings.Repeat("x", 2000),
	}
}

// together makes n calls at the same moment and returns what they returned.
func together[T any](n int, call func(i int) T) []T {
	results := make([]T, n)
	var ready, done sync.WaitGroup
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			results[i] = call(i)
		})
	}
	done.Wait()
	return results
}

// same fails the test when the two are not equal.
func same(t testing.TB, what string, got, expected any) {
	t.Helper()
	if !reflect.DeepEqual(got, expected) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, expected)
	}
}

// withoutRequestID is an answer's text without what is of this request alone.
func withoutRequestID(answer testkit.Answer) string {
	return strings.ReplaceAll(string(answer.Raw), answer.Header.Get("X-Request-Id"), "req_")
}

// sameAnswer fails the test when two answers can be told apart.
func sameAnswer(t testing.TB, what string, got, expected testkit.Answer) {
	t.Helper()
	if got.Status != expected.Status || withoutRequestID(got) != withoutRequestID(expected) {
		t.Errorf("%s answers %d %s, and not as %d %s", what, got.Status, got.Raw, expected.Status, expected.Raw)
	}
}

// retryable reads whether an error says that repeating the request may help.
func retryable(answer testkit.Answer) any { return answer.At("error", "retryable") }

// message reads the message of an error.
func message(answer testkit.Answer) string { return answer.Text("error", "message") }

// newSystem is a system without on-line zip code services: ranges decide. Each
// has a database of its own, so their tests run side by side.
func newSystem(t *testing.T) *testkit.System {
	t.Helper()
	t.Parallel()
	return testkit.NewSystem(t, testkit.Options{})
}

// get is a GET with the test key.
func get(t testing.TB, s *testkit.System, path string) testkit.Answer {
	t.Helper()
	return s.Call(t, http.MethodGet, path, s.TestKey, nil)
}

// post is a POST with the test key.
func post(t testing.TB, s *testkit.System, path string, body any) testkit.Answer {
	t.Helper()
	return s.Call(t, http.MethodPost, path, s.TestKey, body)
}

// patch is a PATCH with the test key.
func patch(t testing.TB, s *testkit.System, path string, body any) testkit.Answer {
	t.Helper()
	return s.Call(t, http.MethodPatch, path, s.TestKey, body)
}
