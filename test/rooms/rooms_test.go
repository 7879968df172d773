package rooms

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "emissor/"

// floors are the rooms from the ground up. A room imports only rooms of lower
// floors, or rooms inside itself; a new room gets its place here.
var floors = [][]string{
	{"internal/tsv"},
	{"nfse/fact"},
	{
		"worker/admission", "internal/limit", "internal/outgoing", "internal/recent", "internal/retry",
		"internal/seal",
		"internal/xmlread", "internal/panics", "internal/sheets", "internal/zipparts",
		"test/pgwire", "test/generate", "test/reference", "test/long",
	},
	{"nfse", "fiscal/xmldsig", "internal/packed"},
	{"client", "internal/archive", "internal/seal/kms"},
	{"internal/text", "internal/trace"},
	{"fiscal", "internal/mail", "internal/municipality", "internal/webhook"},
	{"internal/cnpj", "fiscal/danfse", "client/mcpserver", "fiscal/certificate", "fiscal/cities", "fiscal/drift",
		"fiscal/mtls",
		"fiscal/rulecatalogue", "fiscal/taxes"},
	{"fiscal/national/schema"},
	{"fiscal/national/classification", "workflows"},
	{"fiscal/description"},
	{"fiscal/national"},
	{"fiscal/saopaulo", "fiscal/simulation"},
	{"store/postgres"},
	{"store/audit", "store/outbox"},
	{"store/access", "store/companies", "store/catalogues"},
	{"store/notes", "store/exchanges"},
	{"store/webhooks", "store/mails", "store/numbers"},
	{"store/lifecycle"},
	{"store/received"},
	{"store/books"},
	{"store/archive", "store/batches", "store/operate"},
	{"store/privacy"},
	{"store"},
	{"fiscal/authorities", "fiscal/national/classification/imported", "internal/metrics"},
	{
		"issuing/catalogue", "issuing/company", "issuing/rehearsal", "issuing/comparison", "internal/seal/rotation",
		"internal/web",
		"internal/webhook/endpoint",
	},
	{"issuing/batch", "issuing/doctor", "dashboard/listening"},
	{"dashboard/words"},
	{"dashboard/format"},
	{"activities", "api", "dashboard/frame", "worker/dispatch"},
	{"dashboard/webhooks", "dashboard/mails", "dashboard/catalogues"},
	{"dashboard/notes"},
	{"dashboard/companies", "dashboard/books"},
	{"dashboard/received", "dashboard/batches", "dashboard/operate", "dashboard/access"},
	{"dashboard"},
	{"activities/exchange"},
	{"worker"},
	{"cmd/emissor/cli"},
	{"cmd/emissor/serve"},
	{"cmd/emissor/operate"},
	{"cmd/emissor/company"},
	{"cmd/emissor/callers"},
	{"cmd/emissor"},
	// Of tests and development: nothing below may import them.
	{"test/simulators/shared", "test/rooms", "test/simulators/objectstore"},
	{"test/simulators/sefin", "test/simulators/saopaulo", "test/simulators/calculator"},
	{"test/simulators/issnet", "test/simulators/fiorilli"},
	{"cmd/sefin-simulator", "cmd/saopaulo-simulator", "test/testkit", "test/harness"},
	{"test/demo", "test/evidence", "test/generated", "test/recorded"},
	// The module test/system.
	{"test/system/bench", "test/system/chaos", "test/system/clients", "test/system/drill", "test/system/faults",
		"test/system/upgrade", "test/system/watch"},
}

// apart are what rooms must not even be linked with, through anything that they import.
var apart = map[string][]string{
	// The API accepts and reads: it can open no secret, sign nothing and talk to no engine and no authority.
	"api": {
		"emissor/internal/seal", "emissor/fiscal/certificate", "emissor/fiscal/xmldsig", "emissor/fiscal/national",
		"emissor/fiscal/simulation",
		"emissor/worker/dispatch", "emissor/workflows", "go.temporal.io/sdk/client",
	},
	// A caller knows the contract, and has what its key shows: no database, no engine, no secret of the service. What is
	// made for programs of others needs Go alone.
	"client":           {"emissor/nfse", "github.com", "golang.org", "google.golang.org", "go.temporal.io"},
	"client/mcpserver": {"emissor/store", "emissor/internal/seal", "github.com/lib/pq", "go.temporal.io/sdk/client"},
	// The dashboard is a door of its own: it starts no workflow, and calls no authority.
	"dashboard": {
		"emissor/api", "emissor/activities", "emissor/worker/dispatch", "emissor/worker",
		"emissor/fiscal/national/sefin",
		"emissor/fiscal/national/adn", "emissor/fiscal/national/dps", "emissor/fiscal/saopaulo/nfews",
		"emissor/fiscal/saopaulo/rps", "go.temporal.io/sdk/client",
	},
	// The rules are decided below HTTP, for every door.
	"issuing/catalogue": {"emissor/api", "emissor/internal/seal", "net/http/httptest", "go.temporal.io/sdk/client"},
	// A rehearsal sends nothing: it knows authorities only as what checks and builds.
	"issuing/comparison": {"emissor/internal/seal", "emissor/fiscal/national/sefin", "go.temporal.io/sdk/client"},
	"issuing/rehearsal": {
		"emissor/internal/seal", "emissor/fiscal/national/sefin", "emissor/fiscal/saopaulo/nfews",
		"go.temporal.io/sdk/client",
	},
	// The rules of an exchange know no database.
	"fiscal": {"github.com/lib/pq", "net/http", "emissor/store"},
	// A page is drawn from what it is given.
	"fiscal/danfse": {"emissor/store", "emissor/fiscal", "github.com/lib/pq"},
	// What a workflow does is decided without a database, a network or an authority.
	"workflows": {"emissor/store", "emissor/activities", "emissor/fiscal/national", "github.com/lib/pq"},
	// Only the command that imports, and the dashboard, read workbooks.
	"worker": {"github.com/xuri/excelize/v2"},
	// What catches the product's mistakes shares nothing with it.
	"test/simulators/sefin":      {"emissor/fiscal", "emissor/nfse", "emissor/internal/municipality"},
	"test/simulators/saopaulo":   {"emissor/fiscal", "emissor/nfse", "emissor/internal/municipality"},
	"test/simulators/calculator": {"emissor/fiscal", "emissor/nfse", "emissor/internal/municipality"},
	"test/simulators/issnet":     {"emissor/fiscal", "emissor/nfse", "emissor/internal/municipality"},
	"test/simulators/fiorilli":   {"emissor/fiscal", "emissor/nfse", "emissor/internal/municipality"},
	// What is only for development and tests is not in the product.
	"cmd/emissor": {
		"emissor/test/simulators", "emissor/test/harness", "emissor/test/reference", "emissor/test/testkit",
		"emissor/test/generate",
		"pgregory.net/rapid", "github.com/Shopify/toxiproxy", "github.com/chromedp/chromedp",
		"github.com/prometheus/prometheus",
	},
}

// alone are packages of others that one room keeps to itself.
var alone = map[string][]string{
	"github.com/lib/pq":                      {"store"},
	"google.golang.org/grpc":                 {"worker/admission"},
	"github.com/jmoiron/sqlx":                {"store"},
	"encoding/xml":                           {"fiscal", "internal/xmlread"},
	"codeberg.org/go-pdf/fpdf":               {"fiscal/danfse"},
	"github.com/boombuler/barcode/qr":        {"fiscal/danfse"},
	"github.com/go-chi/chi/v5":               {"api"},
	"github.com/wneessen/go-mail":            {"internal/mail"},
	"github.com/spf13/cobra":                 {"cmd"},
	"github.com/tink-crypto/tink-go/v2/aead": {"internal/seal"},
	"github.com/tink-crypto/tink-go/v2/tink": {"internal/seal"},
	"golang.org/x/oauth2/google":             {"internal/seal/kms"},
	"github.com/xuri/excelize/v2": {
		"fiscal/national/classification/published", "internal/sheets", "issuing/batch",
	},
	"go.opentelemetry.io/otel/sdk/trace":       {"internal/trace"},
	"go.temporal.io/sdk/contrib/opentelemetry": {"internal/trace"},
	"golang.org/x/time/rate":                   {"internal/limit", "internal/municipality"},
	"github.com/alexedwards/scs/v2":            {"dashboard"},
	"github.com/klauspost/compress/gzhttp":     {"dashboard"},

	"github.com/go-webauthn/webauthn/webauthn": {"dashboard"},
	"github.com/coreos/go-oidc/v3/oidc":        {"dashboard"},

	"github.com/tink-crypto/tink-go-awskms/v3/integration/awskms": {"internal/seal/kms"},
}

type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
	Deps       []string
}

// A package that is larger than this cannot be held in one head: its subject is two.
const mostFiles, mostLines = 30, 5000

func TestRooms(t *testing.T) {
	packages := list(t)
	t.Run("ImportOnlyWhatIsBelow", func(t *testing.T) {
		for _, p := range packages {
			room, floor := roomOf(t, p.ImportPath)
			for _, imported := range p.Imports {
				if !strings.HasPrefix(imported, module) {
					continue
				}
				below, other := roomOf(t, imported)
				if below != room && other >= floor {
					t.Errorf("%s imports %s, which is not below it", p.ImportPath, imported)
				}
			}
		}
	})
	t.Run("AreNotLinkedWith", func(t *testing.T) {
		for _, p := range packages {
			for _, forbidden := range apart[strings.TrimPrefix(p.ImportPath, module)] {
				if i := slices.IndexFunc(p.Deps, func(dependency string) bool {
					return dependency == forbidden || strings.HasPrefix(dependency, forbidden+"/")
				}); i >= 0 {
					t.Errorf("%s is linked with %s", p.ImportPath, p.Deps[i])
				}
			}
		}
	})
	t.Run("LeaveHelpersToTests", func(t *testing.T) { // packages as nationaltest: dev/lines.sh counts them as tests
		for _, p := range packages {
			for _, imported := range p.Imports {
				room := strings.TrimPrefix(p.ImportPath, module)
				if strings.HasPrefix(imported, module) && strings.HasSuffix(imported, "test") &&
					!strings.HasSuffix(room, "test") && !strings.HasPrefix(room, "test/") {
					t.Errorf("%s imports %s, which is for tests", p.ImportPath, imported)
				}
			}
		}
	})
	t.Run("CanBeHeld", func(t *testing.T) { // without tests, and what is generated
		for _, p := range packages {
			files, lines := 0, 0
			for _, name := range p.GoFiles {
				text, err := os.ReadFile(filepath.Join(p.Dir, name))
				if err != nil {
					t.Fatal(err)
				}
				if !strings.HasPrefix(string(text), "// Code generated") {
					files, lines = files+1, lines+strings.Count(string(text), "\n")
				}
			}
			if room := strings.TrimPrefix(p.ImportPath, module); !strings.HasPrefix(room, "test/") &&
				(files > mostFiles || lines > mostLines) {
				t.Errorf("%s has %d files and %d lines", p.ImportPath, files, lines)
			}
		}
	})
	t.Run("KeepLibrariesToThemselves", func(t *testing.T) {
		for _, p := range packages {
			if room := strings.TrimPrefix(p.ImportPath, module); !strings.HasPrefix(room, "test/") {
				for _, imported := range p.Imports {
					if owners, kept := alone[imported]; kept && !within(owners, room) {
						t.Errorf("%s imports %s, which is for %s alone", p.ImportPath, imported,
							strings.Join(owners, ", "))
					}
				}
			}
		}
	})
}

// roomOf names the room that a package is, or is in, and its floor.
func roomOf(t *testing.T, path string) (room string, floor int) {
	t.Helper()
	path = strings.TrimPrefix(path, module)
	for number, rooms := range floors {
		for _, candidate := range rooms {
			if within([]string{candidate}, path) && len(candidate) > len(room) {
				room, floor = candidate, number
			}
		}
	}
	if room == "" {
		t.Fatalf("the room %s has no place in floors", path)
	}
	return room, floor
}

func within(rooms []string, path string) bool {
	return slices.ContainsFunc(rooms, func(room string) bool {
		return path == room ||
			strings.HasPrefix(path, room+"/")
	})
}

// list lists the packages of the product's module and of test/system.
func list(t *testing.T) []listed {
	t.Helper()
	return append(listModule(t, root), listModule(t, filepath.Join(root, "test/system"))...)
}

func listModule(t *testing.T, folder string) (packages []listed) {
	t.Helper()
	command := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,Deps", "./...")
	command.Dir = folder
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(output)))
	for {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
