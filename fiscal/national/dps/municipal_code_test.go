package dps

import (
	"strings"
	"testing"

	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
)

// The city's own code of a service is written for its server, before the description, and not for the
// national one: what it has set there (E0314) is another table.
func TestSignDeclaration_MunicipalCode(t *testing.T) {
	d := nationaltest.Declaration()
	d.Taxation.Service = &nfse.ServiceTaxation{MunicipalCode: "001"}
	for writes, signer := range map[bool]Signer{false: {}, true: {MunicipalCodes: true}} {
		message, err := signer.SignDeclaration(d, nationaltest.Credentials(t), nationaltest.At)
		written := strings.Contains(string(message.XML), "</cTribNac><cTribMun>001</cTribMun><xDescServ>")
		if err != nil || written != writes || strings.Contains(string(message.XML), "cTribMun") != writes {
			t.Errorf("written %t, expected %t: %v\n%s", written, writes, err, message.XML)
		}
	}
}
