package company

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/internal/seal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/companies"
)

// maxLogin are the characters that a user or a password has at most.
const maxLogin = 100

// TakesLogin reports whether the authority by which a company issues takes a user and a password of it.
func TakesLogin(profile nfse.FiscalProfile) bool {
	by, known := authorities.Named(profile.Authority)
	return known && by.TakesLogin
}

// SetCityLogin seals the user and the password that a company has with the server of its city, and stores them: nothing
// of them is stored unsealed. An *nfse.Error names what cannot be taken.
func SetCityLogin(ctx context.Context, by *store.Changes, sealer *seal.Sealer, profile nfse.FiscalProfile,
	login fiscal.Login) (set companies.CityLogin, err error) {
	if !TakesLogin(profile) {
		return set, nfse.Invalid("organization",
			"the authority %s, by which the organization issues, takes no user and password", profile.Authority)
	}
	for _, one := range []struct{ field, text string }{{"user", login.User}, {"password", login.Password}} {
		if !plain(one.text) {
			return set, nfse.InvalidBecause(one.field, fact.CityLoginWrong.With("max", maxLogin))
		}
	}
	content, err := json.Marshal(login)
	if err != nil {
		return set, err
	}
	defer clear(content)
	id := nfse.NewID(nfse.PrefixCityLogin)
	sealed, err := sealer.Seal(content, profile.OrganizationID, id)
	if err != nil {
		return set, err
	}
	return by.Companies.SetCityLogin(ctx, companies.CityLogin{ID: id, OrganizationID: profile.OrganizationID,
		MunicipalityCode: profile.MunicipalityCode, Sealed: sealed})
}

// plain reports whether a text can stand in an XML document and be found again in an answer.
func plain(text string) bool {
	return text != "" && utf8.ValidString(text) && utf8.RuneCountInString(text) <= maxLogin &&
		strings.TrimSpace(text) == text &&
		!strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// ErrLoginClosed is the error of a login that does not open here.
type ErrLoginClosed struct{ Reason fact.Fact }

// Error implements error.
func (e ErrLoginClosed) Error() string { return e.Reason.English() }

// Access is on whose behalf the authority of a profile is asked with a certificate: with the user and the password too
// that the company has given for its city. The error is ErrLoginClosed where they do not open here.
func Access(ctx context.Context, db *store.Store, sealer *seal.Sealer, profile nfse.FiscalProfile,
	credentials *fiscal.Credentials) (access fiscal.Access, err error) {
	access = fiscal.Access{Production: profile.Production, Credentials: credentials}
	if !TakesLogin(profile) {
		return access, nil
	}
	kept, err := db.Companies.CityLogin(ctx, profile.OrganizationID)
	if err != nil || kept == nil || kept.MunicipalityCode != profile.MunicipalityCode {
		return access, err
	}
	content, err := sealer.Unseal(kept.Sealed, kept.OrganizationID, kept.ID)
	if err != nil {
		return access, ErrLoginClosed{fact.CityLoginDoesNotOpen.With("why", fact.OfError(err))}
	}
	defer clear(content)
	if err := json.Unmarshal(content, &access.Login); err != nil {
		return access, errors.New("company: a login that opens is no JSON") // and the cause may name its content
	}
	return access, nil
}
