package grammar

import (
	"strings"
	"testing"

	"github.com/beevik/etree"
)

// text is a simple type that takes itself and nothing else.
type text string

func (t text) Name() string { return "test:" + string(t) }

func (t text) Violated(value string) string {
	if value == string(t) {
		return ""
	}
	return "It is another."
}

const table = `
Order   number:one note:one? (CPF:one|CNPJ:two) item:Item{2} seen:two+
        Signature:ds.Signature?
Item    name:one
ds.Signature Reference:one
`

func testSchema(namespace string) *Schema {
	return Read(Definition{
		Table: table, Namespace: namespace,
		Simple:     map[string]Simple{"one": text("1"), "two": text("2"), "anyURI": text("")},
		Attributes: map[string]map[string]string{"Order": {"version": "one"}},
	})
}

const (
	item  = `<item><name>1</name></item>`
	order = `<number>1</number><CPF>1</CPF>` + item + item + `<seen>2</seen><seen>2</seen>`
)

// What is said of documents, of which elements are in no namespace.
func TestViolations(t *testing.T) {
	const wrap = `<Order version="1">`
	for name, test := range map[string]struct{ document, says string }{
		"nothing":        {wrap + order, ""},
		"what is absent": {wrap + strings.Replace(order, "<CPF>1</CPF>", "<note>1</note><CNPJ>2</CNPJ>", 1), ""},
		"a child too early": {
			wrap + strings.Replace(order, "<CPF>1</CPF>", "", 1),
			"The element 'Order' has invalid child element 'item'. " +
				"List of possible elements expected: 'note, CPF, CNPJ'.",
		},
		"a child too often": {
			wrap + strings.Replace(order, item, item+item, 1),
			"The element 'Order' has invalid child element 'item'. List of possible elements expected: 'seen'.",
		},
		"both of a choice": {
			wrap + strings.Replace(order, "<CPF>1</CPF>", "<CPF>1</CPF><CNPJ>2</CNPJ>", 1),
			"The element 'Order' has invalid child element 'CNPJ'. List of possible elements expected: 'item'.",
		},
		"the end missing": {
			wrap + strings.Split(order, "<seen>")[0],
			"The element 'Order' has incomplete content. List of possible elements expected: 'seen'.",
		},
		"text": {
			wrap + strings.Replace(order, "<name>1</name>", "<name>1</name>x", 1),
			"The element 'item' cannot contain text. List of possible elements expected: 'name'.",
		},
		"an element in a text": {
			wrap + strings.Replace(order, "<name>1", "<name><b/>1", 1),
			"The element 'name' cannot contain child element 'b' because the parent element's content model " +
				"is text only.",
		},
		"values": {
			strings.ReplaceAll(`<Order version="3">`+order, "<seen>2", "<seen>4"),
			"The 'version' attribute is invalid - The value '3' is invalid according to its datatype 'test:1' - " +
				"It is another.\n" +
				"The 'seen' element is invalid - The value '4' is invalid according to its datatype 'test:2' - " +
				"It is another.\n" +
				"The 'seen' element is invalid - The value '4' is invalid according to its datatype 'test:2' - " +
				"It is another.",
		},
		"attributes": {
			`<Order id="1">` + order,
			"The 'id' attribute is not declared.\nThe required attribute 'version' is missing.",
		},
		"an attribute of signatures": {
			wrap + order + `<Signature xmlns="` + SignatureNamespace + `"><Reference>1</Reference></Signature>`,
			"The required attribute 'URI' is missing.",
		},
		"another namespace": {
			wrap + strings.Replace(order, "<number>", `<number xmlns="urn:x">`, 1),
			"The element 'Order' has invalid child element 'number' in namespace 'urn:x'. " +
				"List of possible elements expected: 'number'.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if said := violations(t, testSchema(""), test.document+"</Order>"); said != test.says {
				t.Errorf("%s\nwant %s", said, test.says)
			}
		})
	}
}

// Where elements are in a namespace, they are named with it.
func TestViolations_InANamespace(t *testing.T) {
	const wrap = `<Order xmlns="urn:test" version="1">`
	const in = " in namespace 'urn:test'"
	for name, test := range map[string]struct{ document, says string }{
		"nothing": {wrap + order, ""},
		"what may follow": {
			wrap + order + "<b/>",
			"The element 'Order'" + in + " has invalid child element 'b'" + in + ". " +
				"List of possible elements expected: 'seen'" + in +
				" as well as 'Signature' in namespace '" + SignatureNamespace + "'.",
		},
		"no namespace": {
			wrap + strings.Replace(order, "<number>", `<number xmlns="">`, 1),
			"The element 'Order'" + in + " has invalid child element 'number' in namespace ''. " +
				"List of possible elements expected: 'number'" + in + ".",
		},
		"a value": {
			wrap + strings.Replace(order, "<number>1", "<number>7", 1),
			"The 'urn:test:number' element is invalid - The value '7' is invalid according to its datatype " +
				"'test:1' - It is another.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if said := violations(t, testSchema("urn:test"), test.document+"</Order>"); said != test.says {
				t.Errorf("%s\nwant %s", said, test.says)
			}
		})
	}
}

func violations(t *testing.T, schema *Schema, document string) string {
	t.Helper()
	tree := etree.NewDocument()
	if err := tree.ReadFromString(document); err != nil {
		t.Fatal(err)
	}
	return strings.Join(schema.Violations(tree.Root(), "Order"), "\n")
}

func TestRead_UnknownType(t *testing.T) {
	defer func() {
		if said, _ := recover().(string); !strings.Contains(said, `of Order names the unknown type "three"`) {
			t.Errorf("it panics with %q", said)
		}
	}()
	Read(Definition{Table: "Order number:three"})
}
