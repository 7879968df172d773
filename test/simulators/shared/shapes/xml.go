package shapes

import (
	"html"
	"math/rand/v2"
	"regexp"
	"strings"
)

var (
	declaration = regexp.MustCompile(`^<\?xml[^>]*\?>\s*`)
	result      = regexp.MustCompile(`(?s)<(\w+Result)>(.*)</\w+Result>`)
)

// reshapeXML gives an answer in SOAP another form of the same content. What is signed within it keeps its bytes.
func reshapeXML(random *rand.Rand, a *answer, body string) {
	body = declaration.ReplaceAllString(body, "")
	if found := result.FindStringSubmatch(body); found != nil {
		body = strings.Replace(body, found[0], reshapeResult(random, found[1], found[2]), 1)
	}
	if prefix := one(random, "soap", "s", "SOAP-ENV", "soapenv"); strings.Contains(body, "<soap:Envelope") {
		for _, mark := range []string{"<%s:", "</%s:", "xmlns:%s="} {
			body = strings.ReplaceAll(body, strings.ReplaceAll(mark, "%s", "soap"), strings.ReplaceAll(mark, "%s", prefix))
		}
	}
	body = one(random, "", `<?xml version="1.0" encoding="utf-8"?>`,
		`<?xml version="1.0" encoding="UTF-8" standalone="no"?>`) + body
	media := a.Header().Get("Content-Type")
	if strings.HasPrefix(media, "text/xml") {
		media = one(random, media, "text/xml", "application/xml", "text/xml; charset=UTF-8")
	}
	a.replace(media, body+one(random, "", "\n"))
}

// reshapeResult gives the answer of ISSNet within its element …Result another form: escaped text and literal elements
// (recording 34), and without …Result (43).
func reshapeResult(random *rand.Rand, name, content string) string {
	literal := content
	if strings.HasPrefix(strings.TrimSpace(content), "&lt;") {
		literal = html.UnescapeString(content)
	}
	switch random.IntN(3) {
	case 0:
		return literal
	case 1:
		return "<" + name + ">" + html.EscapeString(literal) + "</" + name + ">"
	}
	return "<" + name + ">" + literal + "</" + name + ">"
}
