package words

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

// What the simulators' validators say, as those of the authorities do, is all known.
func TestSchemaErrors_KnowsTheValidators(t *testing.T) {
	validator := regexp.MustCompile(`^ ?(The ('|element|required|value|actual|Pattern|Enum|string|number)|List of)`)
	name, namespace := regexp.MustCompile(`element %s`), regexp.MustCompile(`('\w+')%s`)
	// What the grammar puts in after the value is an element or an attribute, and a sentence of its own.
	invalid := strings.NewReplacer("' %s is invalid", "' element is invalid",
		" - %s", " - The Pattern constraint failed.")
	sample := func(written string) string {
		written = invalid.Replace(written)
		named := namespace.ReplaceAllString(name.ReplaceAllString(written, "element 'x'"), "$1 in namespace 'n'")
		return strings.ReplaceAll(strings.ReplaceAll(named, ".%s", "."), "%s", "x")
	}
	said := 0
	for _, room := range []string{
		"test/simulators/sefin", "test/simulators/saopaulo", "test/simulators/shared/grammar",
	} {
		parseSource(t, room).inspect(func(node ast.Node) bool {
			expression, is := node.(ast.Expr)
			if !is {
				return true
			}
			written := format(expression)
			if !validator.MatchString(written) || !strings.Contains(written, " ") {
				return written == "%s"
			}
			said++
			shown := Portuguese.SchemaErrors(sample(written))
			if shown == "" || strings.Contains(shown, "The ") || strings.Contains(shown, "List of") {
				t.Errorf("%s says %q, which is %q in Portuguese", room, written, shown)
			}
			return false
		})
	}
	if said < 20 {
		t.Errorf("only %d sentences were found", said)
	}
}

func TestSchemaErrors(t *testing.T) {
	const ns = " in namespace 'http://www.sped.fazenda.gov.br/nfse'"
	for written, said := range map[string]string{
		"E1235: Falha no esquema XML do DF-e. The element 'infDPS'" + ns + " has invalid child element 'cLocEmi'" + ns +
			". List of possible elements expected: 'cMotivoEmisTI, finNFSe'" + ns +
			" as well as 'Signature' in namespace " +
			"'http://www.w3.org/2000/09/xmldsig#'.": "E1235: Falha no esquema XML do DF-e. O elemento 'infDPS' tem o " +
			"elemento 'cLocEmi', que não cabe ali. Elementos esperados: 'cMotivoEmisTI, finNFSe' ou 'Signature'.",
		"The element 'prest' has incomplete content. List of possible elements expected: 'CNPJ'.": "O elemento " +
			"'prest' está incompleto. Elementos esperados: 'CNPJ'.",
		"The 'http://www.sped.fazenda.gov.br/nfse:vServ' element is invalid - The value '1,00' is invalid " +
			"according to its datatype 'http://www.sped.fazenda.gov.br/nfse:TSDec15V2' - The Pattern constraint " +
			"failed.": "O valor de 'vServ' " +
			"não é válido: '1,00' não segue o tipo TSDec15V2: não tem a forma que o leiaute pede.",
		"The element 'xNome' cannot contain child element 'b' because the parent element's content model is text " +
			"only.": "" +
			"O elemento 'xNome' só pode conter texto, e contém o elemento 'b'.",
		"The required attribute 'Id' is missing.": "Falta o atributo obrigatório 'Id'.",
		"The 'NBS' element is invalid - The value '' is invalid according to its datatype 'x:tpCodigoNBS' - The " +
			"element is empty.": "O valor de 'NBS' não é válido: '' não segue o tipo tpCodigoNBS: está vazio.",
		"XML não compatível com Schema.": "", // the authority's own words
	} {
		if found := Portuguese.SchemaErrors(written); found != said {
			t.Errorf("%q is %q, not %q", written, found, said)
		}
		if found := English.SchemaErrors(written); found != "" {
			t.Errorf("in English %q is %q", written, found)
		}
	}
}
