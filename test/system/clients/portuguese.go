package clients

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	codeBlock   = regexp.MustCompile("(?ms)^```.*?^```$")
	sentenceEnd = regexp.MustCompile("\\. ([A-Z`])")
	words       = regexp.MustCompile("[a-z]{2}")
	inCode      = regexp.MustCompile("`[^`]*`")
)

// Portuguese makes the Portuguese page of an English one: the same blocks of code, and of each sentence, heading and
// cell of a table its translation. What has none is an error, which names it.
func Portuguese(page string, translations map[string]string) (string, error) {
	var missing []string
	translated := func(text string) string {
		portuguese := translations[text]
		if portuguese == "" {
			missing = append(missing, text)
		}
		return portuguese
	}
	var made []string
	text, codes := codeBlock.ReplaceAllString(page, "\x00"), codeBlock.FindAllString(page, -1)
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		switch {
		case part == "\x00":
			made, codes = append(made, codes[0]), codes[1:]
		case strings.HasPrefix(part, "|"):
			cells := strings.Split(part, "|")
			for i, cell := range cells {
				if one := strings.TrimSpace(cell); words.MatchString(inCode.ReplaceAllString(one, "")) {
					cells[i] = " " + translated(one) + " "
				}
			}
			made = append(made, strings.Join(cells, "|"))
		default:
			sentences := strings.Split(sentenceEnd.ReplaceAllString(strings.Join(strings.Fields(part), " "), ".\n$1"), "\n")
			for i := range sentences {
				sentences[i] = translated(sentences[i])
			}
			made = append(made, wrapped(strings.Join(sentences, " ")))
		}
	}
	if missing != nil {
		return "", fmt.Errorf("nobody has translated %q", missing)
	}
	return strings.Join(made, "\n\n") + "\n", nil
}

// wrapped breaks a paragraph into lines of at most 120 characters.
func wrapped(text string) string {
	var lines strings.Builder
	length := 0
	for word := range strings.FieldsSeq(text) {
		size := len([]rune(word))
		switch {
		case length == 0:
		case length+1+size > 120:
			lines.WriteByte('\n')
			length = 0
		default:
			lines.WriteByte(' ')
			length++
		}
		lines.WriteString(word)
		length += size
	}
	return lines.String()
}
