package calculator_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"emissor/fiscal/national/calculator"
	"emissor/nfse"
	stand "emissor/test/simulators/calculator"
)

// document is an NFS-e with what is read of one: IBS and CBS of 9,435.00.
const document = `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse"><infNFSe><IBSCBS>` +
	`<cLocalidadeIncid>3304557</cLocalidadeIncid><valores><vBC>9435.00</vBC></valores>` +
	`<totCIBS><vTotNF>10000.00</vTotNF><gIBS><vIBSTot>9.44</vIBSTot></gIBS><gCBS><vCBS>84.92</vCBS></gCBS></totCIBS>` +
	`</IBSCBS><DPS><infDPS><dCompet>2026-11-21</dCompet><serv><cServ><cNBS>115013000</cNBS></cServ></serv>` +
	`<IBSCBS><valores><trib><gIBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib>` +
	`</gIBSCBS></trib></valores></IBSCBS>` +
	`</infDPS></DPS></infNFSe></NFSe>`

func read(t *testing.T) calculator.Stated {
	t.Helper()
	stated, err := calculator.Read([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return stated
}

func TestRead(t *testing.T) {
	t.Parallel()
	stated := read(t)
	if stated.Place.State != "RJ" || stated.Place.Code != "3304557" || stated.Day != "2026-11-21" ||
		stated.NBS != "115013000" || stated.CST != "000" || stated.CClassTrib != "000001" || stated.Regular != nil ||
		stated.BaseCents != 9_435_00 || stated.IBSCents != 9_44 || stated.CBSCents != 84_92 {
		t.Errorf("%+v", stated)
	}
	suspended := strings.Replace(document, "</gIBSCBS>", "<gTribRegular><CSTReg>200</CSTReg>"+
		"<cClassTribReg>200029</cClassTribReg></gTribRegular></gIBSCBS>", 1)
	if stated, err := calculator.Read([]byte(suspended)); err != nil ||
		*stated.Regular != (nfse.RegularTaxation{CST: "200", CClassTrib: "200029"}) {
		t.Errorf("%+v, %v", stated, err)
	}
	for why, change := range map[string][2]string{
		"states no IBS and CBS":        {"<vBC>9435.00</vBC>", ""},
		"vBC 2 times":                  {"</vBC>", "</vBC><vBC>1.00</vBC>"},
		"vCBS is no amount":            {"84.92", "R$ 84,92"},
		"is no municipality":           {"3304557", "9999999"},
		"what is deferred":             {"</gIBSCBS>", "<gDif></gDif></gIBSCBS>"},
		"purchases of governments":     {"<IBSCBS><valores><trib>", "<IBSCBS><tpEnteGov>1</tpEnteGov><valores><trib>"},
		"competence after 2026-12-31":  {"2026-11-21", "2027-01-01"},
		"cNBS 0 times":                 {"<cNBS>115013000</cNBS>", ""},
		"more than one classification": {"</trib>", "<gIBSCBS></gIBSCBS></trib>"},
		"the root":                     {"NFSe", "CompNFSe"},
	} {
		changed := strings.ReplaceAll(document, change[0], change[1])
		if _, err := calculator.Read([]byte(changed)); err == nil ||
			why != "the root" && !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", why, err)
		}
	}
}

func TestCompute(t *testing.T) {
	t.Parallel()
	stated := read(t)
	for name, official := range map[string]*stand.Calculator{"texts": {}, "numbers": {Numbers: true}} {
		server := httptest.NewServer(official)
		t.Cleanup(server.Close)
		client, err := calculator.New(server.URL + "/api/")
		if err != nil {
			t.Fatal(err)
		}
		opinion, err := client.Compute(t.Context(), stated)
		if err != nil || opinion != (calculator.Opinion{IBSCents: 9_44, CBSCents: 84_92}) || !opinion.Agrees(stated) {
			t.Errorf("%s: %+v, %v", name, opinion, err)
		}
		refused := stated
		refused.CST = "999"
		if _, err := client.Compute(t.Context(), refused); err == nil ||
			!strings.Contains(err.Error(), "422: Classificação não simulada 999") {
			t.Errorf("%s: refused it is %v", name, err)
		}
	}
	for cents, agrees := range map[int64]bool{84_91: true, 84_92: true, 84_93: true, 84_90: false, 84_94: false} {
		if got := (calculator.Opinion{IBSCents: 9_44, CBSCents: cents}).Agrees(stated); got != agrees {
			t.Errorf("%d agrees: %v", cents, got)
		}
	}
}

// Anything that is no answer of the calculator is an error.
func TestCompute_NoAnswer(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(http.ResponseWriter, *http.Request){
		"500":       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"elsewhere": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) },
		"a page":    func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"no sums":   func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"total":{}}`)) },
		"cut":       func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		server := httptest.NewServer(http.HandlerFunc(answer))
		t.Cleanup(server.Close)
		client, err := calculator.New(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		if opinion, err := client.Compute(t.Context(), read(t)); err == nil ||
			!strings.Contains(err.Error(), "the calculator") {
			t.Errorf("%s: %+v, %v", name, opinion, err)
		}
	}
	client, err := calculator.New("http://localhost:8080/api")
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := client.Compute(ended, read(t)); err == nil {
		t.Error("an ended call answers")
	}
	for _, address := range []string{"", "localhost:8080", "ftp://host/api", "http://host/api?x=1", "http:///api"} {
		if _, err := calculator.New(address); err == nil {
			t.Errorf("%q is an address", address)
		}
	}
}
