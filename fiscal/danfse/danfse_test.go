package danfse_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/danfse"
	"emissor/fiscal/simulation"
	"emissor/nfse"
	"emissor/test/reference"
)

// full is an NFS-e in which nearly everything occurs that the layout knows.
func full(t testing.TB) string {
	t.Helper()
	document, err := os.ReadFile("testdata/full.xml")
	if err != nil {
		t.Fatal(err)
	}
	return string(document)
}

// bare is the full one without all that the layout lets an issuer leave out.
func bare(t testing.TB) string {
	t.Helper()
	document := full(t)
	for _, element := range []string{"subst", "toma", "interm", "vDescCondIncond", "vDedRed", "tribFed", "infoCompl",
		"obra", "atvEvento", "tpImunidade", "exigSusp", "xOutInf", "IBSCBS", "regApTribSN", "vCalcDR", "tpBM",
		"vCalcBM", "vTotalRet", "fone", "email", "xCpl", "cNBS", "cTribMun", "xTribMun"} {
		document = without(t, document, element)
	}
	document = swap(t, document, "<regEspTrib>2", "<regEspTrib>0")
	return swap(t, document, "<vISSQN>604.78</vISSQN>", "")
}

// without removes every element of a name.
func without(t testing.TB, document, name string) string {
	t.Helper()
	found := false
	for {
		before, rest, opens := strings.Cut(document, "<"+name+">")
		_, after, closes := strings.Cut(rest, "</"+name+">")
		if !opens || !closes {
			break
		}
		document, found = before+after, true
	}
	if !found {
		t.Fatalf("the document has no %s", name)
	}
	return document
}

// swap puts one text in another's place.
func swap(t testing.TB, document, old, new string) string {
	t.Helper()
	if !strings.Contains(document, old) {
		t.Fatalf("the document has no %s", old)
	}
	return strings.Replace(document, old, new, 1)
}

// sandbox is the XML of a note of the sandbox.
func sandbox(t testing.TB) string {
	t.Helper()
	code := "010601"
	_, document, err := simulation.Issue(nfse.Note{
		ID: "nfse_01m7yv5g08ef688dg9093ee0f7", Reference: "pedido-1", AmountCents: 1234567,
		Competence: "2026-10-31", ISSWithheld: true,
		Customer: nfse.CustomerSnapshot{TaxID: "52998224725", Name: "Maria da Silva"},
		Service: nfse.ServiceSnapshot{Description: "Consulta médica", MunicipalityCode: "3550308",
			NationalTaxCode: &code},
		Municipality: nfse.NoteMunicipality{Code: "3304557"},
	}, nfse.Timestamp{Time: time.Date(2026, 11, 21, 1, 30, 5, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return string(document)
}

func draw(t testing.TB, document string, events ...[]byte) []byte {
	t.Helper()
	return drawDocument(t, danfse.Document{XML: []byte(document), Events: events})
}

// event is the least document of an event of a type.
func event(kind string) []byte {
	return []byte(`<evento xmlns="http://www.sped.fazenda.gov.br/nfse"><infEvento><pedRegEvento><infPedReg><e` + kind +
		`><xDesc>Evento</xDesc></e` + kind + `></infPedReg></pedRegEvento></infEvento></evento>`)
}

func drawDocument(t testing.TB, document danfse.Document) []byte {
	t.Helper()
	var page bytes.Buffer
	if err := danfse.Draw(&page, document); err != nil {
		t.Fatal(err)
	}
	if size := page.Len(); size > 100<<10 {
		t.Errorf("the page has %d bytes", size)
	}
	return page.Bytes()
}

func TestDraw_EveryBlock(t *testing.T) {
	says(t, draw(t, full(t)),
		"Município: Rio de Janeiro / RJ", "Ambiente Gerador: Sistema Nacional da NFS-e", "Tipo de Ambiente: Produção",
		"33045572211222333000181000000000004226110123456781", "20/11/2026", "21/11/2026 09:00:05",
		"21/11/2026 09:00:00", "Prestador", "NFS-e Gerada", "NFS-e regular",
		"11.222.333/0001-81", "(21) 2233-4455", "CLÍNICA EXEMPLO DE CONSULTORIA LTDA", "3304557 / 20.040-003",
		"Avenida Rio Branco, 156, Sala 1201, Centro", "Optante - Microempresa ou Empresa de...",
		"529.982.247-25", "(11) 98765-4321", "Maria da Conceição Araújo", "São Paulo / SP", "3550308 / 01.310-100",
		"33.000.167/0001-01", "DESTINATÁRIA DO SERVIÇO LTDA", "Brasília / DF", "12.ABC.345/01DE-35", "Curitiba / PR",
		"01.06.01 / 123", "1.1502.10.00", "Rio de Janeiro / RJ / BR", "Consultoria em tecnologia da informação",
		"Consultoria em sistemas de informação, contrato 2026/17.",
		"Operação Tributável", "Estimativa", "Livros, jornais, periódicos e o papel...", "Isenção", "R$ 50,00",
		"R$ 12.095,67", "5,00 %", "Retido pelo Tomador", "R$ 604,78",
		"R$ 185,19", "R$ 123,46", "R$ 80,25", "R$ 370,37", "PIS/COFINS Não Retidos",
		"200 / 200028", "100301 / 3304557 / Rio de Janeiro / RJ", "R$ 1.155,40", "R$ 11.190,92",
		"60,00 % / 60,00 % / 60,00 %", "0,10 % / 0,00 %", "0,36 %", "R$ 40,29", "R$ 44,77",
		"R$ 12.345,67", "R$ 1.364,91", "R$ 10.930,76",
		"Inf. Cont.: Pagamento em 30 dias. | NFS-e Subst.: 33045572211222333000181000000000004126110123456780 | "+
			"Doc. Ref.: Contrato 2026/17 | Cod. Obra: 123456789012 | Insc. Imob.: IM-77 | Cod. Evt.: EVT-9 | "+
			"Doc. Tec.: ART 123 | Núm. Ped.: PED-1 | Item Ped.: 1, 2 | Inf. A. T. Mun.: Documento de teste",
		"Totais Aproximados dos Tributos cfe. Lei nº 12.741/2012: Federais: 13,45 %; Estaduais: 0,00 %; "+
			"Municipais: 2,90 %",
		"42 / 33045572211222333000181000000000004226110123456781",
	)
}

// What a note does not have collapses to the official phrases, or is left out.
func TestDraw_EmptyBlocks(t *testing.T) {
	page := draw(t, bare(t))
	says(t, page, "TOMADOR/ADQUIRENTE DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e",
		"DESTINATÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e", "INTERMEDIÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e")
	saysNot(t, page, "TRIBUTAÇÃO IBS", "Tipo de Imunidade", "Benefício Municipal", "SEM VALIDADE", "SIMULAÇÃO",
		letters("CANCELADA"), letters("SUBSTITUÍDA"))
	says(t, page, "TRIBUTAÇÃO MUNICIPAL (ISSQN)", "PIS - Débito Apuração Própria", "Totais Aproximados dos Tributos")

	own := swap(t, full(t), "<indDest>1", "<indDest>0")
	says(t, draw(t, without(t, own, "dest")), "O DESTINATÁRIO É O PRÓPRIO TOMADOR/ADQUIRENTE DA OPERAÇÃO")

	outside := draw(t, swap(t, full(t), "<cTribNac>010601", "<cTribNac>990101"))
	says(t, outside, "TRIBUTAÇÃO MUNICIPAL (ISSQN) - OPERAÇÃO NÃO SUJEITA AO ISSQN")
	saysNot(t, outside, "Alíquota Aplicada", "Município: ")

	untaxed := draw(t, swap(t, full(t), "<tribISSQN>1", "<tribISSQN>4"))
	says(t, untaxed, "OPERAÇÃO NÃO SUJEITA AO ISSQN", "Município: Rio de Janeiro / RJ")
	for _, taxation := range []string{"2", "3"} {
		says(t, draw(t, swap(t, full(t), "<tribISSQN>1", "<tribISSQN>"+taxation)), "Tipo de Imunidade do ISSQN")
	}

	saysNot(t, draw(t, swap(t, full(t), "<dCompet>2026-11-20", "<dCompet>2027-01-01")), "Débito Apuração Própria")
	says(t, draw(t, swap(t, full(t), "<dCompet>2026-11-20", "<dCompet>2026-12-31")), "Débito Apuração Própria")
}

// The block of IBS and CBS shows what the authority computed: testdata/ibscbs-2027.xml is
// a note of the simulator, of a year in which they are added to the price.
func TestDraw_IBSAndCBS(t *testing.T) {
	note, err := os.ReadFile("testdata/ibscbs-2027.xml")
	if err != nil {
		t.Fatal(err)
	}
	page := draw(t, string(note))
	says(t, page, "TRIBUTAÇÃO IBS / CBS", "200 / 200052", "100301 / 3304557 / Município 3304557 / RJ",
		"R$ 30,00", "R$ 1.470,00", "30,00 % / 30,00 % / 30,00 %", "0,05 % / 0,05 %", "0,04 %", "R$ 0,59", "R$ 1,18",
		"0,90 %", "0,63 %", "R$ 9,26", "R$ 10,44", "R$ 1.500,00", "R$ 1.510,44",
		"O DESTINATÁRIO É O PRÓPRIO TOMADOR/ADQUIRENTE DA OPERAÇÃO")
	saysNot(t, page, "PIS - Débito Apuração Própria")

	unreduced := string(note)
	for _, element := range []string{"pRedAliqUF", "pRedAliqMun", "pRedAliqCBS"} {
		unreduced = without(t, unreduced, element)
	}
	saysNot(t, draw(t, unreduced), "30,00 %")
}

// With PIS and COFINS withheld they count with what is withheld, not as one's own.
func TestDraw_ContributionsWithheld(t *testing.T) {
	page := draw(t, swap(t, full(t), "<tpRetPisCofins>2", "<tpRetPisCofins>1"))
	says(t, page, "R$ 574,08", "R$ 0,00", "PIS/COFINS Retidos") // 123,46 + 80,25 + 370,37
	saysNot(t, page, "R$ 370,37")
}

// The issuer's own name and address are what the authority has of it; of a
// provider that did not issue the note itself, what the note says.
func TestDraw_ProviderByIssuer(t *testing.T) {
	saysNot(t, draw(t, swap(t, full(t), "<tpEmit>1", "<tpEmit>2")), "CLÍNICA EXEMPLO", "20.040-003")
}

func TestDraw_TestSystem(t *testing.T) {
	page := draw(t, swap(t, full(t), "<tpAmb>1", "<tpAmb>2"))
	says(t, page, "NFS-e SEM VALIDADE JURÍDICA", "Tipo de Ambiente: Homologação")
	// The environment that generated it says nothing of its validity.
	saysNot(t, draw(t, swap(t, full(t), "<ambGer>2", "<ambGer>1")), "SEM VALIDADE")
}

// A note that a city issued by a server of its own says so: the city as who generated it, its own code of
// the service beside the national one, and the national portal as where it is verified.
func TestDraw_OfACity(t *testing.T) {
	page := draw(t, swap(t, swap(t, full(t), "<ambGer>2", "<ambGer>1"), "<cTribMun>123", "<cTribMun>001"))
	says(t, page, "Ambiente Gerador: Prefeitura", "01.06.01 / 001", "portal nacional da NFS-e")
	saysNot(t, page, "SEM VALIDADE")
}

func TestDraw_EventsThatEndANote(t *testing.T) {
	for name, c := range map[string]struct {
		events    []string // files of samples
		cancelled bool
		replaced  bool
		expected  string
	}{
		"cancelled by its issuer": {events: []string{"101101-cancelamento"}, expected: "CANCELADA"},
		"cancelled on request": {
			events: []string{"101103-pedido-analise-fiscal", "105104-analise-deferida"}, expected: "CANCELADA",
		},
		"cancelled by the city":      {events: []string{"305101-por-oficio"}, expected: "CANCELADA"},
		"cancelled, without a paper": {cancelled: true, expected: "CANCELADA"},
		"substituted": {
			events:    []string{"203202-confirmacao-tomador", "105102-por-substituicao"},
			cancelled: true, expected: "SUBSTITUÍDA",
		},
		"replaced, without a paper": {cancelled: true, replaced: true, expected: "SUBSTITUÍDA"},
		"replaced, with another's paper": {
			events: []string{"101101-cancelamento"}, cancelled: true, replaced: true, expected: "SUBSTITUÍDA",
		},
		"looked at by others": {events: []string{
			"203202-confirmacao-tomador", "203206-rejeicao-tomador", "101103-pedido-analise-fiscal",
			"105105-analise-indeferida", "305102-bloqueio-por-oficio", "305103-desbloqueio-por-oficio",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			document := danfse.Document{XML: []byte(full(t)), Cancelled: c.cancelled, Replaced: c.replaced}
			for _, file := range c.events {
				document.Events = append(document.Events, reference.ReadNational(t, "adn-samples/evento-"+file+".xml"))
			}
			page := drawDocument(t, document)
			for _, word := range []string{"CANCELADA", "SUBSTITUÍDA"} {
				if word == c.expected {
					says(t, page, letters(word))
				} else {
					saysNot(t, page, letters(word))
				}
			}
		})
	}
}

// A page that does not know what an event says is not drawn: it might say that a
// note stands which was cancelled.
func TestDraw_UnreadableEvent(t *testing.T) {
	for _, document := range []string{"", full(t), `<evento xmlns="http://www.sped.fazenda.gov.br/nfse"/>`} {
		var page bytes.Buffer
		err := danfse.Draw(&page, danfse.Document{XML: []byte(full(t)), Events: [][]byte{[]byte(document)}})
		if err == nil || !strings.Contains(err.Error(), "event") || page.Len() > 0 {
			t.Errorf("%.50s: %v, %d bytes", document, err, page.Len())
		}
	}
}

func TestDraw_SandboxSaysThatItIsASimulation(t *testing.T) {
	page := draw(t, sandbox(t), event("101101"))
	says(t, page, "SIMULAÇÃO - SEM VALOR FISCAL", "Tipo de Ambiente: Simulação", "não existe NFS-e",
		letters("SIMULAÇÃO"), letters("CANCELADA"), letters("FISCAL"), "Simulation of the test environment",
		"529.982.247-25", "Maria da Silva", "Rio de Janeiro / RJ", "São Paulo / SP / BR",
		"Consulta médica", "R$ 12.345,67", "Retido pelo Tomador",
		"20/11/2026 22:30:05", "31/10/2026", "Núm. Ped.: pedido-1")
	saysNot(t, page, "A autenticidade desta NFS-e")
}

func TestDraw_SameBytes(t *testing.T) {
	for name, document := range map[string]string{"full": full(t), "bare": bare(t), "sandbox": sandbox(t)} {
		first := draw(t, document, event("101101"))
		for range 20 {
			if !bytes.Equal(first, draw(t, document, event("101101"))) {
				t.Fatalf("%s gives other bytes", name)
			}
		}
	}
}

func TestDraw_NoNote(t *testing.T) {
	for name, c := range map[string]struct{ document, why string }{
		"nothing":       {"", "is not the XML"},
		"no XML":        {"%PDF-1.4", "is not the XML"},
		"cut off":       {full(t)[:5000], "is not the XML"},
		"other XML":     {"<html/>", "not the XML of a note"},
		"of nobody":     {strings.ReplaceAll(full(t), "infDPS", "infOther"), "one DPS"},
		"two notes":     {full(t) + "<NFSe/>", "goes on after its end"},
		"two DPS":       {swap(t, full(t), "<DPS xmlns", `<DPS><infDPS/></DPS><DPS xmlns`), "one DPS"},
		"no key":        {swap(t, full(t), `Id="NFS33045`, `Id="NFS3304?`), "no access key"},
		"DTD":           {`<!DOCTYPE a [<!ENTITY b "c">]>` + swap(t, full(t)[39:], "Sala 1201", "&b;"), "not the XML"},
		"deep":          {strings.Repeat("<a>", 1000), "too deep"},
		"large":         {"<a>" + strings.Repeat(" ", 3<<20) + "</a>", "is larger than"},
		"other charset": {swap(t, full(t), "UTF-8", "ISO-8859-1"), "is not the XML"},
	} {
		t.Run(name, func(t *testing.T) {
			var page bytes.Buffer
			err := danfse.Draw(&page, danfse.Document{XML: []byte(c.document)})
			if err == nil || !strings.Contains(err.Error(), c.why) || page.Len() > 0 {
				t.Errorf("the error is %v, and %d bytes were written", err, page.Len())
			}
		})
	}
}

func TestDraw_Logo(t *testing.T) {
	file, err := os.ReadFile(reference.Printed(t, "logo-nfse-horizontal.png"))
	if err != nil {
		t.Fatal(err)
	}
	logo, err := danfse.ParseLogo(file)
	if err != nil {
		t.Fatal(err)
	}
	page := drawDocument(t, danfse.Document{XML: []byte(full(t)), Logo: logo})
	saysNot(t, page, "Nota Fiscal de")
	says(t, draw(t, full(t)), "Nota Fiscal de")
}

func BenchmarkDraw(b *testing.B) {
	file, err := os.ReadFile(reference.Printed(b, "logo-nfse-horizontal.png"))
	if err != nil {
		b.Fatal(err)
	}
	logo, err := danfse.ParseLogo(file)
	if err != nil {
		b.Fatal(err)
	}
	cancelled := [][]byte{event("101101")}
	for name, document := range map[string]danfse.Document{
		"full":    {XML: []byte(full(b)), Events: cancelled},
		"logo":    {XML: []byte(full(b)), Events: cancelled, Logo: logo},
		"bare":    {XML: []byte(bare(b)), Events: cancelled},
		"sandbox": {XML: []byte(sandbox(b)), Events: cancelled},
	} {
		b.Run(name, func(b *testing.B) {
			size := 0
			for b.Loop() {
				size = len(drawDocument(b, document))
			}
			b.ReportMetric(float64(size), "B/page")
		})
	}
}
