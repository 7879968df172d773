package api_test

import (
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/go-chi/chi/v5"

	"emissor/api"
	"emissor/store"
	"emissor/test/testkit"
)

func TestOperations_RouterOpenAPIAndContract(t *testing.T) {
	routed := map[string]bool{}
	err := chi.Walk(api.New(api.Options{Store: &store.Store{}}).Handler().(chi.Routes),
		func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
			routed[method+" "+path] = true
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}

	described := map[string]bool{}
	for path, item := range testkit.Description(t).Paths.Map() {
		for method := range item.Operations() {
			described[method+" "+path] = true
		}
	}

	text, err := os.ReadFile("llms-full.txt")
	if err != nil {
		t.Fatal(err)
	}
	promised := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([A-Z]+) \| (/\S+) \|`).FindAllSubmatch(text, -1) {
		promised[string(row[1])+" "+string(row[2])] = true
	}

	same(t, "the description against the router", sorted(described), sorted(routed))
	same(t, "the contract against the router", sorted(promised), sorted(routed))
	same(t, "operations", len(routed), 18)
}

func TestOperations_Keyed(t *testing.T) {
	tested := map[string]bool{"GET /v1/health": true, "GET /llms-full.txt": true, "HEAD /llms-full.txt": true,
		"HEAD /v1/health": true, "HEAD /v1/nfse/{id}/xml": true} // see TestProtocol_Head
	for _, operation := range keyed {
		path := regexp.MustCompile(`/1(/|$)`).ReplaceAllString(operation.path, "/{id}$1")
		tested[operation.method+" "+path] = true
	}
	routed := map[string]bool{}
	_ = chi.Walk(api.New(api.Options{Store: &store.Store{}}).Handler().(chi.Routes),
		func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
			routed[method+" "+path] = true
			return nil
		})
	same(t, "operations", sorted(tested), sorted(routed))
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
