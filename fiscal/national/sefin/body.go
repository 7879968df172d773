package sefin

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"emissor/fiscal/national/schema"
	"emissor/internal/text"
)

// maxObjects bounds what is read of one list, or of one object: no answer comes near it.
const maxObjects = 1000

// body is an answer's JSON, read as liberally as the deployments of SEFIN
// demand: names in any case, one object or a list of them.
type body struct {
	members
	read    bool // it is JSON of an object or a list
	errors  []answerError
	dialect *Dialect
}

// answerError is one error of an answer, in the authority's words.
type answerError struct {
	code       string
	text       string // mensagem and descricao
	complement string
}

// parseBody reads what can be read; what cannot is as if it were not there.
func parseBody(content []byte) body {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	objects, ok := readObjects(content)
	parsed := body{read: ok, members: members{}}
	if key, is := bareKey(content); is {
		parsed.read, parsed.members["chaveacesso"] = true, []json.RawMessage{key}
	}
	for _, object := range objects {
		for name, values := range object {
			parsed.members[name] = append(parsed.members[name], values...)
		}
		// A body may be the list of errors itself.
		if bare := readError(object); bare.code != "" {
			parsed.errors = append(parsed.errors, bare)
		}
	}
	parsed.readErrors("erros", "erro")
	return parsed
}

// bareKey reads an answer that is nothing but an access key, in quotes or not, as servers of cities give it.
func bareKey(content []byte) (text json.RawMessage, is bool) {
	key := strings.Trim(strings.TrimSpace(string(content)), `"`)
	return json.RawMessage(`"` + key + `"`), schema.ValidAccessKey(strings.TrimPrefix(key, keyPrefix))
}

// body reads the answer in the server's dialect: what it calls alerts are errors where it gives
// nothing else.
func (r reply) body() body {
	parsed := parseBody(r.Body)
	parsed.dialect = r.dialect
	if r.dialect != nil && r.dialect.AlertsRefuse && len(parsed.errors) == 0 && !r.gives(parsed) {
		parsed.readErrors("alertas")
	}
	return parsed
}

// gives reports whether an answer is a success that has what was asked for: what is called an
// alert there is no refusal.
func (r reply) gives(body body) bool {
	for _, name := range []string{"chaveAcesso", "nfseXmlGZipB64", "eventoXmlGZipB64"} {
		if value := body.text(name); value != "" && r.Successful() {
			return true
		}
	}
	return false
}

// readErrors reads the errors under these names.
func (b *body) readErrors(names ...string) {
	for _, name := range names {
		for _, value := range b.members[name] {
			if len(b.errors) < maxObjects {
				b.errors = append(b.errors, readErrors(value)...)
			}
		}
	}
}

// readErrors reads an error or a list of them. A text is none: it is a proxy's,
// not SEFIN's.
func readErrors(value json.RawMessage) []answerError {
	objects, _ := readObjects(value)
	var list []answerError
	for _, object := range objects {
		if one := readError(object); one != (answerError{}) {
			list = append(list, one)
		}
	}
	return list
}

func readError(object members) answerError {
	short := object.text("mensagem")
	long := object.text("descricao")
	complement := object.text("complemento")
	code := object.text("codigo")
	return answerError{
		code:       text.Shortened(text.Shown(code), 40),
		text:       joinDistinct(": ", text.Shown(short), text.Shown(long)),
		complement: text.Shown(complement),
	}
}

// words returns the message as a person reads it.
func (e answerError) words() string { return joinDistinct(": ", e.text, e.complement) }

// members are the members of a JSON object by their names in lower case, duplicates together.
type members map[string][]json.RawMessage

// text returns the value of a member; of several the first.
func (m members) text(name string) string {
	if values := m.texts(name); len(values) > 0 {
		return values[0]
	}
	return ""
}

// texts returns the values of a member that are not empty, each once.
func (m members) texts(name string) (values []string) {
	for _, raw := range m[strings.ToLower(name)] {
		if text, ok := readText(raw); ok && text != "" && !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	return values
}

// objects returns the objects of a list, or the one object there is.
func (m members) objects(name string) (list []members, present bool) {
	for _, value := range m[strings.ToLower(name)] {
		objects, ok := readObjects(value)
		present = present || ok
		if len(list) < maxObjects {
			list = append(list, objects...)
		}
	}
	return list, present
}

// readText reads a string or a number; null is the empty text.
func readText(raw json.RawMessage) (string, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return strings.TrimSpace(text), true
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return number.String(), true
	}
	return "", false
}

// readObjects reads a JSON object, or the objects of a JSON list; ok is false
// for anything else.
func readObjects(content []byte) (objects []members, ok bool) {
	content = bytes.TrimSpace(content)
	if !json.Valid(content) {
		return nil, false
	}
	switch content[0] {
	case '{':
		return []members{readMembers(content)}, true
	case '[':
		return readList(content), true
	}
	return nil, false
}

// readList walks a list of valid JSON and returns the objects in it.
func readList(list []byte) (objects []members) {
	decoder := json.NewDecoder(bytes.NewReader(list))
	if _, err := decoder.Token(); err != nil {
		return nil
	}
	for count := 0; count < maxObjects && decoder.More(); count++ {
		var item json.RawMessage
		if decoder.Decode(&item) != nil {
			return objects
		}
		if item = bytes.TrimSpace(item); item[0] == '{' {
			objects = append(objects, readMembers(item))
		}
	}
	return objects
}

// readMembers walks an object of valid JSON: a map or struct of encoding/json
// would keep only the last of members that repeat.
func readMembers(object []byte) members {
	found := members{}
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return found
	}
	for count := 0; count < maxObjects && decoder.More(); count++ {
		name, err := decoder.Token()
		if err != nil {
			return found
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return found
		}
		key := strings.ToLower(name.(string))
		found[key] = append(found[key], value)
	}
	return found
}

// joinDistinct joins the parts that are not empty and not yet said.
func joinDistinct(separator string, parts ...string) string {
	var kept []string
	for _, part := range parts {
		if part != "" && !slices.Contains(kept, part) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, separator)
}
