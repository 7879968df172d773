package store_test

import (
	"net/netip"
	"reflect"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

var anywhere = netip.MustParseAddr("203.0.113.7")

func TestAPIKey_FoundUntilRevoked(t *testing.T) {
	tenant := newTenant(t)
	text := nfse.NewAPIKeyText(true)
	created, err := tenant.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{
		Scope: nfse.Scope{OrganizationID: tenant.scope.OrganizationID, Livemode: true}, Label: "loja",
		Defaults: nfse.Defaults{EmailCustomer: true, RegisterLedger: true},
	}, text)
	must(t, err)
	if !nfse.IsID(nfse.PrefixAPIKey, created.ID) || created.Label != "loja" || !created.Livemode ||
		!created.EmailCustomer || !created.RegisterLedger ||
		created.ConfirmMunicipalOperation || created.RevokedAt != nil {
		t.Errorf("created is %+v", created)
	}
	found, err := tenant.Store.Access.APIKey(t.Context(), text, anywhere)
	if err != nil || !reflect.DeepEqual(found, created) {
		t.Errorf("found is %+v, %v, expected %+v", found, err, created)
	}

	revoked, err := tenant.Changes().Access.RevokeAPIKey(t.Context(), created.ID)
	must(t, err)
	if revoked.RevokedAt == nil {
		t.Errorf("revoked is %+v", revoked)
	}
	_, gone := tenant.Store.Access.APIKey(t.Context(), text, anywhere)
	nothing, unknown := tenant.Store.Access.APIKey(t.Context(), nfse.NewAPIKeyText(true), anywhere)
	if !reflect.DeepEqual(nothing, nfse.APIKey{}) {
		t.Errorf("an unknown key is %+v", nothing)
	}
	if !nfse.IsCode(gone, nfse.CodeInvalidAPIKey) || unknown == nil || gone.Error() != unknown.Error() {
		t.Errorf("a revoked key is answered %v, an unknown one %v", gone, unknown)
	}
	if again, err := tenant.Changes().Access.RevokeAPIKey(t.Context(), created.ID); err != nil ||
		*again.RevokedAt != *revoked.RevokedAt {
		t.Errorf("revoked again: %+v, %v", again, err)
	}
	if _, err := tenant.Changes().Access.RevokeAPIKey(t.Context(), "key_x"); !nfse.IsCode(err, nfse.CodeNotFound) {
		t.Errorf("revoking an unknown key is answered %v", err)
	}
}

func TestAPIKey_RevokedEverywhere(t *testing.T) {
	tenant := newTenant(t)
	text := tenant.NewKey(t, tenant.scope.OrganizationID, false)
	elsewhere := testkit.OpenStore(t, tenant.URL)
	key, err := elsewhere.Access.APIKey(t.Context(), text, anywhere)
	must(t, err)
	_, err = tenant.Changes().Access.RevokeAPIKey(t.Context(), key.ID)
	must(t, err)
	if _, err := elsewhere.Access.APIKey(t.Context(), text, anywhere); !nfse.IsCode(err, nfse.CodeInvalidAPIKey) {
		t.Errorf("elsewhere the key is answered %v", err)
	}
}

func TestAPIKey_List(t *testing.T) {
	tenant := newTenant(t)
	live := tenant.inLive(t)
	addTenant(t, tenant.Database, false)
	revoked, err := tenant.Changes().Access.RevokeAPIKey(t.Context(), tenant.key.ID)
	must(t, err)
	keys, err := tenant.Store.Access.APIKeys(t.Context(), tenant.scope.OrganizationID)
	if err != nil || len(keys) != 2 || keys[0].ID != tenant.key.ID || *keys[0].RevokedAt != *revoked.RevokedAt ||
		!reflect.DeepEqual(keys[1], live.key) {
		t.Errorf("the keys are %+v, %v", keys, err)
	}
}

func TestAPIKey_TextIsNowhere(t *testing.T) {
	tenant := newTenant(t)
	text := tenant.NewKey(t, tenant.scope.OrganizationID, false)
	if rows := tenant.Count(t, `SELECT count(*) FROM api_keys WHERE to_jsonb(api_keys)::text LIKE '%' || $1 || '%'`,
		text[len("svc_test_"):]); rows != 0 {
		t.Error("a key's text is kept")
	}
}
