package fact

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// English is the fact in English, for commands and logs; empty where there is none.
func (f Fact) English() string { return f.say(inEnglish, whole) }

// Portuguese is the fact in Portuguese.
func (f Fact) Portuguese() string { return f.say(inPortuguese, whole) }

// EnglishDetail is what follows the name of a step; empty where the name says all.
func (f Fact) EnglishDetail() string { return f.say(inEnglish, detail) }

// PortugueseDetail is EnglishDetail in Portuguese.
func (f Fact) PortugueseDetail() string { return f.say(inPortuguese, detail) }

// String is English.
func (f Fact) String() string { return f.English() }

type language int

const (
	inEnglish language = iota
	inPortuguese
)

func (t text) in(l language) string {
	if l == inPortuguese {
		return t.portuguese
	}
	return t.english
}

type part int

const (
	whole part = iota
	detail
)

// hole is a place for an argument: its name, and the kind of its word.
var hole = regexp.MustCompile(`\{([a-z_]+)(?::([a-z_]+))?\}`)

// isDay is an argument that is a day of the calendar, which people read as 01/11/2026.
var isDay = regexp.MustCompile(`^([0-9]{4})-([0-9]{2})-([0-9]{2})$`)

// holes are the names in a template, each once, in order.
func holes(template string) []string {
	var names []string
	for _, match := range hole.FindAllStringSubmatch(template, -1) {
		names = append(names, match[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// say fills the arguments into the template. A code that this version does not know, as
// one of a later version, stays as it is.
func (f Fact) say(l language, shown part) string {
	if f.None() {
		return ""
	}
	known, is := texts()[f.Code]
	if !is {
		return f.unknown()
	}
	template := known.in(l)
	lead, rest, parted := strings.Cut(template, "|")
	switch {
	case parted && shown == detail:
		template = rest
	case parted:
		template = lead + rest
	case shown == detail:
		template = ""
	}
	return hole.ReplaceAllStringFunc(template, func(name string) string {
		match := hole.FindStringSubmatch(name)
		return filled(f.Arguments[match[1]], match[2], l)
	})
}

// filled is an argument as the text shows it.
func filled(value any, kind string, l language) string {
	switch v := value.(type) {
	case nil:
		return ""
	case Fact:
		return v.say(l, whole)
	case []Fact:
		said := make([]string, len(v))
		for i, one := range v {
			said[i] = one.say(l, whole)
		}
		return strings.ReplaceAll(strings.Join(said, "; "), ".; ", ". ") // sentences stand by themselves
	}
	said := fmt.Sprint(value)
	if day := isDay.FindStringSubmatch(said); day != nil && l == inPortuguese {
		return day[3] + "/" + day[2] + "/" + day[1]
	}
	if word, known := words()[kind][said]; known {
		return word.in(l)
	}
	return said
}

// unknown is the text of a fact whose code this version does not know.
func (f Fact) unknown() string {
	if len(f.Arguments) == 0 {
		return string(f.Code)
	}
	return fmt.Sprintf("%s %v", f.Code, map[string]any(f.Arguments))
}
