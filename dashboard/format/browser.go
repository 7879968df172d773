package format

import "strings"

// browsers and systems are found in a User-Agent by their marks, the first that is there:
// most browsers name others besides themselves.
var (
	browsers = []mark{
		{"Edg/", "Edge"}, {"EdgA/", "Edge"}, {"EdgiOS/", "Edge"}, {"OPR/", "Opera"},
		{"SamsungBrowser/", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	}
	systems = []mark{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"},
		{"CrOS", "ChromeOS"}, {"Macintosh", "Mac"}, {"Linux", "Linux"},
	}
)

// mark is a text of a User-Agent, and what people call what sends it.
type mark struct{ text, name string }

// Browser names a browser and its system by its User-Agent, as people call them; empty what
// it does not tell.
func Browser(userAgent string) (browser, system string) {
	return named(browsers, userAgent), named(systems, userAgent)
}

func named(marks []mark, userAgent string) string {
	for _, one := range marks {
		if strings.Contains(userAgent, one.text) {
			return one.name
		}
	}
	return ""
}
