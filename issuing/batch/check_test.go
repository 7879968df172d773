package batch

import (
	"crypto/sha256"
	"slices"
	"testing"
)

// linesOf reads the lines of a file, without what is on record.
func linesOf(t *testing.T, content []byte) Checked {
	t.Helper()
	rows, err := read(t.Context(), content)
	if err != nil {
		t.Fatal(err)
	}
	c := checker{checked: &Checked{}, sum: sha256.New()}
	if err := c.readHead(rows[0]); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		if err := c.add(c.readCells(row)); err != nil {
			t.Fatal(err)
		}
	}
	c.refer()
	return *c.checked
}

const (
	head  = `<row><c t="str"><v>servico</v></c><c t="str"><v>cpf_cnpj</v></c><c t="str"><v>valor</v></c></row>`
	lines = "servico;cpf_cnpj;valor\nConsulta;529.982.247-25;1.250,50\nExame;11144477735;10\n"
)

// The digest is of what is asked for, however a table is saved.
func TestDigest(t *testing.T) {
	t.Parallel()
	digest := linesOf(t, []byte(lines)).Digest
	for name, same := range map[string][]byte{
		"a mark, other ends of lines": []byte("\ufeffservico;cpf_cnpj;valor\r\nConsulta;52998224725;1250,5\r\n" +
			"Exame;111.444.777-35;10,00\r\n"),
		"other columns": []byte("Visto,Valor,CPF,Serviço,\nhoje,\"1,250.50\",529.982.247-25,Consulta,\n" +
			"ontem,R$ 10,11144477735,Exame,\n"),
		"empty columns and lines": []byte("servico;cpf_cnpj;valor;iss_retido;nome\n;;;;\n" +
			"Consulta;52998224725;1250.5;não;\n\nExame;11144477735;10;;\n"),
		"a workbook": workbookOf(t, head+`
			<row><c t="str"><v>Consulta</v></c><c><v>52998224725</v></c><c><v>1250.5</v></c></row>
			<row><c t="s"><v>0</v></c><c><v>11144477735</v></c><c><v>10.000000000000001</v></c><c><f>NOW()</f></c></row>`,
			`<si><t>Exame</t></si>`),
	} {
		checked := linesOf(t, same)
		if checked.Digest != digest || len(checked.Problems) > 0 {
			t.Errorf("%s: another digest, %v", name, checked.Problems)
		}
	}
	for name, other := range map[string]string{
		"another amount":  "servico;cpf_cnpj;valor\nConsulta;529.982.247-25;1.250,51\nExame;11144477735;10\n",
		"fewer lines":     "servico;cpf_cnpj;valor\nConsulta;529.982.247-25;1.250,50\n",
		"another order":   "servico;cpf_cnpj;valor\nExame;11144477735;10\nConsulta;529.982.247-25;1.250,50\n",
		"a line twice":    lines + "Exame;11144477735;10\n",
		"another meaning": "descricao;cpf_cnpj;valor;servico\nConsulta;529.982.247-25;1.250,50;\nExame;11144477735;10;\n",
	} {
		if linesOf(t, []byte(other)).Digest == digest {
			t.Errorf("%s: the same digest", name)
		}
	}
}

// A number that is a CPF and a CNPJ without their zeros is nobody's; a text says whose it is.
func TestTaxIDs(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string][]Problem{
		`<c><v>191</v></c>`:                    {{2, "tax_id", "cpf_cnpj", "191", ProblemZeros}},
		`<c t="str"><v>00000000191</v></c>`:    nil,
		`<c t="str"><v>00000000000191</v></c>`: nil,
		`<c t="str"><v>191</v></c>`:            {{2, "tax_id", "cpf_cnpj", "191", ProblemValue}},
		`<c><v>52998224725</v></c>`:            nil,
		`<c><v>11444777000161</v></c>`:         nil,
		`<c><v>192</v></c>`:                    {{2, "tax_id", "cpf_cnpj", "192", ProblemValue}},
	} {
		row := `<row><c t="str"><v>Consulta</v></c>` + cell + `<c><v>10</v></c></row>`
		if got := linesOf(t, workbookOf(t, head+row)).Problems; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", cell, got, want)
		}
	}
}
