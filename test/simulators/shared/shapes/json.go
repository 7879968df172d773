package shapes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// reshape gives an answer another form. One that is neither JSON nor XML stays.
func reshape(random *rand.Rand, r *http.Request, a *answer) {
	body := bytes.TrimSpace(a.body.Bytes())
	switch {
	case len(body) == 0:
		return
	case body[0] == '{' || body[0] == '[':
		reshapeJSON(random, r, a, body)
	case body[0] == '<' && strings.Contains(a.Header().Get("Content-Type"), "xml"):
		reshapeXML(random, a, string(body))
	default:
		return
	}
	if chance(random, 0.1) {
		a.prepend("\uFEFF") // some .NET writers begin with it
	}
}

func (a *answer) prepend(text string) {
	body := text + a.body.String()
	a.body.Reset()
	a.body.WriteString(body)
}

func (a *answer) replace(media, body string) {
	a.body.Reset()
	a.body.WriteString(body)
	if media == "" {
		a.Header()["Content-Type"] = nil
		return
	}
	a.Header().Set("Content-Type", media)
}

func reshapeJSON(random *rand.Rand, r *http.Request, a *answer, body []byte) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return
	}
	if key := text(value, "chaveAcesso"); key != "" && asksOfDPSInCity(r) && chance(random, 0.4) {
		key = strings.TrimPrefix(key, "NFS")
		// Of Campinas, whose production answers so: file 30.
		a.replace(one(random, plain, "application/json", ""), one(random, key, `"`+key+`"`, "NFS"+key, `"NFS`+key+`"`))
		return
	}
	if members, isObject := value.(map[string]any); isObject {
		if decides(members) {
			informs(random, members)
		}
		refuses(random, members)
		extends(random, members)
		value = rename(members, one(random, asIs, asIs, asIs, capital, small))
	}
	w := writer{random: random, indent: chance(random, 0.2), escape: chance(random, 0.2)}
	w.value(value, 0)
	a.replace(one(random, "application/json; charset=utf-8", "application/json", "text/json", plain, ""), w.String()+
		one(random, "", "\n", " \r\n"))
}

// asksOfDPSInCity tells a question by a DPS to a server of DSF, which are the cities that are played.
func asksOfDPSInCity(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/cities/") && strings.Contains(r.URL.Path, "/dps/")
}

func text(value any, name string) string {
	members, _ := value.(map[string]any)
	said, _ := members[name].(string)
	return said
}

// decides reports whether something in an answer decides. Of DSF a 404 with nothing but what informs says that there is
// no note (file 30): there, that decides.
func decides(members map[string]any) bool {
	for name, value := range members {
		switch name {
		case "tipoAmbiente", "versaoAplicativo", "dataHoraProcessamento":
		default:
			if value != nil {
				return true
			}
		}
	}
	return false
}

// informs changes what only informs: each may be absent, null or odd.
func informs(random *rand.Rand, members map[string]any) {
	odd := map[string][]any{
		// 0 is recorded of a GET of a DPS that does not exist (file 08), texts of DSF (25, 29). That of the other
		// environment would be another's answer.
		"tipoAmbiente":          {0, fmt.Sprint(members["tipoAmbiente"])},
		"versaoAplicativo":      {"", "SefinNacional_9.9.9"},
		"dataHoraProcessamento": {"", "2026-07-08T16:13:36.707848125-03:00", "2026-08-03T07:31:39.737"},
		"alertas":               {[]any{}, map[string]any{}},
		"idDps":                 {"", "NFS" + strings.TrimPrefix(text(members, "chaveAcesso"), "NFS")},
		"idDPS":                 {""},
	}
	for name, values := range odd {
		_, has := members[name]
		switch {
		case !has && name != "alertas" || !chance(random, 0.3):
		case random.IntN(3) == 0:
			delete(members, name)
		case random.IntN(2) == 0:
			members[name] = nil
		default:
			members[name] = one(random, values...)
		}
	}
	for name, value := range members { // recorded as texts and as numbers (files 10 and 11)
		if list, isList := value.([]any); isList && name == "eventos" {
			for _, entry := range list {
				swapNumbers(random, entry, "tipoEvento", "numeroPedidoRegistroEvento")
			}
		}
	}
}

// swapNumbers writes numbers as texts, and the other way round.
func swapNumbers(random *rand.Rand, value any, names ...string) {
	members, _ := value.(map[string]any)
	for _, name := range names {
		if !chance(random, 0.5) {
			continue
		}
		switch said := members[name].(type) {
		case json.Number:
			members[name] = said.String()
		case string:
			members[name] = json.Number(said)
		}
	}
}

// refuses writes a list of refusals as one of the forms that were recorded: erros and erro, a list and an object, with
// capitals (04), in small letters (05), descricao and mensagem (25). A success gets an empty one.
func refuses(random *rand.Rand, members map[string]any) {
	name := ""
	for _, known := range []string{"erros", "erro"} {
		if members[known] != nil {
			name = known
		}
	}
	if name == "" {
		if text(members, "chaveAcesso") != "" && chance(random, 0.3) {
			members[one(random, "erros", "erro")] = one[any](random, nil, []any{})
		}
		return
	}
	refusals, isList := members[name].([]any)
	if !isList {
		refusals = []any{members[name]}
	}
	for _, refusal := range refusals {
		if said, isObject := refusal.(map[string]any); isObject && chance(random, 0.2) {
			said["parametros"] = nil
		}
	}
	delete(members, name)
	name = one(random, "erros", "erro")
	members[name] = refusals
	if len(refusals) == 1 && random.IntN(2) == 0 {
		members[name] = refusals[0]
	}
}

// extends adds members that nobody knows.
func extends(random *rand.Rand, members map[string]any) {
	if chance(random, 0.3) {
		members["traceId"] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"
	}
	if chance(random, 0.1) {
		members["links"] = map[string]any{"self": "https://sefin.example", "itens": []any{1, true, nil}}
	}
}

// The cases in which member names begin.
const (
	asIs = iota
	capital
	small
)

// rename writes the names of all members in a case, but for those that hold data of their own.
func rename(value any, in int) any {
	if in == asIs {
		return value
	}
	switch of := value.(type) {
	case map[string]any:
		renamed := map[string]any{}
		for name, member := range of {
			letters := []rune(name)
			letters[0] = unicode.ToUpper(letters[0])
			if in == small {
				letters[0] = unicode.ToLower(letters[0])
			}
			renamed[string(letters)] = rename(member, in)
		}
		return renamed
	case []any:
		for i := range of {
			of[i] = rename(of[i], in)
		}
	}
	return value
}

// writer writes JSON with its members in any order.
type writer struct {
	strings.Builder
	random         *rand.Rand
	indent, escape bool
}

func (w *writer) value(value any, depth int) {
	switch of := value.(type) {
	case map[string]any:
		names := make([]string, 0, len(of))
		for name := range of {
			names = append(names, name)
		}
		slices.Sort(names)
		w.random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		w.list('{', '}', len(names), depth, func(i int) {
			w.value(names[i], depth)
			w.WriteString(":")
			if w.indent {
				w.WriteString(" ")
			}
			w.value(of[names[i]], depth+1)
		})
	case []any:
		w.list('[', ']', len(of), depth, func(i int) { w.value(of[i], depth+1) })
	default:
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(w.escape)
		_ = encoder.Encode(value) // a text, a number, true, false or null
		w.WriteString(strings.TrimSuffix(b.String(), "\n"))
	}
}

func (w *writer) list(begin, end rune, length, depth int, write func(int)) {
	w.WriteRune(begin)
	for i := range length {
		if i > 0 {
			w.WriteString(",")
		}
		w.newLine(depth + 1)
		write(i)
	}
	if length > 0 {
		w.newLine(depth)
	}
	w.WriteRune(end)
}

func (w *writer) newLine(depth int) {
	if w.indent {
		w.WriteString("\r\n" + strings.Repeat("  ", depth))
	}
}
