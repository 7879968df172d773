//go:build containers

package containers

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// handbook is what docs/operations says of containers: the blocks of commands, each of which must be followed.
type handbook struct {
	blocks map[section][]*block
	seen   map[string]string // of each kind of id the last one that was printed, by its prefix
}

// section is a part of a page.
type section struct{ page, heading string }

type block struct {
	commands []string
	followed bool
}

var (
	ofContainers = regexp.MustCompile(`docker compose|(?m)^deploy/|EMISSOR_DATABASE_PASSWORD`)
	placeholder  = regexp.MustCompile(`\b((?:[a-z]+_)+)…`)
	printedID    = regexp.MustCompile(`\b((?:org|key|srv|nfse|svc_test)_)[0-9A-Za-z]{26,}`)
	hereDocument = regexp.MustCompile(`<<'?(\w+)'?`)
)

// readHandbook reads the pages' blocks that are of containers.
func readHandbook(t *testing.T) *handbook {
	t.Helper()
	h := &handbook{blocks: map[section][]*block{}, seen: map[string]string{}}
	pages, err := filepath.Glob("../../docs/operations/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		at := section{page: filepath.Base(page)}
		var lines []string
		inside := false
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case strings.HasPrefix(strings.TrimSpace(line), "```"):
				if inside && ofContainers.MatchString(strings.Join(lines, "\n")) {
					h.blocks[at] = append(h.blocks[at], &block{commands: commandsOf(t, lines)})
				}
				inside, lines = !inside, nil
			case inside:
				lines = append(lines, line)
			case strings.HasPrefix(line, "#"):
				at.heading = strings.TrimLeft(line, "# ")
			}
		}
	}
	return h
}

// commandsOf joins the lines of each command.
func commandsOf(t *testing.T, lines []string) (commands []string) {
	t.Helper()
	var command string
	end := ""
	for _, line := range lines {
		command += line + "\n"
		if end != "" && line != end {
			continue
		}
		if begins := hereDocument.FindStringSubmatch(line); begins != nil {
			end = begins[1]
			continue
		}
		end = ""
		if !strings.HasSuffix(line, `\`) && exec.Command("bash", "-n", "-c", command).Run() == nil {
			commands, command = append(commands, command), ""
		}
	}
	if command != "" {
		t.Fatalf("a command has no end:\n%s", command)
	}
	return commands
}

// follow does what the block of a section says that comes next there: each command as it is written, but for ids, which
// are those that the commands before have printed, and for replacements, which the page leaves to the reader.
func (h *handbook) follow(t *testing.T, m machine, page, heading string, replacements ...string) (printed []string) {
	t.Helper()
	for _, b := range h.blocks[section{page, heading}] {
		if !b.followed {
			b.followed = true
			return h.do(t, m, b.commands, replacements...)
		}
	}
	t.Fatalf("%s has no more commands under %q", page, heading)
	return nil
}

// again does what follow did last.
func (h *handbook) again(t *testing.T, m machine, page, heading string, replacements ...string) (printed []string) {
	t.Helper()
	var last *block
	for _, b := range h.blocks[section{page, heading}] {
		if b.followed {
			last = b
		}
	}
	return h.do(t, m, last.commands, replacements...)
}

// do runs commands in one shell, one after the other.
func (h *handbook) do(t *testing.T, m machine, commands []string, replacements ...string) (printed []string) {
	t.Helper()
	variables := ""
	for _, command := range commands {
		command = placeholder.ReplaceAllStringFunc(command, func(found string) string {
			id := h.seen[strings.TrimSuffix(found, "…")]
			if id == "" {
				t.Fatalf("nothing was printed yet that could be %s in\n%s", found, command)
			}
			return id
		})
		command = strings.NewReplacer(replacements...).Replace(command)
		t.Logf("$ %s", strings.TrimSuffix(command, "\n"))
		// A variable holds for the block, with the value that it got.
		if name, _, assigned := strings.Cut(command, "=$("); assigned && !strings.ContainsAny(name, " \n") {
			variables += name + "=" + quoted(m.run(t, command+"echo \"$"+name+"\"")) + "\n"
			continue
		}
		output, err := m.try(t, variables+command)
		if err != nil {
			t.Fatalf("%s%v\n%s", command, err, output)
		}
		t.Logf("%s", shortened(output))
		for _, found := range printedID.FindAllStringSubmatch(output, -1) {
			h.seen[found[1]] = found[0]
		}
		printed = append(printed, output)
	}
	return printed
}

// shortened is a text of which the end is enough.
func shortened(text string) string {
	lines := strings.Split(text, "\n")
	if len(lines) > 12 {
		lines = append([]string{"…"}, lines[len(lines)-12:]...)
	}
	return strings.Join(lines, "\n")
}

// expectAllFollowed fails for each block of the pages that is no step of a test.
func (h *handbook) expectAllFollowed(t *testing.T) {
	t.Helper()
	for at, blocks := range h.blocks {
		for _, b := range blocks {
			if !b.followed {
				t.Errorf("nobody followed %s, %s:\n%s", at.page, at.heading, strings.Join(b.commands, ""))
			}
		}
	}
}
