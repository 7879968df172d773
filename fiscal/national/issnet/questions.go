package issnet

import (
	"fmt"
	"strings"

	"emissor/fiscal/national/soap"
)

// providerGroup is the group Prestador.
func providerGroup(by soap.Provider) string { return "<Prestador>" + by.Write() + "</Prestador>" }

// dpsQuestion is the content of ConsultarNfseDpsEnvio. The series has five digits, as in the DPS of those
// who issue.
func dpsQuestion(sent soap.SentDPS) []byte {
	series := strings.Repeat("0", max(0, 5-len(sent.Series))) + sent.Series
	return []byte("<IdentificacaoDps>" + soap.Element("NumDPS", sent.Number) + soap.Element("SerieDPS", series) +
		"</IdentificacaoDps>" + providerGroup(sent.By))
}

// noteQuestion is the content of ConsultarNfseServicoPrestadoEnvio, by the number of a note.
func noteQuestion(by soap.Provider, number string) []byte {
	return []byte(providerGroup(by) + soap.Element("NumeroNfse", number) + soap.Element("Pagina", fmt.Sprint(1)))
}
