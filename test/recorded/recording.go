package recorded

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Recording is one answer of a host, or several that belong together, and what has to follow.
type Recording struct {
	Path      string
	Header    map[string]string // by name, without those that are expected
	Expected  []string
	Answers   []Answer
	beginning []string // the lines of the header but for what is expected
	rest      string   // from the first answer on
}

// Answer is what was answered to a call.
type Answer struct {
	Call   Call
	Status int
	Media  string // Content-Type; empty: none was said
	Body   string
}

// Call is what is asked of an authority.
type Call string

// The calls.
const (
	Issue            Call = "issue"
	Find             Call = "find"  // by the DPS
	Fetch            Call = "fetch" // by the access key
	Cancel           Call = "cancel"
	FindCancellation Call = "find_cancellation" // an event of a document
	Distribute       Call = "distribute"        // what has happened, from a position on
	AskCity          Call = "ask_city"          // a city's agreement
)

// CallOf tells which call a request is, by the paths of SEFIN, the ADN and DSF and the operations of ISSNet
// and Fiorilli.
func CallOf(r *http.Request) Call {
	operation := r.Header.Get("SOAPAction")
	operation = strings.Trim(operation[strings.LastIndex(operation, "/")+1:], `"`)
	post, path := r.Method == http.MethodPost, r.URL.Path
	switch {
	case operation == "GerarNfse", operation == "recepcionarDPS":
		return Issue
	case operation == "ConsultarNfseDps", operation == "consultarNfse":
		return Find
	case operation == "CancelarNfse", operation == "cancelarNFSe":
		return Cancel
	case operation != "":
		return ""
	case strings.Contains(path, "/DFe/"):
		return Distribute
	case strings.HasSuffix(path, "/convenio"):
		return AskCity
	case strings.Contains(path, "/eventos"):
		if post {
			return Cancel
		}
		return FindCancellation
	case post:
		return Issue
	case strings.Contains(path, "/dps/"):
		return Find
	case strings.Contains(path, "/nfse/"):
		return Fetch
	}
	return ""
}

// ReadAll reads the recordings of a folder.
func ReadAll(folder string) (all []Recording, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		one, err := read(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, one)
	}
	return all, nil
}

const (
	expected = "# expect: "
	answered = "<== "
)

func read(path string) (Recording, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return Recording{}, err
	}
	one := Recording{Path: path, Header: map[string]string{}}
	header, rest, _ := strings.Cut(string(content), "\n"+answered)
	for line := range strings.Lines(header) {
		line = strings.TrimRight(line, "\n")
		name, value, named := strings.Cut(strings.TrimPrefix(line, "# "), ": ")
		switch {
		case strings.HasPrefix(line, expected):
			one.Expected = append(one.Expected, strings.TrimPrefix(line, expected))
			continue
		case line == "":
			continue
		case !named || !strings.HasPrefix(line, "# "):
			return one, fmt.Errorf("the header has a line %q", line)
		}
		one.Header[name] = value
		one.beginning = append(one.beginning, line)
	}
	if rest == "" {
		return one, errors.New("it has no answer")
	}
	one.rest = answered + rest
	for _, part := range strings.Split(rest, "\n"+answered) {
		answer, err := readAnswer(part)
		if err != nil {
			return one, err
		}
		one.Answers = append(one.Answers, answer)
	}
	return one, nil
}

func readAnswer(part string) (Answer, error) {
	head, body, _ := strings.Cut(part, "\n")
	words := strings.SplitN(head, " ", 3)
	if len(words) < 2 {
		return Answer{}, fmt.Errorf("%q names no call and no status", head)
	}
	status, err := strconv.Atoi(words[1])
	answer := Answer{Call: Call(words[0]), Status: status, Body: strings.TrimSuffix(body, "\n")}
	if len(words) == 3 {
		answer.Media = words[2]
	}
	return answer, err
}

// Expecting is the text of the file with other expectations.
func (r Recording) Expecting(lines []string) string {
	text := strings.Join(r.beginning, "\n") + "\n"
	for _, line := range lines {
		text += expected + line + "\n"
	}
	return text + "\n" + r.rest
}

// answerTo is what was answered to a call; nil where nothing is recorded.
func (r Recording) answerTo(call Call) *Answer {
	for i := range r.Answers {
		if r.Answers[i].Call == call {
			return &r.Answers[i]
		}
	}
	return nil
}
