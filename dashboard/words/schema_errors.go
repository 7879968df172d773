package words

import (
	"regexp"
	"strings"
)

// Authorities validate documents with .NET, whose messages are English, and answer with
// these among their own words. They are translated here by their patterns; the authority's
// words are shown beside the translation.

// schemaSentence is a pattern of a message of the validator and its Portuguese translation,
// with what is filled in as $1 and so on. A namespace is left out.
type schemaSentence struct {
	written    *regexp.Regexp
	portuguese string
}

// inNamespace is what may follow the name of an element.
const inNamespace = `(?: in namespace '[^']*')?`

func sentence(written, portuguese string) schemaSentence {
	return schemaSentence{regexp.MustCompile(strings.ReplaceAll(written, "NS", inNamespace)), portuguese}
}

// schemaSentences are replaced in this order.
var schemaSentences = []schemaSentence{
	sentence(`The element '([^']+)'NS has invalid child element '([^']+)'NS\.`,
		`O elemento '$1' tem o elemento '$2', que não cabe ali.`),
	sentence(`The element '([^']+)'NS has incomplete content\.`, `O elemento '$1' está incompleto.`),
	sentence(`The element '([^']+)'NS cannot contain text\.`, `O elemento '$1' não pode conter texto.`),
	sentence(`The element '([^']+)'NS cannot contain child element '([^']+)'NS because the parent element's content `+
		`model is text only\.`, `O elemento '$1' só pode conter texto, e contém o elemento '$2'.`),
	sentence(`List of possible elements expected: `, `Elementos esperados: `),
	sentence(`The '(?:[^' ]*:)?([^':]+)' (?:element|attribute) is invalid - `, `O valor de '$1' não é válido: `),
	sentence(`[Tt]he value '([^']*)' is invalid according to its datatype '(?:[^' ]*:)?([^':]+)' - `,
		`'$1' não segue o tipo $2: `),
	sentence(`The '(?:[^' ]*:)?([^':]+)' element is not declared\.`, `O elemento '$1' não existe no leiaute.`),
	sentence(`The value '([^']*)' is not valid\.`, `O valor '$1' não é válido.`),
	sentence(`The '([^']+)' attribute is not declared\.`, `O atributo '$1' não existe no leiaute.`),
	sentence(`The required attribute '([^']+)' is missing\.`, `Falta o atributo obrigatório '$1'.`),
	sentence(`The Pattern constraint failed\.`, `não tem a forma que o leiaute pede.`),
	sentence(`The Enumeration constraint failed\.`, `não é um dos valores que o leiaute tem.`),
	sentence(`The (?:MinLength|MaxLength|Length) constraint failed\.`, `o tamanho não é o que o leiaute pede.`),
	sentence(`The (?:TotalDigits|FractionDigits) constraint failed\.`,
		`o número de dígitos não é o que o leiaute pede.`),
	sentence(`The (?:Min|Max)(?:Inclusive|Exclusive) constraint failed\.`, `o valor está fora da faixa do leiaute.`),
	sentence(`The ([A-Za-z]+) constraint failed\.`, `a restrição $1 do leiaute não foi atendida.`),
	sentence(`The actual length is less than the MinLength value\.`, `é mais curto do que o leiaute pede.`),
	sentence(`The actual length is greater than the MaxLength value\.`, `é mais longo do que o leiaute permite.`),
	sentence(`The actual length is not equal to the specified length\.`, `o tamanho não é o que o leiaute pede.`),
	sentence(`The element is empty\.`, `está vazio.`),
	sentence(`The number begins with a zero\.`, `o número começa com zero.`),
	sentence(`The string '([^']*)' is not a valid ([A-Za-z]+) value\.`, `'$1' não é um valor do tipo $2.`),
}

// expectedElements are written as 'a, b' in namespace 'x' as well as 'c' in namespace 'y'.
var expectedElements = []schemaSentence{
	sentence(`' in namespace '[^']*'`, `'`), sentence(`' as well as '`, `' ou '`),
}

// SchemaErrors is an authority's message with the validator's sentences translated; empty
// where it has none of them, or the reader's language is English.
func (l Language) SchemaErrors(message string) string {
	if l == English {
		return ""
	}
	said := replaced(message, schemaSentences)
	if said == message {
		return ""
	}
	return replaced(said, expectedElements)
}

func replaced(text string, sentences []schemaSentence) string {
	for _, one := range sentences {
		text = one.written.ReplaceAllString(text, one.portuguese)
	}
	return text
}
