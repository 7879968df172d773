package evidence

import (
	_ "embed"
	"flag"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"emissor/test/reference"
)

var update = flag.Bool("update", false, "write docs/evidence.md anew")

const (
	root     = "../.."
	commands = "cmd/emissor/cli" // of which the settings are read
)

// heard are the packages that talk to hosts or say what their words mean, each with its files that do not: what is
// checked before anything is sent is a row of a catalogue of rules, with a test of its own.
var heard = map[string][]string{
	commands:                           nil,
	"fiscal/cities":                    {"changes.go", "current.go", "parse.go", "row.go", "table.go"},
	"fiscal/mtls":                      nil,
	"fiscal/national":                  nil,
	"fiscal/national/adn":              nil,
	"fiscal/national/calculator":       nil,
	"fiscal/national/cityserver":       nil,
	"fiscal/national/cityserver/rules": {"description.go", "families.go", "holds.go", "off.go"},
	"fiscal/national/dps":              nil,
	"fiscal/national/dsf":              nil,
	"fiscal/national/dsf/rules":        nil,
	"fiscal/national/fiorilli":         nil,
	"fiscal/national/fiorilli/rules":   nil,
	"fiscal/national/issnet":           nil,
	"fiscal/national/issnet/rules":     nil,
	"fiscal/national/parameters":       nil,
	"fiscal/national/rules":            {"check*.go", "description.go", "fields.go", "lacks.go", "profile*.go"},
	"fiscal/national/schema":           nil,
	"fiscal/national/soap":             nil,
	"fiscal/national/sefin":            nil,
	"fiscal/saopaulo":                  nil,
	"fiscal/saopaulo/nfews":            nil,
	"fiscal/saopaulo/rps":              nil,
	"fiscal/saopaulo/rules": {"check*.go", "description.go", "fields.go", "note_url.go", "place.go", "profile.go",
		"taxation.go"},
	"fiscal/xmldsig": nil,
}

//go:embed table.tsv
var table string

// row is a line of the table.
type row struct {
	authority, call                string
	what                           string
	folder                         string
	files                          []string // none: all of the folder
	demands                        []string
	evidence                       string
	source, otherwise, test, place string
}

// rows reads the table.
func rows(t *testing.T) (all []row) {
	t.Helper()
	var authority, call string
	for line := range strings.Lines(table) {
		line = strings.TrimRight(line, "\n")
		fields := strings.Split(line, "\t")
		switch {
		case line == "":
		case strings.HasPrefix(line, "## "):
			call = line[len("## "):]
		case strings.HasPrefix(line, "# "):
			authority = line[len("# "):]
		case len(fields) != 7:
			t.Errorf("a row has %d columns: %s", len(fields), line)
		default:
			folder, files, _ := strings.Cut(fields[1], ":")
			all = append(all, row{authority, call, fields[0], folder, strings.Fields(files),
				strings.Split(fields[2], ", "), fields[3], fields[4], fields[5], fields[6], fields[1]})
		}
	}
	return all
}

// isOf reports whether a row is of a demand.
func (r row) isOf(one demand) bool {
	return r.folder == one.folder && (len(r.files) == 0 || slices.Contains(r.files, one.file)) &&
		(r.demands[0] == "*" || slices.Contains(r.demands, one.value))
}

// without are the demands that no row is of.
func without(all []row, demands []demand) (missing []demand) {
	for _, one := range demands {
		if !slices.ContainsFunc(all, func(r row) bool { return r.isOf(one) }) {
			missing = append(missing, one)
		}
	}
	return missing
}

// everyDemand returns the demands of everything that is heard.
func everyDemand(t *testing.T) (all []demand) {
	t.Helper()
	for folder, apart := range heard {
		all = append(all, slices.DeleteFunc(demandsIn(t, folder), func(one demand) bool {
			return slices.ContainsFunc(apart, func(pattern string) bool {
				matches, err := path.Match(pattern, one.file)
				return matches || err != nil
			})
		})...)
	}
	return all
}

func TestDemands_EachHasItsRow(t *testing.T) {
	for _, one := range without(rows(t), everyDemand(t)) {
		t.Errorf("%s/%s demands %q, and table.tsv has no row of it", one.folder, one.file, one.value)
	}
}

func TestDemands_RowsHaveTheirDemand(t *testing.T) {
	all := everyDemand(t)
	for _, r := range rows(t) {
		for _, value := range r.demands {
			only := r
			only.demands = []string{value}
			if r.folder != "-" && !slices.ContainsFunc(all, only.isOf) {
				t.Errorf("%s: no source of %s demands %q", r.what, r.place, value)
			}
		}
		for _, file := range r.files {
			only := r
			only.files = []string{file}
			if !slices.ContainsFunc(all, only.isOf) {
				t.Errorf("%s: %s demands nothing of it", r.what, file)
			}
		}
	}
}

// What talks to a host is heard: it imports the client of hosts, or HTTP itself.
func TestDemands_OfEveryPackageThatTalks(t *testing.T) {
	talks := regexp.MustCompile(`"(emissor/fiscal/mtls|net/http)"`)
	err := filepath.WalkDir(filepath.Join(root, "fiscal"), func(name string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := os.ReadFile(name)
		folder, _ := filepath.Rel(root, filepath.Dir(name))
		if _, is := heard[filepath.ToSlash(folder)]; talks.Match(source) && !is && !strings.HasSuffix(folder, "test") {
			t.Errorf("%s talks to hosts, and nobody reads its demands", folder)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What somebody adds to a package that talks to hosts is found, in each of its forms.
func TestDemands_NewOnesAreFound(t *testing.T) {
	for form, c := range map[string]struct{ source, value string }{
		"a member looked up":     {`func f(b body) string { return b.text("situacaoNova") }`, "situacaoNova"},
		"a member of a struct":   {"type a struct { New int `json:\"situacaoNova\"` }", "situacaoNova"},
		"a member without a tag": {"type a struct { B []struct{ SituacaoNova int } `json:\"erros\"` }", "SituacaoNova"},
		"an element":             {"type a struct { New []string `xml:\"urn:x infNFSe>novo,omitempty\"` }", "infNFSe>novo"},
		"an element in a text":   {"var a = `<novo xmlns=\"urn:x\">`", "novo"},
		"a segment of a path":    {`var c = call{name: "new", path: []string{"novos", id}}`, "novos"},
		"a code":                 {`func f(code string) bool { return code == "E4321" }`, "E4321"},
		"a status":               {`func f(r reply) bool { return r.Status == http.StatusConflict }`, "http.StatusConflict"},
		"a status as a number":   {`func f(r reply) bool { return r.Status == 409 }`, "status == 409"},
		"a method":               {`var c = call{method: http.MethodPut}`, "http.MethodPut"},
		"a time-out":             {`const newTimeout = 7 * time.Second`, "newTimeout"},
		"a limit":                {`const ( maxNew = 1 << 4 )`, "maxNew"},
		"a version of TLS":       {`var most = tls.VersionTLS10`, "tls.VersionTLS10"},
		"a promise":              {`var c = fiscal.Capabilities{Forgets: true}`, "Capabilities.Forgets"},
	} {
		source := parsed(t, []byte("package sefin\n"+c.source))
		var found []demand
		for _, value := range demandsOf(source) {
			found = append(found, demand{"fiscal/national/sefin", "reply.go", value})
		}
		missing := without(rows(t), found)
		if !slices.Contains(missing, demand{"fiscal/national/sefin", "reply.go", c.value}) {
			t.Errorf("%s: of %v nobody misses %q", form, found, c.value)
		}
	}
	setting := parsed(t, []byte("package main\ntype a struct { New string "+
		"`envconfig:\"EMISSOR_NATIONAL_NEW\" default:\"1\"` }"))
	if found := settingsOf(setting); !slices.Equal(found, []string{"EMISSOR_NATIONAL_NEW=1"}) {
		t.Errorf("of a setting is found %q", found)
	}
}

// What is said to people is no demand.
func TestDemands_WordsForPeopleAreNone(t *testing.T) {
	source := parsed(t, []byte(`package sefin
import "net/http"
var asked = call{name: "find"}
func f() error { log.LogAttrs(x, "asked"); use(fact.A.With("status", 1)); return errors.New("no") }`))
	if found := demandsOf(source); len(found) > 0 {
		t.Errorf("found are %q", found)
	}
}

var (
	answer   = regexp.MustCompile(`[\w-]+\.txt`)
	document = regexp.MustCompile(`(?:^|[ (:])((?:national|saopaulo|cities)/[\w./-]*\w)`)
	standard = regexp.MustCompile(`\b(?:RFC [0-9]+|W3C|OpenAPI|manual of the supplier)\b`)
	named    = regexp.MustCompile(`^(?:Test|Fuzz)\w+$`)
	// anywhere are demands that may well be met with in another call, where they mean something else.
	anywhere = regexp.MustCompile(`^(?:http\.Status.*|status .*|[^*-]{1,2})$`)
)

// documents returns the documents of the authorities' material that a row names.
func (r row) documents() (names []string) {
	for _, found := range document.FindAllStringSubmatch(r.source, -1) {
		names = append(names, found[1])
	}
	return names
}

// lacks is what a row does not have of what its evidence needs; empty where it has all.
func (r row) lacks() string {
	for _, file := range answer.FindAllString(r.source, -1) {
		if _, err := os.Stat(filepath.Join(root, "test/recorded/answers", file)); err != nil {
			return "the recording " + file
		}
	}
	switch {
	case len(r.files) == 0 && slices.ContainsFunc(r.demands, anywhere.MatchString):
		return "the files in which that is demanded"
	case r.evidence == "ours" && r.source+r.otherwise+r.test == "":
	case r.what == "" || r.source == "" || r.otherwise == "":
		return "a demand, its source, and what happens otherwise"
	case r.demands[0] == "*" && r.evidence != "official":
		return "the schema that describes all of it"
	case r.evidence == "recorded" && !answer.MatchString(r.source):
		return "its file in test/recorded/answers"
	case r.evidence == "official" && len(r.documents()) == 0 && !standard.MatchString(r.source):
		return "its document"
	case r.evidence == "assumed" && r.test == "", r.test != "" && !named.MatchString(r.test):
		return "a test which shows what it costs to be wrong"
	case !slices.ContainsFunc(kinds, func(kind [2]string) bool { return kind[0] == r.evidence }):
		return "evidence of a kind that is known"
	}
	return ""
}

// Every row says how it is known: recorded by files that are there, official by documents, assumed with a test which
// shows that being wrong costs time or an alarm.
func TestEvidence_IsThere(t *testing.T) {
	for _, r := range rows(t) {
		if lacks := r.lacks(); lacks != "" {
			t.Errorf("%s, %s: %q lacks %s", r.authority, r.call, r.what, lacks)
		}
	}
}

func TestEvidence_IsMissed(t *testing.T) {
	whole := row{what: "a status", folder: "fiscal/mtls", files: []string{"outcome.go"},
		demands: []string{"http.StatusOK"}, evidence: "recorded", source: "sefin-find-404.txt", otherwise: "time",
		test: "TestEvidence_IsMissed"}
	if lacks := whole.lacks(); lacks != "" {
		t.Fatalf("it lacks %s", lacks)
	}
	for name, edit := range map[string]func(*row){
		"a recording that is none":     func(r *row) { r.source = "sefin-find-405.txt" },
		"a status of any file":         func(r *row) { r.files = nil },
		"recorded nowhere":             func(r *row) { r.source = "a client" },
		"official by no document":      func(r *row) { r.evidence, r.source = "official", "the manual" },
		"assumed without a test":       func(r *row) { r.evidence, r.test = "assumed", "" },
		"a test that is none":          func(r *row) { r.test = "somebody looked" },
		"nothing if it is otherwise":   func(r *row) { r.otherwise = "" },
		"all of a folder, by a report": func(r *row) { r.evidence, r.demands = "reported", []string{"*"} },
		"another kind of evidence":     func(r *row) { r.evidence = "known" },
		"ours, with an excuse":         func(r *row) { r.evidence = "ours" },
	} {
		edited := whole
		if edit(&edited); edited.lacks() == "" {
			t.Errorf("%s: nothing is missed", name)
		}
	}
}

// The documents that rows name are among the authorities' material.
func TestEvidence_DocumentsAreThere(t *testing.T) {
	folders := map[string]string{"national": reference.National(t), "saopaulo": reference.SaoPaulo(t),
		"cities": reference.Cities(t)}
	for _, r := range rows(t) {
		for _, name := range r.documents() {
			folder, file, _ := strings.Cut(name, "/")
			if _, err := os.Stat(filepath.Join(folders[folder], file)); err != nil {
				t.Errorf("%s: there is no %s", r.what, name)
			}
		}
	}
}
