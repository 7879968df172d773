package clients

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/testkit"
)

const description = "../../../api/openapi.yaml"

// generator makes a client of the description, and a program of the client and of our quick start.
type generator struct {
	language string
	needs    []string
	// build returns the command of the program; the folder is empty.
	build func(t *testing.T, folder string) []string
}

var generators = []generator{
	{"go", []string{"go"}, generateGo},
	{"typescript", []string{"node"}, generateTypeScript},
	{"python", []string{"python3", "java"}, generatePython},
}

// said is what a quick start writes: of the note, of the document, and of three errors with their fields.
var said = regexp.MustCompile(`^issued (nfse_[0-9a-z]{26})
xml ([0-9]+)
cancelled (nfse_[0-9a-z]{26})
error invalid_request service_id
error service_not_found service_id
error idempotency_conflict reference
$`)

// A client that a generator makes of the description works as it is.
func TestGenerated_QuickStart(t *testing.T) {
	long.Only(t, "generates clients of api/openapi.yaml and runs them")
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	for _, generator := range generators {
		t.Run(generator.language, func(t *testing.T) {
			t.Parallel()
			need(t, generator.needs...)
			command := generator.build(t, t.TempDir())

			organization, key, _ := s.NewOrganization(t, "Padaria Exemplo")
			receiver, secret := receiverOf(t, s, languageOf(generator.language), organization)
			program := exec.CommandContext(t.Context(), command[0], command[1:]...)
			program.Env = append(os.Environ(), "EMISSOR_API_URL="+s.URL, "EMISSOR_API_KEY="+key)
			output, err := program.CombinedOutput()
			found := said.FindStringSubmatch(string(output))
			if err != nil || found == nil {
				t.Fatalf("%v\n%s", err, output)
			}

			note := s.Call(t, http.MethodGet, "/v1/nfse/"+found[1], key, nil).Expect(t, http.StatusOK)
			xml := s.Call(t, http.MethodGet, "/v1/nfse/"+found[1]+"/xml", key, nil).Expect(t, http.StatusOK)
			if found[3] != found[1] || note.Text("status") != "cancelled" || note.Text("reference") != "order-1001" ||
				found[2] != strconv.Itoa(len(xml.Raw)) {
				t.Errorf("the program wrote\n%sof %s with %d bytes", output, note.Raw, len(xml.Raw))
			}
			receiver.awaitEvent(t, "nfse.issued")
			receiver.awaitEvent(t, "nfse.cancelled")
			receiver.refuses(t, secret)
		})
	}
}

// receiverOf runs the receiver of a language's page as the endpoint of an organization.
func receiverOf(t *testing.T, s *testkit.System, language *language, organization nfse.Organization) (
	running *receiver, secret string) {
	t.Helper()
	code := programs(page(t, language.name))[language.receiver]
	command := language.program(t, language.receiver, []byte(code))
	port := freePort(t)
	running = &receiver{URL: "http://localhost:" + port + "/"}
	_, secret = s.NewEndpointOf(t, nfse.Scope{OrganizationID: organization.ID}, running.URL)
	running.start(t, command, port, secret)
	return running, secret
}

// described is the path of the description.
func described(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(description)
	must(t, err)
	return path
}

// copied copies the quick start of a language to a folder.
func copied(t *testing.T, language, folder string) {
	t.Helper()
	must(t, os.CopyFS(folder, os.DirFS(filepath.Join("testdata", language))))
}

func generateGo(t *testing.T, folder string) []string {
	t.Helper()
	copied(t, "go", folder)
	must(t, os.MkdirAll(filepath.Join(folder, "emissor"), 0o700))
	runIn(t, folder, nil, tool(t, "oapi-codegen"), "-generate", "types,client", "-package", "emissor",
		"-o", "emissor/emissor.gen.go", described(t))
	runIn(t, folder, nil, "go", "vet", "./...")
	built := filepath.Join(folder, "quickstart.program")
	runIn(t, folder, []string{"CGO_ENABLED=0"}, "go", "build", "-o", built, ".")
	return []string{built}
}

// generateTypeScript makes types, checks the program strictly and makes JavaScript of it.
func generateTypeScript(t *testing.T, folder string) []string {
	t.Helper()
	modules := npm(t, "openapi-typescript", "openapi-fetch")
	copied(t, "typescript", folder)
	linked(t, folder, "openapi-fetch")
	runIn(t, folder, nil, "node", filepath.Join(modules, "openapi-typescript/bin/cli.js"), described(t),
		"-o", "emissor.d.ts")
	return buildTypeScript(t, folder, "quickstart.ts")
}

func generatePython(t *testing.T, folder string) []string {
	t.Helper()
	modules := npm(t, "@openapitools/openapi-generator-cli")
	python := pythonWith(t, "urllib3, dateutil, six, certifi")
	copied(t, "python", folder)
	runIn(t, folder, nil, "java", "-jar",
		filepath.Join(modules, "@openapitools/openapi-generator-cli/bin/openapi-generator.jar"), "generate", "-g", "python",
		"-i", described(t), "-o", "client", "--additional-properties=packageName=emissor_client")
	return []string{"env", "PYTHONPATH=" + filepath.Join(folder, "client"), python, filepath.Join(folder, "quickstart.py")}
}

// pythonWith is a Python that has modules: Debian's, or the first in the path.
func pythonWith(t *testing.T, modules string) string {
	t.Helper()
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(python, "-c", "import "+modules).Run() == nil {
			return python
		}
	}
	t.Skipf("no Python has %s: dev/setup.sh clients installs them on Debian", modules)
	return ""
}
