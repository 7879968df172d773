package drift

import (
	"slices"
	"strings"
	"testing"
)

// What is new of an answer is what no row of its call has: each member once, by its path and kind.
func TestNews(t *testing.T) {
	t.Parallel()
	known := Parse("# a comment\nnational\tissue\t201 application/json\nnational\tissue\tobject\n" +
		"national\tissue\t.idDps text\nnational\tissue\t.alertas list\nnational\tissue\t.alertas[] object\n" +
		"national\tissue\t.alertas[].codigo text\nissnet\tissue\t200 text/xml\nissnet\tissue\t/Envelope element\n" +
		"issnet\tissue\t/Envelope/Body element\n")
	for name, c := range map[string]struct {
		family, call string
		status       int
		media, body  string
		news         []string
	}{
		"known": {"national", "issue", 201, "application/json; charset=utf-8",
			"\ufeff { \"alertas\" : [{\"codigo\":\"a\\\"b\"}, {}] , \"idDps\":\"}\"}\n", nil},
		"a member is missing": {"national", "issue", 201, "application/json", `{}`, nil},
		"members, a kind": {"national", "issue", 201, "application/json",
			`{"idDps":1,"alertas":[{"codigo":null,"codigoNovo":[true]},{"codigoNovo":[false,-1.5]}]}`,
			[]string{".idDps number", ".alertas[].codigo null", ".alertas[].codigoXxxx list",
				".alertas[].codigoXxxx[] bool", ".alertas[].codigoXxxx[] number"}},
		"another call":   {"national", "find", 201, "application/json", `{}`, []string{"201 application/json", "object"}},
		"another family": {"dsf", "issue", 201, "application/json", `{}`, []string{"201 application/json", "object"}},
		"a status":       {"national", "issue", 418, "application/json", `{}`, []string{"418 application/json"}},
		"a media type":   {"national", "issue", 201, "text/maria", `{}`, []string{"201 other"}},
		"nothing":        {"national", "issue", 201, "", " \n", []string{"201 none", "empty"}},
		"a page": {"national", "issue", 503, "text/html", `<!DOCTYPE html><html><body><p>Maria<br></html>`,
			[]string{"503 text/html", "html"}},
		"a text":    {"national", "issue", 201, "application/json", `35...`, []string{"plain"}},
		"cut":       {"national", "issue", 201, "application/json", `{"idDps":"1`, []string{".idDps unreadable"}},
		"no JSON":   {"national", "issue", 201, "application/json", `{"idDps":"1",}`, []string{"unreadable"}},
		"two of it": {"national", "issue", 201, "application/json", `{}{}`, []string{"unreadable"}},
		"XML": {"issnet", "issue", 200, "text/xml", `<?xml version="1.0"?><s:Envelope xmlns:s="x" Id="1"><!-- < -->` +
			`<s:Body><![CDATA[<a>1</a>]]>&lt;b c=&quot;2&quot;/&gt;</s:Body><Body/></s:Envelope>`,
			[]string{"/Envelope/@Id text", "/Envelope/Body/a element", "/Envelope/Body/a text",
				"/Envelope/Body/&b element", "/Envelope/Body/&b/@x text"}},
		"escaped XML": {"issnet", "issue", 200, "text/xml",
			`<Envelope><Body>&lt;alertas id="2">&lt;b/&gt;1&lt;/alertas></Body></Envelope>`,
			[]string{"/Envelope/Body/&alertas element", "/Envelope/Body/&alertas/@id text",
				"/Envelope/Body/&alertas/&b element", "/Envelope/Body/&alertas text"}},
		"a document": {"issnet", "issue", 200, "text/xml",
			`<Envelope><Body><NFSe versao="1.01"><infNFSe>1</infNFSe></NFSe></Body></Envelope>`,
			[]string{"/Envelope/Body/NFSe element"}},
		"no XML": {"issnet", "issue", 200, "text/xml", `<Envelope><Body></Envelope>`, []string{"/Envelope/Body unreadable"}},
	} {
		if news := known.News(c.family, c.call, c.status, c.media, []byte(c.body)); !slices.Equal(news, c.news) {
			t.Errorf("%s: news are\n\t%s\nand not\n\t%s", name, strings.Join(news, "\n\t"), strings.Join(c.news, "\n\t"))
		}
	}
}

// What is known costs microseconds: every answer is looked at while its note waits.
func BenchmarkNews(b *testing.B) {
	document := "<NFSe>" + strings.Repeat(`<emit Id="1"><xNome>CLÍNICA EXEMPLO LTDA</xNome></emit>`, 200) + "</NFSe>"
	for name, c := range map[string]struct{ family, media, body string }{
		"JSON": {"national", "application/json; charset=utf-8",
			`{"tipoAmbiente":1,"versaoAplicativo":"SefinNacional_1.6.0","dataHoraProcessamento":"2026-08-31T07:48:27",` +
				`"idDps":"NFS1","chaveAcesso":"1","nfseXmlGZipB64":"` + strings.Repeat("H4sIAAAA", 1500) + `","alertas":null}`},
		"XML": {"issnet", "text/xml", `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>` +
			`<GerarNfseResponse><GerarNfseResult><GerarNfseResposta><ListaNfse><CompNfse>` + document +
			`</CompNfse></ListaNfse></GerarNfseResposta></GerarNfseResult></GerarNfseResponse></soap:Body></soap:Envelope>`},
	} {
		b.Run(name, func(b *testing.B) {
			status, body := 201, []byte(c.body)
			if c.family != "national" {
				status = 200
			}
			if news := BuiltIn().News(c.family, "issue", status, c.media, body); news != nil {
				b.Fatal(news)
			}
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				BuiltIn().News(c.family, "issue", status, c.media, body)
			}
		})
	}
}
