package api

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"emissor/internal/web"
	"emissor/nfse"
)

func TestContract_ChangesWithItsDate(t *testing.T) {
	if digestOfContract(contractModified) == contractDigest {
		return
	}
	now := time.Now().UTC().Truncate(time.Second)
	t.Errorf("llms-full.txt or its date has changed. Set both, in contract.go:\n"+
		"contractModified = time.Date(%d, time.%s, %d, %d, %d, %d, 0, time.UTC)\ncontractDigest = %q",
		now.Year(), now.Month(), now.Day(), now.Hour(), now.Minute(), now.Second(), digestOfContract(now))
}

// digestOfContract is of the text and its date, so that no new text goes with
// an old date.
func digestOfContract(modified time.Time) string {
	return digest(append([]byte(modified.Format(http.TimeFormat)+"\n"), contractText...))
}

func TestContract_Date(t *testing.T) {
	published := time.Date(2026, time.August, 24, 0, 0, 0, 0, time.UTC)
	if contractModified.Before(published) || contractModified.After(time.Now()) {
		t.Errorf("the contract was changed on %s", contractModified)
	}
}

// codeRow is a row of the table of codes in the contract's section 7.
var codeRow = regexp.MustCompile(`(?m)^\| ([a-z_]+) \| ([0-9]{3}(?:, [0-9]{3})*) \| (yes|no|while [^|]+) \|`)

func TestContract_Codes(t *testing.T) {
	_, section, _ := strings.Cut(string(contractText), "\n## 7. Errors\n")
	section, _, _ = strings.Cut(section, "\n## 8.")
	promised := map[nfse.Code]int{}
	for _, row := range codeRow.FindAllStringSubmatch(section, -1) {
		status, err := strconv.Atoi(row[2])
		if err != nil {
			t.Errorf("%s has the status %s", row[1], row[2])
		}
		promised[nfse.Code(row[1])] = status
	}
	if !maps.Equal(promised, web.Statuses) {
		t.Errorf("the contract says\n%v\nand the program\n%v", promised, web.Statuses)
	}

	_, description, _ := strings.Cut(string(OpenAPI), "\n    ErrorCode:\n      type: string\n      enum:\n")
	var described []nfse.Code
	for line := range strings.Lines(description) {
		code, ok := strings.CutPrefix(line, "        - ")
		if !ok {
			break
		}
		described = append(described, nfse.Code(strings.TrimSpace(code)))
	}
	slices.Sort(described)
	if expected := slices.Sorted(maps.Keys(web.Statuses)); !slices.Equal(described, expected) {
		t.Errorf("the description lists\n%v\nand the program\n%v", described, expected)
	}
}

// What the contract says of the size of bodies is what is read of them.
func TestContract_Sizes(t *testing.T) {
	for _, sentence := range []string{
		fmt.Sprintf("| request body | %d KiB |", maxBody>>10),
		fmt.Sprintf("at most %d KiB, one object.", maxBody>>10),
		fmt.Sprintf("the body is larger than %d KiB", maxBody>>10),
	} {
		if !strings.Contains(string(contractText), sentence) {
			t.Errorf("the contract does not say: %s", sentence)
		}
	}
}
