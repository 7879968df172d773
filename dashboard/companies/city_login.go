package companies

import (
	"errors"
	"net/http"

	"emissor/dashboard/frame"
	"emissor/fiscal"
	"emissor/internal/municipality"
	"emissor/internal/seal"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/companies"
)

// cityLoginPage is the form of the user and the password that the company has with the server of its city.
type cityLoginPage struct {
	Form *frame.Form
	City string
	Kept *companies.CityLogin // nil: none is, of this city
}

// ShowCityLogin shows the form. Neither what is kept nor what was typed is ever shown again.
func ShowCityLogin(r *frame.Request) error {
	page, _, err := readCityLogin(r)
	if err != nil {
		return err
	}
	return r.Render("city_login", "city_login.title", page)
}

func readCityLogin(r *frame.Request) (page cityLoginPage, profile nfse.FiscalProfile, err error) {
	profile, err = r.D.Store.Companies.FiscalProfile(r.Context(), r.Scope.OrganizationID)
	profile = company.Present(profile)
	if errors.Is(err, companies.ErrNoFiscalProfile) || err == nil && !company.TakesLogin(profile) {
		return page, profile, frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	if err != nil {
		return page, profile, err
	}
	city, _ := municipality.Find(profile.MunicipalityCode)
	page.Form, page.City = &frame.Form{Values: map[string]string{}}, city.String()
	kept, err := r.D.Store.Companies.CityLogin(r.Context(), r.Scope.OrganizationID)
	if kept != nil && kept.MunicipalityCode == profile.MunicipalityCode {
		page.Kept = kept
	}
	return page, profile, err
}

// SetCityLogin seals what was typed at once.
func SetCityLogin(r *frame.Request) error {
	page, profile, err := readCityLogin(r)
	if err != nil {
		return err
	}
	_, err = company.SetCityLogin(r.Context(), r.Changes(), r.D.Sealer, profile,
		fiscal.Login{User: r.PostForm.Get("user"), Password: r.PostForm.Get("password")})
	var invalid *nfse.Error
	switch {
	case errors.Is(err, seal.ErrNoKeyset):
		page.Form.AddProblem("user", "certificate.no_keyset")
	case errors.As(err, &invalid) && !invalid.Reason.None():
		page.Form.WrongBecause(invalid.Field, invalid.Reason)
	case err != nil:
		return err
	default:
		return r.Redirect(r.Link("/company"), "city_login.kept")
	}
	return r.RenderStatus(http.StatusUnprocessableEntity, "city_login", "city_login.title", page)
}

// RemovingCityLogin says what forgetting means.
func RemovingCityLogin(r *frame.Request) (*frame.Act, error) {
	page, _, err := readCityLogin(r)
	if err != nil || page.Kept == nil {
		return nil, err
	}
	return &frame.Act{Title: "act.city_login.remove", Means: r.Language.Say("city_login.remove.means"),
		Back: r.Link("/company/city-login"), Facts: []frame.Line{{Label: "company.city.name", Text: page.City}}}, nil
}

// RemoveCityLogin forgets what is kept.
func RemoveCityLogin(r *frame.Request) error {
	if _, err := r.Changes().Companies.RemoveCityLogin(r.Context(), r.Scope.OrganizationID); err != nil {
		return err
	}
	return r.Redirect(r.Link("/company"), "city_login.removed")
}
