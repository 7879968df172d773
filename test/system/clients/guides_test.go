package clients

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"emissor/test/testkit"
)

const guides = "../../../docs/integrating"

// sections are the headings of every page, in their order.
var sections = []string{
	"Store the reference first", "Issue and retry", "Poll, or receive a webhook", "Verify the signature",
	"Test scenarios", "Errors",
}

// page is the text of a guide by its language.
func page(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(guides, language+".md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var fenced = regexp.MustCompile("(?ms)^```(\\w+) ([\\w.]+)\n(.*?)^```$")

// programs are the programs of a page by their files: the blocks that are named after a file, joined.
func programs(page string) map[string]string {
	code := map[string][]string{}
	for _, block := range fenced.FindAllStringSubmatch(page, -1) {
		code[block[2]] = append(code[block[2]], block[3])
	}
	joined := map[string]string{}
	for file, blocks := range code {
		joined[file] = strings.Join(blocks, "\n")
	}
	return joined
}

// lineOf is the line of a guide, by its language, that begins with a text.
func lineOf(t *testing.T, language, beginning string) string {
	t.Helper()
	for line := range strings.Lines(page(t, language)) {
		if strings.HasPrefix(line, beginning) {
			return strings.TrimSpace(line)
		}
	}
	t.Fatalf("%s.md has no line that begins with %q", language, beginning)
	return ""
}

// sectionsOf are the headings of a page, and the text below each.
func sectionsOf(page string) (headings []string, texts map[string]string) {
	texts = map[string]string{}
	for _, part := range strings.Split(page, "\n## ")[1:] {
		heading, text, _ := strings.Cut(part, "\n")
		headings = append(headings, heading)
		texts[heading] = strings.TrimSpace(text)
	}
	return headings, texts
}

func TestGuides_SameSections(t *testing.T) {
	_, first := sectionsOf(page(t, languages[0].name))
	for _, language := range languages {
		text := page(t, language.name)
		headings, texts := sectionsOf(text)
		if strings.Join(headings, "\n") != strings.Join(sections, "\n") {
			t.Errorf("%s.md has the sections %q", language.name, headings)
		}
		for _, shared := range []string{"Test scenarios", "Errors"} {
			if texts[shared] != first[shared] {
				t.Errorf("%s.md says something else under %q than %s.md", language.name, shared, languages[0].name)
			}
		}
		if code := programs(text); len(code) != 2 || code[language.issue] == "" || code[language.receiver] == "" {
			t.Errorf("%s.md has not the programs %s and %s", language.name, language.issue, language.receiver)
		}
	}
	written, err := filepath.Glob(filepath.Join(guides, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range written {
		if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), "\n## Store the reference") {
			name := strings.TrimSuffix(filepath.Base(file), ".md")
			if languageOf(name) == nil {
				t.Errorf("%s.md is a guide that no test runs", name)
			}
		}
	}
}

var errorRow = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([0-9]{3}) \\| (yes|no|while not final) \\| .{20,} \\|$")

// The table of errors has every code with the status and the repetition that the contract promises.
func TestGuides_ErrorsTable(t *testing.T) {
	type row struct{ status, again string }
	promised := map[string]row{}
	contract, err := os.ReadFile("../../../api/llms-full.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`(?m)^\| ([a-z_]+) \| ([0-9]{3}) \| (yes|no|while [^|]+) \|`).
		FindAllStringSubmatch(string(contract), -1) {
		again := found[3]
		if strings.HasPrefix(again, "while") {
			again = "while not final"
		}
		promised[found[1]] = row{found[2], again}
	}
	codes := testkit.Description(t).Components.Schemas["ErrorCode"].Value.Enum
	for _, language := range languages {
		_, texts := sectionsOf(page(t, language.name))
		written := map[string]row{}
		for _, found := range errorRow.FindAllStringSubmatch(texts["Errors"], -1) {
			written[found[1]] = row{found[2], found[3]}
		}
		for _, code := range codes {
			code := code.(string)
			if written[code] != promised[code] || promised[code].status == "" {
				t.Errorf("%s.md says %v of %s, and the contract %v", language.name, written[code], code, promised[code])
			}
			delete(written, code)
		}
		for code := range written {
			t.Errorf("%s.md has the code %s, which there is not", language.name, code)
		}
	}
}

// The scenarios of the pages are the same as in the description.
func TestGuides_Scenarios(t *testing.T) {
	_, texts := sectionsOf(page(t, languages[0].name))
	scenarios := testkit.Description(t).Components.Schemas["CreateNfse"].Value.Properties["sandbox_scenario"].Value.Enum
	for _, scenario := range scenarios {
		if scenario != nil && !strings.Contains(texts["Test scenarios"], "\n| `"+scenario.(string)+"`") {
			t.Errorf("the table of scenarios has not %s", scenario)
		}
	}
}

// The receivers of the pages, and what they copy, are those that the dashboard shows.
func TestGuides_ReceiversAsInTheDashboard(t *testing.T) {
	for _, name := range []string{"go", "typescript", "python", "php"} {
		language := languageOf(name)
		if shown := inDashboard(t, language.receiver); programs(page(t, name))[language.receiver] != shown {
			t.Errorf("%s.md has another receiver than dashboard/webhooks/receivers/%s.txt", name, language.receiver)
		}
	}
	for _, file := range []string{"emissor_webhook.py", "emissor_webhook.php"} {
		if inDashboard(t, file) != string(read(t, guides, "verify", file)) {
			t.Errorf("docs/integrating/verify/%s is not dashboard/webhooks/receivers/%s.txt", file, file)
		}
	}
}

// inDashboard is a file as the dashboard shows it.
func inDashboard(t *testing.T, file string) string {
	t.Helper()
	return string(read(t, "../../../dashboard/webhooks/receivers", file+".txt"))
}
