package drift

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal/national/nationaltest"
)

// A copy has the structure of the answer and is read as it is: of its values only those stay that decide.
func TestAnonymised(t *testing.T) {
	t.Parallel()
	key, other := strings.Repeat("35", 25), strings.Repeat("42", 25)
	for name, c := range map[string]struct{ body, copy string }{
		"JSON": {
			`{"tipoAmbiente":1,"chaveAcesso":"` + key + `","idDps":"NFS` + other + `","valor":-10.50,` +
				`"dataHoraProcessamento":"2026-07-17T10:43:53.136Z","erros":[{"Codigo":"E0712","Descricao":` +
				`"Tomador \"João\" \u00e3 da Silva\\"}],"alertas":null,"novoMembro":true,"cnpj_11222333000181":{}}`,
			`{"tipoAmbiente":1,"chaveAcesso":"` + strings.Repeat("1", 50) + `","idDps":"NFS` + strings.Repeat("2", 50) +
				`","valor":-11.11,` +
				`"dataHoraProcessamento":"1111-11-11T11:11:11.111Z","erros":[{"Codigo":"E0712","Descricao":` +
				`"Xxxxxxx xxXxxxxxx xx11x1 xx Xxxxxxx"}],"alertas":null,"xxxxXxxxxx":true,"cnpj_11111111111111":{}}`},
		"XML": {
			"\ufeff" + `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/` +
				`envelope/" xmlns:ns2="http://maria.example"><soap:Body Nome='Maria &amp; João'><Nome>Maria</Nome>` +
				`<Codigo>E160</Codigo><Codigo>Ana</Codigo><!-- Maria --></soap:Body></soap:Envelope>`,
			"xxx" + `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/` +
				`envelope/" xmlns:ns2="xxxx://xxxxx.xxxxxxx"><soap:Body Xxxx='Xxxxx xxxx; Xxxxx'><Xxxx>Xxxxx</Xxxx>` +
				`<Codigo>E160</Codigo><Codigo>Xxx</Codigo><!-- Xxxxx --></soap:Body></soap:Envelope>`},
		"escaped XML, and a document": {
			`<Envelope>&lt;Codigo id="Maria"&gt;Ana&lt;/Codigo><![CDATA[<Mensagem>E1</Mensagem>]]><NFSe a="Ana"><Codigo>1` +
				`</Codigo></NFSe></Envelope>`,
			`<Envelope>&lt;Codigo id="Xxxxx"&gt;Xxx&lt;/Codigo><![CDATA[<Mensagem>X1</Mensagem>]]><NFSe x="Xxx"><Xxxxxx>1` +
				`</Xxxxxx></NFSe></Envelope>`},
		"a page": {`<html><body><h1>Maria</h1><maria>400 No required SSL</body></html>`,
			`<html><body><h1>Xxxxx</h1><xxxxx>111 Xx xxxxxxxx XXX</body></html>`},
		"a key":   {key, strings.Repeat("1", 50)},
		"a text":  {"Maria\x00 não é", "Xxxxxx xxxx xx"},
		"nothing": {"", ""},
	} {
		if got := string(BuiltIn().Anonymised([]byte(c.body))); got != c.copy || len(got) != len(c.body) {
			t.Errorf("%s:\n%s\nbecame\n%s\nand not\n%s", name, c.body, got, c.copy)
		}
	}
}

// personal is what may be in no copy and no shape, no matter what stands around it.
var personal = []string{
	"MARIA DA SILVA", "Maria da Silva", "mariaDaSilva", "MariaDaSilva", "João", "JOAO_PEREIRA", "joao.pereira@x.example",
	"xNome Silveira", "Rua das Acácias", "11222333000181", "11.222.333/0001-81", "12ABC34501DE35", "12.ABC.345/01DE-35",
	"52998224725", "529.982.247-25", "1234567.89", "1.234.567,89", "CLÍNICA EXEMPLO LTDA", "00-4bf92f3577b34da6",
	"Silva\\\"Souza", "Silva&#227;Souza", "Silva]]>Souza", "Silva-->Souza", "Sil<va", "</Codigo>Silveira", "\"Silveira",
}

// No answer brings anything personal into a copy or a shape: as a value, as a name, within another value or as what
// cannot be read at all.
func TestAnonymised_Hostile(t *testing.T) {
	t.Parallel()
	certificate := nationaltest.Credentials(t).Certificate.Certificate[0]
	for _, secret := range slices.Concat(personal, []string{base64.StdEncoding.EncodeToString(certificate)}) {
		packed := base64.StdEncoding.EncodeToString([]byte("<xNome>" + secret + "</xNome>"))
		quoted, _ := json.Marshal(secret)
		var escaped bytes.Buffer
		_ = xml.EscapeText(&escaped, []byte(secret))
		inXML := escaped.String()
		for _, body := range []string{
			secret, `{"erros":[{"Codigo":` + string(quoted) + `,"x":[` + string(quoted) + `]}]}`,
			`{` + string(quoted) + `:{"` + packed + `":"` + packed + `"}}`, `{"Codigo":"` + secret + `"}`,
			`{"Codigo":{"` + secret + `":1}}`, `{"Codigo":"a"}` + secret, `[` + secret, `"` + secret,
			`<Codigo>` + secret + `</Codigo>`, `<Codigo>` + inXML + `</Codigo>`, `<Codigo Codigo="` + inXML + `"/>`,
			`<Codigo><![CDATA[` + secret + `]]></Codigo>`, `<Codigo><!--` + secret + `--></Codigo>`,
			`<?` + secret + `?><Codigo/>`, `<?xml version="1.0" encoding="` + secret + `"?><Codigo/>`,
			`<!DOCTYPE ` + secret + `><Codigo/>`, `<` + secret + `>1</` + secret + `>`, `<a ` + secret + `="1"/>`,
			`<a xmlns:` + secret + `="` + secret + `"/>`, `<Codigo>&lt;` + secret + `&gt;` + inXML + `&lt;/a&gt;</Codigo>`,
			`<NFSe><` + secret + `>` + secret + `</NFSe>`, `<html><` + secret + `>` + secret, `<html ` + secret + `=` + secret,
			`<X509Certificate>` + packed + "\n" + secret + `</X509Certificate>`, `</Codigo>` + secret,
		} {
			k := BuiltIn()
			news := k.News(National, "issue", 200, secret+"/"+secret, []byte(body))
			kept := string(k.Anonymised([]byte(body))) + strings.Join(news, "\n")
			for _, leaked := range []string{secret, packed, inXML} {
				if strings.Contains(kept, leaked) {
					t.Errorf("%q of\n%s\nis in\n%s", leaked, body, kept)
				}
			}
			if word := partOf(secret, kept); word != "" {
				t.Errorf("%q of\n%s\nis in\n%s", word, body, kept)
			}
		}
	}
}

// partOf is a word of a secret that says something and is in what is kept.
func partOf(secret, kept string) string {
	for _, word := range []string{"Maria", "MARIA", "Silva", "SILVA", "Silveira", "Jo", "JOAO", "Pereira", "PEREIRA",
		"Souza", "Rua", "Acácias", "222", "ABC", "982", "234", "EXEMPLO", "4bf9"} {
		if strings.Contains(secret, word) && strings.Contains(kept, word) {
			return word
		}
	}
	return ""
}

// Any body is looked at within its bounds, and a copy of what can be read can be read.
func FuzzAnonymised(f *testing.F) {
	for _, body := range []string{`{"erros":[{"Codigo":"E1","x":"\u00e3\\"}]}`,
		`<a:b xmlns:a="x"><![CDATA[<c>]]></c></a:b>`,
		`<a>&lt;b c=&quot;1&quot;&gt;&amp;&lt;/b&gt;</a>`, `<html><br>`, `{"a":1e5}`, "\xff\xfe{\x00", `<a b='">'/>`,
		strings.Repeat("[", 200), strings.Repeat("<a>", 200), "<", "<!", "<![CDATA[", "</", `{"`, `"\`, "&lt;"} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		k := BuiltIn()
		news, kept := k.News(National, "issue", 201, "application/json", body), k.Anonymised(body)
		if len(news) > maxNews || len(kept) != min(len(body), maxRead) {
			t.Errorf("%d news, %d bytes of %d", len(news), len(kept), len(body))
		}
		if body = body[:len(kept)]; json.Valid(body) && !bytes.ContainsAny(body, "eE") && !json.Valid(kept) {
			t.Errorf("%q\nbecame\n%q", body, kept)
		}
		if wellFormed(body) && !strings.Contains(strings.Join(news, " "), "unreadable") && !wellFormed(kept) {
			t.Errorf("%q\nbecame\n%q", body, kept)
		}
	})
}

func wellFormed(body []byte) bool {
	decoder := xml.NewDecoder(bytes.NewReader(body))
	for elements := 0; ; {
		switch token, err := decoder.Token(); token.(type) {
		case xml.StartElement:
			elements++
		case nil:
			return errors.Is(err, io.EOF) && elements > 0
		}
	}
}

// A body as large and as deep as may come costs no more than what is looked at of it.
func TestNews_Large(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"deep JSON":  strings.Repeat(`{"a":[`, 1<<20),
		"deep XML":   strings.Repeat("<a>", 2<<20),
		"5 MB":       `{"nfseXmlGZipB64":"` + strings.Repeat("A", 5<<20) + `"}`,
		"many names": strings.Repeat(`<a x="1"/>`, 1<<19),
	} {
		if news := BuiltIn().News(National, "issue", 201, "application/json", []byte(body)); len(news) > maxNews {
			t.Errorf("%s: %d news", name, len(news))
		}
		if kept := BuiltIn().Anonymised([]byte(body)); len(kept) != maxRead {
			t.Errorf("%s: %d bytes are kept", name, len(kept))
		}
	}
}
