package nfse_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"emissor/nfse"
)

// hashes are the hashes of version 1. Notes on record hold them: a change of any of them turns replays into
// conflicts. A new form is a new version beside it.
var hashes = []struct {
	name      string
	issuance  nfse.Issuance
	canonical string // what is hashed, to see why a hash differs
	hash      string
}{
	{
		name:     "least, inline",
		issuance: leastInline(),
		canonical: `{"reference":"pedido-1","service_id":"srv_01","amount_cents":15000,` +
			`"customer":{"document":"52998224725","name":"Maria","street":"Rua A","number":"1","district":"Centro",` +
			`"zip_code":"01310100"}}`,
		hash: "c66f608a5cb917c32da2242e9d83419f7a4e72e2ae0f692bf73f2a84d9489013",
	},
	{
		name: "least, by customer_id",
		issuance: nfse.Issuance{
			Reference: "pedido-2", ServiceID: "srv_01", AmountCents: nfse.MaxAmountCents, CustomerID: "cus_01",
		},
		canonical: `{"reference":"pedido-2","service_id":"srv_01","amount_cents":999999999999999,` +
			`"customer_id":"cus_01"}`,
		hash: "ffb77885b42f2fb1ed3c2d0b6a34e14346460e811b7cd1406c7e491458b3af7a",
	},
	{
		name:     "everything",
		issuance: everything(),
		canonical: `{"reference":"pedido/3 \u003cà\u003e","service_id":"srv_02","amount_cents":1,` +
			`"customer":{"document":"12ABC34501DE35","name":"Conceição \u0026 Filhos","street_type":"Avenida",` +
			`"street":"São João","number":"s/n","district":"Sé","zip_code":"01035000",` +
			`"complement":"Bloco \"B\"","municipality_code":"3550308"},` +
			`"description":"Linha 1\nLinha 2","iss_withheld":true,"scenario":"rejected"}`,
		hash: "1f08f0b3740cddf1627bfc028be3e53d0d9668b79f255ba306c22e955084343f",
	},
}

func leastInline() nfse.Issuance {
	return nfse.Issuance{
		Reference: "pedido-1", ServiceID: "srv_01", AmountCents: 15000, Scenario: nfse.ScenarioAuthorized,
		Customer: &nfse.InlineTaker{
			TaxID: "52998224725", Name: "Maria",
			Address: nfse.Address{Street: new("Rua A"), Number: new("1"), District: new("Centro"),
				ZipCode: new("01310100")},
		},
	}
}

func everything() nfse.Issuance {
	return nfse.Issuance{
		Reference: "pedido/3 <à>", ServiceID: "srv_02", AmountCents: 1,
		Customer: &nfse.InlineTaker{
			TaxID: "12ABC34501DE35", Name: "Conceição & Filhos", MunicipalityCode: new("3550308"),
			Address: nfse.Address{
				StreetType: new("Avenida"), Street: new("São João"), Number: new("s/n"), District: new("Sé"),
				ZipCode: new("01035000"), Complement: new(`Bloco "B"`),
			},
		},
		Description: new("Linha 1\nLinha 2"), ISSWithheld: true, Scenario: nfse.ScenarioRejected,
	}
}

func TestIssuance_HashesOfVersion1NeverChange(t *testing.T) {
	for _, golden := range hashes {
		if sum := sha256.Sum256([]byte(golden.canonical)); hex.EncodeToString(sum[:]) != golden.hash {
			t.Errorf("%s: this test contradicts itself: its canonical form hashes to %x", golden.name, sum)
		}
		if hash := hex.EncodeToString(hashOf(t, golden.issuance)); hash != golden.hash {
			t.Errorf("%s: the hash has become %s", golden.name, hash)
		}
	}
}

func TestIssuance_UnknownVersion(t *testing.T) {
	for _, version := range []int{-1, 0, 2} {
		if hash, err := leastInline().PayloadHash(version); err == nil || hash != nil {
			t.Errorf("version %d: %x", version, hash)
		}
	}
}

func TestIssuance_SpellingsOfOneRequest(t *testing.T) {
	base := hashOf(t, everything())
	decomposed := everything()
	taker, address := decomposed.Customer, &decomposed.Customer.Address
	for _, text := range []*string{
		&taker.Name, address.StreetType, address.Street, address.Number, address.District, address.Complement,
		decomposed.Description,
	} {
		*text = norm.NFD.String(*text)
	}
	if taker.Name == everything().Customer.Name {
		t.Fatal("the name has only one spelling: nothing is tested")
	}
	if !bytes.Equal(hashOf(t, decomposed), base) {
		t.Error("composed and decomposed letters are two requests")
	}

	inLive := leastInline()
	inLive.Scenario = ""
	if !bytes.Equal(hashOf(t, inLive), hashOf(t, leastInline())) {
		t.Error("the default scenario and none are two requests")
	}
	withEmpty := leastInline()
	withEmpty.Customer.Address.Complement, withEmpty.Customer.MunicipalityCode = new(""), new("")
	withEmpty.Description = new("")
	if !bytes.Equal(hashOf(t, withEmpty), hashOf(t, leastInline())) {
		t.Error("an optional text that is empty and one that was left out are two requests")
	}
}

// References are compared byte by byte by the database, so they are here too.
func TestIssuance_SpellingsOfAReference(t *testing.T) {
	decomposed := everything()
	decomposed.Reference = norm.NFD.String(decomposed.Reference)
	if bytes.Equal(hashOf(t, decomposed), hashOf(t, everything())) {
		t.Error("the hash does not tell the references apart")
	}
}

// TestIssuance_EveryFieldCounts finds the fields by reflection: one
// that is added to an issuance and forgotten in its hash fails here.
func TestIssuance_EveryFieldCounts(t *testing.T) {
	base := everything()
	base.CustomerID = "cus_09" // never together with a customer in real life, but a field like the others
	seen := map[string]string{hex.EncodeToString(hashOf(t, base)): "the request itself"}
	fields := leaves(reflect.TypeFor[nfse.Issuance](), "")
	if len(fields) < 16 {
		t.Fatalf("only %d fields were found: %v", len(fields), fields)
	}
	for _, field := range fields {
		changed := everything()
		changed.CustomerID = base.CustomerID
		change(t, reflect.ValueOf(&changed).Elem(), field)
		hash := hex.EncodeToString(hashOf(t, changed))
		if other, twice := seen[hash]; twice {
			t.Errorf("changing %v gives the hash of %s", field, other)
		}
		seen[hash] = fmt.Sprintf("a change of %v", field)
	}
}

// TestIssuance_FieldsAreDistinct gives every field the same value,
// one field at a time.
func TestIssuance_FieldsAreDistinct(t *testing.T) {
	seen := map[string]string{}
	address := func(set func(*nfse.Address)) nfse.Issuance {
		issuance := nfse.Issuance{Customer: &nfse.InlineTaker{}}
		set(&issuance.Customer.Address)
		return issuance
	}
	for name, issuance := range map[string]nfse.Issuance{
		"reference":    {Reference: "x"},
		"service_id":   {ServiceID: "x"},
		"competence":   {Competence: "x"},
		"customer_id":  {CustomerID: "x"},
		"description":  {Description: new("x")},
		"scenario":     {Scenario: "x"},
		"document":     {Customer: &nfse.InlineTaker{TaxID: "x"}},
		"name":         {Customer: &nfse.InlineTaker{Name: "x"}},
		"municipality": {Customer: &nfse.InlineTaker{MunicipalityCode: new("x")}},
		"street_type":  address(func(a *nfse.Address) { a.StreetType = new("x") }),
		"street":       address(func(a *nfse.Address) { a.Street = new("x") }),
		"number":       address(func(a *nfse.Address) { a.Number = new("x") }),
		"district":     address(func(a *nfse.Address) { a.District = new("x") }),
		"zip_code":     address(func(a *nfse.Address) { a.ZipCode = new("x") }),
		"complement":   address(func(a *nfse.Address) { a.Complement = new("x") }),
		"no customer":  {},
		"a customer":   {Customer: &nfse.InlineTaker{}},
	} {
		hash := hex.EncodeToString(hashOf(t, issuance))
		if other, twice := seen[hash]; twice {
			t.Errorf("%s is mistaken for %s", name, other)
		}
		seen[hash] = name
	}
}

func hashOf(t *testing.T, issuance nfse.Issuance) []byte {
	t.Helper()
	hash, err := issuance.PayloadHash(1)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

// leaves lists the paths of the fields that hold a value of their own.
func leaves(of reflect.Type, path string) (paths []string) {
	for i := range of.NumField() {
		field := of.Field(i)
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct {
			paths = append(paths, leaves(inner, path+field.Name+".")...)
		} else {
			paths = append(paths, path+field.Name)
		}
	}
	return paths
}

// change gives the field at the path a value that it did not have.
func change(t *testing.T, of reflect.Value, path string) {
	t.Helper()
	for name := range strings.SplitSeq(path, ".") {
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		of = of.FieldByName(name)
	}
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch of.Kind() {
	case reflect.String:
		of.SetString(of.String() + "x")
	case reflect.Int64:
		of.SetInt(of.Int() + 1)
	case reflect.Bool:
		of.SetBool(!of.Bool())
	default:
		t.Fatalf("%s is a %s: teach this test to change it", path, of.Kind())
	}
}
