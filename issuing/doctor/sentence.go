package doctor

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentence makes a text stand by itself: it may be a part of one, as a reason is, or begin with what somebody is
// called. It begins with a capital letter, unless it begins with a command or somebody's words, and ends with one full
// stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + strings.TrimRight(text[size:], ".") + "."
}
