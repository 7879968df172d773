package drift

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Anonymised is a copy of a body for people to look at, of the same length: letters are x or X and digits 1, but in
// what is known. Those are names (see appendName), what has to stay for the copy to be read as the answer is (brackets,
// prefixes, namespaces, the form of dates), and the few values that decide what follows: true and false, codes of
// errors, results of the ADN. Of a body that is longer than maxRead it is the beginning. Runs of fifty digits are
// access keys: 1 of the first, 2 of others.
func (k *Known) Anonymised(body []byte) []byte {
	body = body[:min(len(body), maxRead)]
	out := make([]byte, len(body))
	for i, c := range body {
		out[i] = masked(c)
	}
	var member string // whose value comes next
	read(body, func(e event) {
		said := body[e.from:e.to]
		switch e.kind {
		case kept, boolean, null:
			copy(out[e.from:], said)
		case name, tag:
			prefix := e.local(said)
			copy(out[e.from:], k.appendName(nil, said[:max(0, prefix-1)]))
			copy(out[e.from+prefix:], k.appendName(nil, said[prefix:]))
			if member = ""; e.kind == name {
				member = strings.ToLower(string(said[prefix:]))
			}
		case namespace:
			if slices.Contains(namespaces, string(said)) {
				copy(out[e.from:], said)
			}
		case number, text:
			if keeps(member, string(bytes.TrimSpace(said))) {
				copy(out[e.from:], said)
			} else {
				unescaped(out[e.from:e.to], said)
			}
			member = ""
		}
	})
	for _, pattern := range []*regexp.Regexp{instant, identity} {
		for _, found := range pattern.FindAllSubmatchIndex(body, -1) {
			for group := 2; group < len(found); group += 2 {
				if found[group] >= 0 {
					copy(out[found[group]:found[group+1]], body[found[group]:])
				}
			}
		}
	}
	tellKeysApart(body, out)
	return out
}

var (
	// instant finds what has to stay of a date for it to be one: 11 is a month, a day, an hour and a minute.
	instant = regexp.MustCompile(`\b[0-9]{4}-[0-9]{2}-[0-9]{2}(T)[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(Z)?`)
	// identity finds what stands before the digits of what documents are named by.
	identity = regexp.MustCompile(`\b(NFS|DPS|PRE|EVT)[0-9]{40,}\b`)
)

// unescaped writes x for what an escape is, which would mean something else by what it has become.
func unescaped(out, said []byte) {
	for i, c := range said {
		if c == '&' || c == '\\' || i > 0 && said[i-1] == '\\' {
			out[i] = maskedInName(c)
		}
	}
}

// The namespaces without which nobody could read a copy as the answer is read.
var namespaces = []string{
	"http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope",
	"http://www.w3.org/2001/XMLSchema", "http://www.w3.org/2001/XMLSchema-instance",
	"http://www.w3.org/2000/09/xmldsig#", "http://www.sped.fazenda.gov.br/nfse",
	"http://www.abrasf.org.br/nfse.xsd", "http://www.prefeitura.sp.gov.br/nfe",
}

var (
	// results are of a batch of the ADN, and which environment answers.
	results = []string{"true", "false", "DOCUMENTOS_LOCALIZADOS", "NENHUM_DOCUMENTO_LOCALIZADO", "REJEICAO",
		"PRODUCAO", "HOMOLOGACAO"}
	codeNames = []string{"codigo", "code", "cstat", "tipoambiente", "tpamb", "tipoevento", "versao"}
	aCode     = regexp.MustCompile(`^(?:E|L|RNG)?[0-9]{1,6}$|^[0-9]\.[0-9]{2}$`)
)

// keeps reports whether a value of a member, in small letters, stays as it is.
func keeps(member, value string) bool {
	return slices.Contains(results, value) || slices.Contains(codeNames, member) && aCode.MatchString(value)
}

var digits = regexp.MustCompile(`[0-9]+`)

const keyDigits = 50 // of an access key

// tellKeysApart writes 2 for the digits of access keys that are not the first one.
func tellKeysApart(body, out []byte) {
	var first []byte
	for _, found := range digits.FindAllIndex(body, -1) {
		key := body[found[0]:found[1]]
		switch {
		case len(key) != keyDigits:
		case first == nil:
			first = key
		case !bytes.Equal(key, first):
			copy(out[found[0]:], strings.Repeat("2", keyDigits))
		}
	}
}
