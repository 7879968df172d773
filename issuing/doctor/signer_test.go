package doctor

import (
	"crypto/x509/pkix"
	"testing"
)

// ICP-Brasil puts a CNPJ or CPF behind the name of a certificate's holder, which is nobody's to read.
func TestName_WithoutDocument(t *testing.T) {
	for commonName, expected := range map[string]string{
		"MUNICIPIO DE TESTE:12345678000195": "MUNICIPIO DE TESTE", "MARIA:52998224725": "MARIA",
		"www.nfse.gov.br": "www.nfse.gov.br", "": "-",
	} {
		if got := name(pkix.Name{CommonName: commonName, SerialNumber: "52998224725"}); got != expected {
			t.Errorf("%q is called %q", commonName, got)
		}
	}
}
