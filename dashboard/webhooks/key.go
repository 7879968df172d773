package webhooks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/postgres"
)

// keyFields are the fields that can be chosen for a key.
var keyFields = []string{"label", "expires", "networks", "email_customer", "register_ledger",
	"confirm_municipal_operation"}

const maxLabel = 100 // characters

// keyPage is one API key. Its text is not stored.
type keyPage struct {
	Key      nfse.APIKey
	State    string      // key
	Form     *frame.Form // what may be changed; of a revoked key nothing
	Version  string      // of the key that the form was made from
	Conflict bool        // somebody else changed it first: Key is what it is now, Form what was typed
}

func ShowKey(r *frame.Request) error {
	key, err := ApiKey(r)
	if err != nil {
		return err
	}
	return showKey(r, http.StatusOK, key, keyForm(key), false)
}

func showKey(r *frame.Request, status int, key nfse.APIKey, form *frame.Form, conflict bool) error {
	return r.RenderStatus(status, "key", "keys.one", keyPage{
		Key: key, State: KeyState(key), Form: form, Version: keyVersion(key), Conflict: conflict,
	})
}

// ApiKey is the key that the address names.
func ApiKey(r *frame.Request) (nfse.APIKey, error) {
	return r.D.Store.Access.APIKeyIn(r.Context(), r.Scope, r.PathValue("id"))
}

// KeyState is the state of a key now.
func KeyState(key nfse.APIKey) string {
	switch {
	case key.RevokedAt != nil:
		return "revoked"
	case key.ExpiresAt != nil && !time.Now().Before(key.ExpiresAt.Time):
		return "expired"
	}
	return "valid"
}

// KeyHint is what is known of a key's text: its beginning, and its last characters where they were
// kept. No more of a text is stored.
func KeyHint(key nfse.APIKey) string {
	return "svc_" + nfse.Environment(key.Livemode) + "_…" + nfse.OrEmpty(key.LastFour)
}

// KeyFieldsOf are the fields of a key's form, in an environment.
type KeyFieldsOf struct {
	Form *frame.Form
	Test bool
}

// keyVersion is a digest of what may be changed of a key, to find that it has changed.
func keyVersion(key nfse.APIKey) string {
	encoded, err := nfse.Marshal([]any{key.Label, key.Defaults, key.AllowedNetworks.String(), key.ExpiresAt})
	if err != nil {
		panic(err) // texts and moments can always be encoded
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:8])
}

// keyForm is a key as its form shows it.
func keyForm(key nfse.APIKey) *frame.Form {
	values := map[string]string{
		"label": key.Label, "expires": lastDay(key.ExpiresAt),
		"networks": strings.ReplaceAll(key.AllowedNetworks.String(), ",", ", "),
	}
	for field, set := range map[string]bool{
		"email_customer": key.EmailCustomer, "register_ledger": key.RegisterLedger,
		"confirm_municipal_operation": key.ConfirmMunicipalOperation,
	} {
		if set {
			values[field] = "on"
		}
	}
	return &frame.Form{Values: values}
}

// lastDay is the last day on which a key is valid.
func lastDay(end *nfse.Timestamp) string {
	if end == nil {
		return ""
	}
	return end.Add(-time.Nanosecond).In(format.Zone).Format(time.DateOnly)
}

// readKey puts what was typed into a key, and sets in the form what is wrong.
func readKey(f *frame.Form, key *nfse.APIKey) {
	key.Label = strings.TrimSpace(f.Value("label"))
	if utf8.RuneCountInString(key.Label) > maxLabel || !utf8.ValidString(key.Label) ||
		strings.ContainsFunc(key.Label, unicode.IsControl) {
		f.AddProblem("label", "keys.label.wrong")
	}
	if text := f.Value("expires"); text != lastDay(key.ExpiresAt) { // else it stays exactly as it is
		key.ExpiresAt = nil
		day, err := format.ParseDay(text)
		end := day.AddDate(0, 0, 1)
		switch {
		case err != nil || !day.IsZero() && time.Now().After(end):
			f.AddProblem("expires", "keys.expires.wrong")
		case !day.IsZero():
			key.ExpiresAt = &nfse.Timestamp{Time: end}
		}
	}
	key.AllowedNetworks = nil
	for _, text := range strings.FieldsFunc(f.Value("networks"), func(c rune) bool {
		return c == ',' || c == ';' || unicode.IsSpace(c)
	}) {
		network, err := nfse.ParseNetwork(text)
		if err != nil {
			f.AddProblem("networks", "keys.networks.wrong")
			break
		}
		key.AllowedNetworks = append(key.AllowedNetworks, network)
	}
	if !key.Livemode { // the form does not ask for what only live notes have
		return
	}
	key.Defaults = nfse.Defaults{
		EmailCustomer: f.Value("email_customer") != "", RegisterLedger: f.Value("register_ledger") != "",
		ConfirmMunicipalOperation: f.Value("confirm_municipal_operation") != "",
	}
}

// CreateKey makes a key of the environment and shows its text, this once.
func CreateKey(r *frame.Request) error {
	form := r.NewForm(keyFields...)
	key := nfse.APIKey{Scope: r.Scope}
	readKey(form, &key)
	if !form.Good() {
		return showIntegrations(r, http.StatusUnprocessableEntity, form, nil)
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	text := nfse.NewAPIKeyText(r.Scope.Livemode)
	created, err := r.Changes().Access.CreateAPIKey(r.Context(), key, text)
	if frame.IsLimit(err) {
		form.AddProblem("label", "keys.too_many")
		return showIntegrations(r, http.StatusConflict, form, nil)
	}
	if err != nil {
		return err
	}
	return r.ShowSecret(frame.SecretPage{
		Title: "keys.new", Means: "keys.new.means", Text: text, File: "emissor-" + created.ID + ".txt",
		Back: "/integrations/keys/" + created.ID,
	})
}

// ChangeKey changes a key, unless somebody else has since its form was made.
func ChangeKey(r *frame.Request) error {
	before, err := ApiKey(r)
	if err != nil {
		return err
	}
	form := r.NewForm(slices.Concat(keyFields, []string{"version"})...)
	chosen := before
	readKey(form, &chosen)
	if !form.Good() {
		return showKey(r, http.StatusUnprocessableEntity, before, form, false)
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	_, err = r.Changes().Access.SetAPIKey(r.Context(), before.ID, func(key *nfse.APIKey) error {
		if keyVersion(*key) != form.Value("version") {
			return postgres.ErrChanged
		}
		key.Label, key.Defaults = chosen.Label, chosen.Defaults
		key.ExpiresAt, key.AllowedNetworks = chosen.ExpiresAt, chosen.AllowedNetworks
		return nil
	})
	switch {
	case errors.Is(err, postgres.ErrChanged), nfse.IsCode(err, nfse.CodeInvalidRequest): // revoked meanwhile
		now, err := ApiKey(r)
		if err != nil {
			return err
		}
		return showKey(r, http.StatusConflict, now, form, true)
	case frame.IsLimit(err):
		form.AddProblem("expires", "keys.too_many")
		return showKey(r, http.StatusConflict, before, form, false)
	case err != nil:
		return err
	}
	return r.Redirect(r.Link("/integrations/keys/"+before.ID), "keys.changed")
}

func RevokeKey(r *frame.Request) error {
	key, err := ApiKey(r)
	if err != nil {
		return err
	}
	if _, err := r.Changes().Access.RevokeAPIKey(r.Context(), key.ID); err != nil {
		return err
	}
	return r.Redirect(r.Link("/integrations/keys/"+key.ID), "keys.revoked")
}
