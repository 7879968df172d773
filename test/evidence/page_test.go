package evidence

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// docs/evidence.md is what the table says.
func TestDocs(t *testing.T) {
	name, written := filepath.Join(root, "docs/evidence.md"), page(rows(t))
	if *update {
		if err := os.WriteFile(name, written, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stored, written) {
		t.Error("docs/evidence.md is not what table.tsv says: go test ./test/evidence -run TestDocs -update")
	}
}

// kinds of evidence, from the surest on, each with what it means.
var kinds = [][2]string{
	{"recorded", "it came from a real host, and others have published it: a file of `test/recorded/answers`"},
	{"official", "a schema, a manual or a table of the authority, or a standard, says so"},
	{"reported", "somebody who runs against the real host says so, or has it in a program in use"},
	{"assumed", "nobody says so; the test shows that to be wrong costs time or an alarm"},
}

// left is how a row says that it costs more to be wrong than time or an alarm.
const left = "[what is left](#what-is-left)"

func page(all []row) []byte {
	all = slices.DeleteFunc(slices.Clone(all), func(r row) bool { return r.evidence == "ours" })
	var out bytes.Buffer
	out.WriteString(`# What Emissor demands of hosts, and how that is known

Generated from test/evidence (table.tsv) by ` + "`go test ./test/evidence -run TestDocs -update`" + `, and verified by
the same test without the flag. **Nothing was tried against a real host by Emissor.** What was recorded of them is read
by ` + "`test/recorded`" + `; what decides that a document exists is in
[architecture.md](architecture.md#what-decides-that-a-document-exists). Documents are named as they lie among the
authorities' material, which [CONTRIBUTING.md](../CONTRIBUTING.md) lists.

`)
	for _, kind := range kinds {
		fmt.Fprintf(&out, "- *%s*: %s.\n", kind[0], kind[1])
	}
	out.WriteString(`
A test reads the sources of what talks to hosts, and fails for a member, code, path, status, constant or setting that is
not here. Where it costs more to be wrong, it is ` + left + `.

| | recorded | official | reported | assumed |
|---|---:|---:|---:|---:|
`)
	for _, authority := range distinct(all, func(r row) string { return r.authority }) {
		fmt.Fprintf(&out, "| %s |", authority)
		for _, kind := range kinds {
			count := 0
			for _, r := range all {
				if r.authority == authority && r.evidence == kind[0] {
					count++
				}
			}
			fmt.Fprintf(&out, " %d |", count)
		}
		out.WriteString("\n")
	}
	authority, call := "", ""
	for _, r := range all {
		if r.authority != authority {
			authority, call = r.authority, ""
			fmt.Fprintf(&out, "\n## %s\n", authority)
		}
		if r.call != call {
			call = r.call
			fmt.Fprintf(&out, "\n### %s\n\n| demanded | as | known | if it is otherwise |\n|---|---|---|---|\n", call)
		}
		fmt.Fprintf(&out, "| %s | %s | *%s*: %s | %s |\n", r.what, asked(r), r.evidence, r.source, cost(r))
	}
	out.WriteString("\n## What is left\n\nWhere being wrong would cost more than time or an alarm, until somebody has " +
		"tried it:\n\n")
	for _, r := range all {
		if strings.HasSuffix(r.otherwise, ": "+left) {
			fmt.Fprintf(&out, "- **%s, %s**: %s (*%s*). If it is otherwise: %s.\n", r.authority, r.call, r.what, r.evidence,
				strings.Replace(r.otherwise, ": "+left, "", 1))
		}
	}
	return out.Bytes()
}

func distinct(all []row, of func(row) string) (values []string) {
	for _, r := range all {
		if value := of(r); !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}

// asked is what the code has of a demand.
func asked(r row) string {
	switch r.demands[0] {
	case "-":
		return ""
	case "*":
		return "all of `" + r.folder + "`"
	}
	return "`" + strings.ReplaceAll(strings.Join(r.demands, "`, `"), "|", `\|`) + "`"
}

// cost is what happens where a demand is not met, and the test that shows it.
func cost(r row) string {
	if r.test == "" {
		return r.otherwise
	}
	return r.otherwise + " (`" + r.test + "`)"
}
