package drift

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"time"

	"emissor/nfse"
)

// Drift is an answer in a form that is new, without anything that is personal.
type Drift struct {
	Fingerprint string         `db:"fingerprint" json:"fingerprint"` // of authority, call and what is new
	Authority   string         `db:"authority" json:"authority"`     // as fiscal profiles name it
	Call        string         `db:"call" json:"call"`
	Production  bool           `db:"production" json:"production"` // the environment that answered
	Status      int            `db:"status" json:"status"`
	Media       string         `db:"media" json:"media"`         // see MediaOf
	News        string         `db:"news" json:"news"`           // lines: see Known.News
	Copy        string         `db:"copy" json:"copy,omitempty"` // see Known.Anonymised
	SeenAt      nfse.Timestamp `db:"seen_at" json:"seen_at"`     // for the first time
}

// fingerprint tells what is new apart: 16 hexadecimal digits.
func (d Drift) fingerprint() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s", d.Authority, d.Call, d.News))
	return hex.EncodeToString(sum[:])[:16]
}

// Export is the answer as a file for test/recorded, without what has to follow, which a person judges.
func (d Drift) Export() string {
	environment := "restricted"
	if d.Production {
		environment = "production"
	}
	media := ""
	if d.Media != "none" && d.Media != "other" {
		media = " " + d.Media
	}
	return fmt.Sprintf(`# source: an installation that noticed it; names, numbers and amounts are replaced
# host: %s, %s, %s
# authority: %[1]s
# environment: %[2]s
# call: %[4]s

<== %[4]s %[5]d%[6]s
%[7]s
`, d.Authority, environment, d.SeenAt.UTC().Format(time.DateOnly), d.Call, d.Status, media, recordedBody(d.Copy))
}

var (
	keys       = regexp.MustCompile(`[12]+`)
	messageID  = regexp.MustCompile(`DPS1{42}`)
	aDocument  = regexp.MustCompile(`("nfseXmlGZipB64"\s*:\s*")[^"]{200,}|(?s)<NFSe[\s>].*?</NFSe>`)
	anEvent    = regexp.MustCompile(`("(?:arquivoXml|eventoXmlGZipB64)"\s*:\s*")[^"]{200,}`)
	nextAnswer = regexp.MustCompile(`(?m)^<== `)
)

// recordedBody is a copy with the placeholders of recordings: of documents that may be whole, and of the first key,
// which is taken to be that of the document asked about. No line of it may begin as another answer does.
func recordedBody(body string) string {
	body = messageID.ReplaceAllString(body, "{{dps}}")
	body = aDocument.ReplaceAllString(body, "${1}{{nfse}}")
	body = anEvent.ReplaceAllString(body, "${1}{{event}}")
	body = keys.ReplaceAllStringFunc(body, func(run string) string {
		switch run {
		case strings.Repeat("1", keyDigits):
			return "{{key}}"
		case strings.Repeat("2", keyDigits):
			return "{{other key}}"
		}
		return run
	})
	return nextAnswer.ReplaceAllString(body, " <== ")
}
