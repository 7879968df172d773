package store_test

import (
	"slices"
	"strings"
	"testing"

	"emissor/nfse"
)

// A customer is found by any words of the name and by the beginning of the tax id, in its own
// organization and environment only.
func TestFindCustomers(t *testing.T) {
	tenant := newTenant(t)
	live := nfse.Scope{OrganizationID: tenant.scope.OrganizationID, Livemode: !tenant.scope.Livemode}
	for document, name := range map[nfse.TaxID]string{"52998224725": "João D'Ávila da Silva", "11144477735": "ANA JOÃO",
		"12345678909": "Padaria & Filhos 2000 Ltda.", "11444777000161": "Fundação Élan",
		"28001238938": "日本 Ελλάς \u212aiosque E\u0301toile", "39053344705": `  <'\`} {
		_, _, err := tenant.Store.Catalogues.SyncCustomer(t.Context(), tenant.scope, document, named(name))
		must(t, err)
	}
	_, _, err := tenant.Store.Catalogues.SyncCustomer(t.Context(), live, "52998224725", named("Silva da outra"))
	must(t, err)
	for text, expected := range map[string][]string{
		"da silva": {"João D'Ávila da Silva"}, "SILV joao": {"João D'Ávila da Silva"}, "avila": {"João D'Ávila da Silva"},
		"joão": {"ANA JOÃO", "João D'Ávila da Silva"}, "joao ana": {"ANA JOÃO"}, "elan": {"Fundação Élan"},
		"2000": {"Padaria & Filhos 2000 Ltda."}, "filhos ltda": {"Padaria & Filhos 2000 Ltda."},
		"529.982": {"João D'Ávila da Silva"}, "11444777": {"Fundação Élan"}, "111.444.777-35": {"ANA JOÃO"},
		"111": {"ANA JOÃO"}, "outra": nil, "%": nil, "' & '": nil, "ilva": nil, "": nil, "!|:*": nil, "本": nil,
		"日": {"日本 Ελλάς \u212aiosque E\u0301toile"}, "ελλάς": nil, "Ελ": {"日本 Ελλάς \u212aiosque E\u0301toile"},
		"étoile": {"日本 Ελλάς \u212aiosque E\u0301toile"}, "kiosque": nil, "\u212aiosque": {"日本 Ελλάς \u212aiosque E\u0301toile"},
		"João" + strings.Repeat("ã", 2500): nil, strings.Repeat("joão ", 500): {"ANA JOÃO", "João D'Ávila da Silva"},
		strings.Repeat("'", 3000): nil, "<": {`  <'\`}, ` <'\ `: {`  <'\`}, `'\`: nil, "<<": nil,
	} {
		found, more, err := tenant.Store.Catalogues.FindCustomers(t.Context(), tenant.scope, text, 10)
		must(t, err)
		names := []string{}
		for _, one := range found {
			names = append(names, one.Name)
		}
		slices.Sort(names)
		if !slices.Equal(names, append([]string{}, expected...)) || more {
			t.Errorf("%q finds %q, %v; expected %q", text, names, more, expected)
		}
	}
	found, more, err := tenant.Store.Catalogues.FindCustomers(t.Context(), tenant.scope, "joão", 1)
	must(t, err)
	if len(found) != 1 || !more {
		t.Errorf("one of two: %v, %v", found, more)
	}
	found, _, err = tenant.Store.Catalogues.CustomersByWords(t.Context(), tenant.scope, "111", 10)
	if must(t, err); len(found) != 0 {
		t.Errorf("words find by the tax id: %v", found)
	}
}

// Who has the whole name that was asked for comes before newer ones that have more.
func TestFindCustomers_WholeNameFirst(t *testing.T) {
	tenant := newTenant(t)
	for i, name := range []string{"Ana #s#{x", "Ana #s#{x}# Maria", "Ana #s#{x y"} {
		_, _, err := tenant.Store.Catalogues.SyncCustomer(t.Context(), tenant.scope,
			[]nfse.TaxID{"52998224725", "11144477735", "12345678909"}[i], named(name))
		must(t, err)
	}
	found, more, err := tenant.Store.Catalogues.FindCustomers(t.Context(), tenant.scope, " Ana #s#{x ", 1)
	must(t, err)
	if len(found) != 1 || found[0].Name != "Ana #s#{x" || !more {
		t.Errorf("found are %v, %v", found, more)
	}
}
