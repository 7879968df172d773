package danfse_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"emissor/test/reference"
)

// groupSamples are what the page says of each sample of a group of the DPS, beside what the
// authority states of it (infNFSe/valores).
var groupSamples = map[string]struct {
	stated string
	says   []string
}{
	"benefit-percent": {
		`<tpBM>2</tpBM><vCalcBM>4000.00</vCalcBM><vBC>6000.00</vBC>`,
		[]string{"Redução da BC em percentual", "Cálculo do BM", "R$ 4.000,00", "R$ 6.000,00"},
	},
	"deduction-percent": {`<vCalcDR>4000.00</vCalcDR>`, []string{"Total Deduções/Reduções", "R$ 4.000,00"}},
	"deduction-value":   {``, []string{"Total Deduções/Reduções", "R$ 2.500,00"}},
	"discounts": {`<vBC>9500.00</vBC>`, []string{"Desconto Incondicionado", "R$ 500,00", "Desconto Condicionado",
		"R$ 200,00"}},
	"event": {``, []string{"12.07.01", "Rio de Janeiro / RJ / BR"}}, // an address has no place on the page
	"export-abroad": {``, []string{"Exportação de Serviço", "US", "98-7654321", "Acme Inc", "San Francisco", "94105",
		"Market Street, 1, SoMa"}},
	"export-place-brazil": {``, []string{"Exportação de Serviço", "Rio de Janeiro / RJ / BR", "98-7654321"}},
	"foreign-taker-taxed": {``, []string{"Operação Tributável", "98-7654321", "Acme Inc", "San Francisco"}},
	"immunity": {``, []string{"Imunidade", "Tipo de Imunidade do ISSQN",
		"Patrimônio, renda ou serviços dos"}},
	"intermediary-withholds": {``, []string{"12.345.678/0001-95", "Plataforma SA", "Rua da Assembleia, 20, Centro",
		"Retido pelo Intermediário"}},
	"rental-990101": {``, []string{"OPERAÇÃO NÃO SUJEITA AO ISSQN"}},
	"simples-iss-withheld": {`<vTotalRet>201.00</vTotalRet>`, []string{"Retido pelo Tomador",
		"Optante - Microempresa ou Empresa de...", "R$ 201,00"}},
	"substitution": {``, []string{"NFS-e Subst.: 33045572211222333000181000000000004226111234567892"}},
	"suspended": {``, []string{"Exigibilidade Suspensa por Decisão Ju...", "Número Processo Suspensão",
		"000000000008001234520258190001"}},
	"withheld-csll-only-2027": {``, []string{"Contribuições Sociais - Retidas", "R$ 100,00"}},
	"withheld-csrf-irrf-iss": {`<vTotalRet>815.00</vTotalRet><vLiq>9185.00</vLiq>`, []string{"IRRF", "R$ 150,00",
		"Contribuições Sociais - Retidas", "R$ 465,00", "PIS/COFINS/CSLL Retidos", "Retido pelo Tomador", "R$ 815,00",
		"R$ 9.185,00"}},
	"withheld-inss-material": {`<vCalcDR>4000.00</vCalcDR>`, []string{"Contribuição Previdenciária - Retida",
		"R$ 660,00", "R$ 4.000,00", "Cod. Obra: 900012345678"}},
	"works-address": {``, []string{"07.05.01", "Rio de Janeiro / RJ / BR"}}, // an address has no place on the page
}

// Every group that a DPS can have is where NT 008 places it.
func TestDraw_GroupSamples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(reference.National(t, "data", "dps-groups"), "*.xml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".xml")
		sample, known := groupSamples[name]
		if !known {
			t.Errorf("what the page says of %s is not tested", name)
			continue
		}
		declared, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, dps, _ := strings.Cut(string(declared), "?>")
		t.Run(name, func(t *testing.T) {
			says(t, draw(t, `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01"><infNFSe Id="NFS`+
				`33045572211222333000181000000000004226110123456781"><xLocEmi>Rio de Janeiro</xLocEmi>`+
				`<nNFSe>42</nNFSe>`+
				`<cStat>100</cStat><dhProc>2026-11-22T05:00:05-03:00</dhProc><valores>`+sample.stated+`</valores>`+dps+
				`</infNFSe></NFSe>`), sample.says...)
		})
	}
}
