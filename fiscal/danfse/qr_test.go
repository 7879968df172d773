package danfse_test

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestDraw_CodeLeadsToThePortal(t *testing.T) {
	for name, c := range map[string]struct{ document, expected string }{
		"an NFS-e": {full(t),
			"https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=33045572211222333000181000000000004226110123456781"},
		"a CNPJ with letters": {
			swap(t, full(t), "NFS33045572211222333000181", "NFS33045572212ABC34501DE35"),
			"https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=33045572212ABC34501DE35000000000004226110123456781"},
		"a note of the sandbox": {sandbox(t), "SIMULACAO - SEM VALOR FISCAL - 9978499276548"},
	} {
		t.Run(name, func(t *testing.T) {
			picture := filepath.Join(t.TempDir(), "page")
			page := stored(t, draw(t, c.document))
			tool(t, "poppler-utils", "pdftoppm", "-r", "300", "-singlefile", "-png", page, picture)
			read := tool(t, "zbar-tools", "zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture+".png")
			if read = strings.TrimSpace(read); read != c.expected {
				t.Errorf("the code says %q, expected %q", read, c.expected)
			}
		})
	}
}
