package companies

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/dashboard/words"
	"emissor/fiscal/authorities"
	"emissor/fiscal/cities"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/issuing/company/readiness"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/numbers"
	"emissor/store/postgres"
)

// companyPage is how an organization issues, and what it lacks to issue live notes.
type companyPage struct {
	Form        *frame.Form // of the profile
	Version     string      // of the profile
	HasProfile  bool
	Found       []frame.Found
	Differences []frame.Difference
	Choices     map[string][]frame.Option
	Moves       []moveRow // of the profile, or as they were typed, and so are:
	Rates       []rateRow
	Typed       bool // the form is shown as it was typed

	Series       *seriesPage // nil without a profile, and where it is withheld
	Withheld     string      // key of why the organization may not see the series; empty when it may
	HeldSeries   []numbers.Series
	Certificates []shownCertificate
	City         *shownCity   // nil without a profile
	Where        *whereIssued // nil where the form names no city
	Learned      fact.Fact    // that the municipal registration is sent, or not, regardless of the profile
	Missing      []missingStep
	CNPJ         bool // a company can be filled in by its CNPJ
	TakesLogin   bool // the server of the company's city takes a user and a password
}

// seriesPage is the series of a profile on a day of competence, and the form of its next number.
type seriesPage struct {
	On     nfse.Day
	Series int
	Next   int64
	Form   *frame.Form
	Left   int64 // of the numbers that are granted, where these are few
	Few    bool
	Others []nfse.Move // from which other days on there are others

	Of nfse.FiscalProfile // of the day
}

// shownCity is what is known of the company's city.
type shownCity struct {
	companies.CityRecord
	Name     string
	Refusal  string // key of why by its parameters the profile cannot issue; empty when it can
	Services []companies.CityServiceRecord
}

// missingStep is what has to be done before live notes are issued, and where.
type missingStep struct {
	Key, Path string
	Done      bool
}

var profileFields = []string{"authority", "tax_id", "municipality_code", "simples", "simples_regime", "special_regime",
	"series", "environment", "municipal_registration", "send_municipal_registration", "taxation_inside",
	"taxation_outside", "tax_federal", "tax_state", "tax_municipal", "tax_simples", "inactive_municipalities",
	"ignore_municipal_parameters", "exact_certificate", "competence_days_back", "own_contributions",
	"simples_rates", "reject_refused", "cancellation_analysis", "granted_numbers",
	"moves"}

// profileRules normalize what can be typed in several ways.
var profileRules = []frame.Rule{{Field: "tax_id", Check: catalogue.TaxID, Required: true}}

// choicesOfProfile are the options of a profile's fields.
func choicesOfProfile(language words.Language) map[string][]frame.Option {
	var all []frame.Option
	for _, by := range authorities.All() {
		name := language.Of(by)
		if by.Off != "" {
			name += " (" + language.Say("company.authority.off") + ")"
		}
		all = append(all, frame.Option{Value: by.Name, Key: "", Text: name})
	}
	choices := maps.Clone(profileChoices)
	choices["authority"] = append([]frame.Option{{Value: "", Key: "company.authority.follows", Text: ""}}, all...)
	choices["moves_authority"] = append([]frame.Option{{Value: "", Key: "company.moves.none", Text: ""}}, all...)
	return choices
}

var profileChoices = map[string][]frame.Option{
	"simples": {{Value: "none", Key: "company.simples.none", Text: ""}, {Value: "me", Key: "company.simples.me",
		Text: ""},
		{Value: "mei", Key: "company.simples.mei", Text: ""}},
	"simples_regime": {{Value: "", Key: "group.choose", Text: ""}, {Value: "1", Key: "company.simples_regime.1",
		Text: ""},
		{Value: "2", Key: "company.simples_regime.2", Text: ""}, {Value: "3", Key: "company.simples_regime.3", Text: ""}},
	"special_regime": {{Value: "", Key: "group.choose", Text: ""}, {Value: "0", Key: "company.none", Text: ""},
		{Value: "1", Key: "company.special_regime.1", Text: ""},
		{Value: "2", Key: "company.special_regime.2", Text: ""}, {Value: "3", Key: "company.special_regime.3", Text: ""},
		{Value: "4", Key: "company.special_regime.4", Text: ""}, {Value: "5", Key: "company.special_regime.5", Text: ""},
		{Value: "6", Key: "company.special_regime.6", Text: ""}, {Value: "9", Key: "company.special_regime.9", Text: ""}},
	"environment": {{Value: "restricted", Key: "company.environment.restricted", Text: ""},
		{Value: "production", Key: "company.environment.production", Text: ""}},
	"own_contributions": {{Value: "", Key: "group.choose", Text: ""}, {Value: company.NoContributions,
		Key: "company.none", Text: ""},
		{Value: company.CumulativeContributions, Key: "company.own_contributions.cumulative", Text: ""},
		{Value: company.NonCumulativeContributions, Key: "company.own_contributions.non_cumulative", Text: ""}},
	"cancellation_analysis": {{Value: string(nfse.AskPerson), Key: "company.cancellation_analysis.ask", Text: ""},
		{Value: string(nfse.RequestAnalysis), Key: "company.cancellation_analysis.request", Text: ""}},
	"taxation_inside":  letters("TADMRX"),
	"taxation_outside": letters("FBNSV"),
}

// letters are the options of a letter of taxation; without one the service decides.
func letters(all string) []frame.Option {
	options := []frame.Option{{Value: "", Key: "company.taxation.service", Text: ""}}
	for _, letter := range strings.Split(all, "") {
		options = append(options, frame.Option{Value: letter, Key: "company.taxation." + letter, Text: ""})
	}
	return options
}

func ShowCompany(r *frame.Request) error {
	page, _, err := Page(r)
	if err != nil {
		return err
	}
	return r.Render("company", "section.company", page)
}

// Page is the page with what is on record, and the profile.
func Page(r *frame.Request) (page companyPage, profile nfse.FiscalProfile, err error) {
	organization := r.Scope.OrganizationID
	page = companyPage{CNPJ: r.D.CNPJ != nil, Choices: choicesOfProfile(r.Language), Version: companies.NoFiscalProfile}
	if page.Certificates, err = certificatesOf(r); err != nil {
		return page, profile, err
	}
	profile, err = r.D.Store.Companies.FiscalProfile(r.Context(), organization)
	switch {
	case errors.Is(err, companies.ErrNoFiscalProfile):
		profile = company.NewProfile(organization)
		page.Form = frame.FormOf(map[string]string{"series": "1", "environment": "restricted",
			"competence_days_back":  strconv.Itoa(profile.DaysBack()),
			"cancellation_analysis": string(profile.Analyses())})
		if usable := page.Usable(); usable != nil {
			page.Form.Values["tax_id"] = format.TaxID(usable.TaxID)
		}
	case err != nil:
		return page, profile, err
	default:
		page.TakesLogin = company.TakesLogin(company.Present(profile))
		page.HasProfile, page.Version, page.Form = true, nfse.VersionOf(profile), formOfProfile(r.Language, profile)
		page.showRows(r.Language, profile)
		page.offerContributions()
		if err := readSeries(r.D, r, &page, profile); err != nil {
			return page, profile, err
		}
		if page.Learned, err = r.D.Store.Companies.LearnedRegistration(r.Context(), company.Present(profile)); err != nil {
			return page, profile, err
		}
		if page.City, err = cityOf(r.D, r, profile); err != nil {
			return page, profile, err
		}
		if page.Where, err = readWhereIssued(r, page.Form, profile); err != nil {
			return page, profile, err
		}
	}
	page.Missing, err = missingToGoLive(r.D, r, page, profile)
	return page, profile, err
}

// offerContributions adds contributions to the options that were set by command and have no word.
func (p *companyPage) offerContributions() {
	const field = "own_contributions"
	options, now := p.Choices[field], p.Form.Value(field)
	if !slices.ContainsFunc(options, func(one frame.Option) bool { return one.Value == now }) {
		p.Choices[field] = append(slices.Clone(options), frame.Option{Value: now, Text: now})
	}
}

// readSeries reads the series of a profile, or why it is withheld: that of today, or of the day that
// the address or the form names.
func readSeries(d *frame.Dashboard, r *frame.Request, page *companyPage, profile nfse.FiscalProfile) error {
	on, err := nfse.ParseDay(cmp.Or(r.PostForm.Get("on"), r.URL.Query().Get("on")))
	if err != nil {
		on = nfse.DayOf(time.Now())
	}
	of := profile.On(on)
	next, err := d.Store.Lifecycle.NextNumber(r.Context(), of)
	switch {
	case errors.Is(err, companies.ErrTaxIDNotShown):
		page.Withheld = "company.withheld.not_shown"
		return nil
	case errors.Is(err, companies.ErrTaxIDOfAnother):
		page.Withheld = "company.withheld.of_another"
		return nil
	case err != nil:
		return err
	}
	page.Series = &seriesPage{On: on, Series: of.Series, Next: next, Others: profile.Moves, Of: of,
		Form: frame.FormOf(map[string]string{"next_number": strconv.FormatInt(next, 10)})}
	if granted := of.GrantedNumbers; granted != nil {
		page.Series.Left, page.Series.Few = granted.Left(next)
	}
	page.HeldSeries, err = d.Store.Numbers.HeldSeries(r.Context(), r.Scope.OrganizationID)
	return err
}

// cityOf returns what is known of the company's city: it decides about notes where the national system
// issues, and tells of those that a city takes on a server of its own whether that does too. It is nil
// elsewhere.
func cityOf(d *frame.Dashboard, r *frame.Request, profile nfse.FiscalProfile) (*shownCity, error) {
	profile = company.Present(profile)
	if !company.AsksCities(profile) && cities.Current().OfName(profile.Authority) == nil {
		return nil, nil
	}
	refusal, record, err := company.CityWarning(r.Context(), d.Store, profile)
	if err != nil {
		return nil, err
	}
	shown := shownCity{CityRecord: record, Name: cataloguepages.MunicipalityName(profile.MunicipalityCode)}
	if rule, named := refusal.Arguments["rule"].(string); named {
		shown.Refusal = frame.KnownOr("company.city."+rule, "company.city.refuses")
	}
	shown.Services, err = d.Store.Companies.CityServices(r.Context(), company.CityOf(profile))
	return &shown, err
}

// missingToGoLive are the steps to live notes, done or not.
func missingToGoLive(d *frame.Dashboard, r *frame.Request, page companyPage, profile nfse.FiscalProfile) ([]missingStep,
	error) {
	services, err := readiness.ActiveServices(r.Context(), d.Store, r.Scope.OrganizationID, cataloguepages.RecordsOnPage)
	if err != nil {
		return nil, err
	}
	ready, _ := readiness.ReadyServices(company.Present(profile).Authority, cataloguepages.Tables(d), services)
	service := "/catalogue/services"
	if len(services) == 0 {
		service += "/new"
	}
	return []missingStep{
		{"company.missing.certificate", "/company/certificates/new", page.Usable() != nil && page.Withheld == ""},
		{"company.missing.profile", "/company", page.HasProfile},
		{"company.missing.service", service, len(ready) > 0},
	}, nil
}

// Ready reports whether nothing is missing.
func (p companyPage) Ready() bool {
	return !slices.ContainsFunc(p.Missing, func(step missingStep) bool { return !step.Done })
}

// ByHand reports whether a first profile is typed without the certificate that it would begin with.
func (p companyPage) ByHand() bool { return !p.HasProfile && p.Usable() == nil }

// Usable is the certificate that signs; nil without one.
func (p companyPage) Usable() *shownCertificate {
	for _, one := range p.Certificates {
		if one.State == companies.CertificateUsable {
			return &one
		}
	}
	return nil
}

func formOfProfile(language words.Language, p nfse.FiscalProfile) *frame.Form {
	percent := func(value nfse.Percent) string {
		if value == 0 {
			return ""
		}
		return format.Percent(language, value.String())
	}
	tick := func(is bool) string {
		if is {
			return "on"
		}
		return ""
	}
	values := map[string]string{
		"authority": p.Authority, "tax_id": format.TaxID(p.TaxID), "municipality_code": p.MunicipalityCode,
		"simples":        company.SimplesWord(p.Simples),
		"special_regime": strconv.Itoa(p.SpecialRegime), "series": strconv.Itoa(p.Series),
		"environment":                 nfse.EnvironmentName(p.Production),
		"municipal_registration":      nfse.OrEmpty(p.MunicipalRegistration),
		"send_municipal_registration": tick(p.SendMunicipalRegistration),
		"taxation_inside":             p.TaxationInside,
		"taxation_outside":            p.TaxationOutside,
		"tax_federal":                 percent(p.ApproximateTaxes.Federal),
		"tax_state":                   percent(p.ApproximateTaxes.State),
		"tax_municipal":               percent(p.ApproximateTaxes.Municipal),
		"tax_simples":                 percent(p.ApproximateTaxes.Simples),
		"inactive_municipalities":     strings.Join(p.InactiveMunicipalities, ", "),
		"ignore_municipal_parameters": tick(p.IgnoreMunicipalParameters),
		"exact_certificate":           tick(p.ExactCertificate),
		"competence_days_back":        strconv.Itoa(p.DaysBack()),
		"own_contributions":           company.OwnContributionsWords(p.OwnContributions),
		"simples_rates":               simplesRatesText(language, p.SimplesRates),
		"reject_refused":              tick(p.RejectRefused),
		"cancellation_analysis":       string(p.Analyses()),
		"moves":                       movesText(language, p.Moves),
	}
	if p.GrantedNumbers != nil {
		values["granted_numbers"] = p.GrantedNumbers.String()
	}
	if p.SimplesRegime != nil {
		values["simples_regime"] = strconv.Itoa(*p.SimplesRegime)
	}
	return frame.FormOf(values)
}

// profileChange is a profile as it was typed, and the one that it would replace.
type profileChange struct {
	page    companyPage // with the form that was typed, and the version that it was made from
	profile nfse.FiscalProfile
	looks   bool // the request only searches for a city, or fills in the form

	before  nfse.FiscalProfile
	now     *frame.Form // before as a form
	version string      // before's version
}

var profileSearches = map[string]func(string) frame.Found{
	"municipality_code": cataloguepages.SearchMunicipality("municipality_code"),
}

// typedProfile reads the form of a profile, and says in it what is wrong.
func typedProfile(r *frame.Request) (change profileChange, err error) {
	page, profile, err := Page(r)
	if err != nil {
		return change, err
	}
	change = profileChange{before: profile, now: page.Form, version: page.Version}
	page.Form, page.Version, page.Typed = r.NewForm(profileFields...), r.PostForm.Get("version"), true
	page.typeRows(r)
	for _, by := range authorities.All() {
		for _, field := range by.ProfileFields {
			if !page.Form.Asks(field) || !r.PostForm.Has(field) { // the form did not have the field
				page.Form.Values[field] = change.now.Value(field)
			}
		}
	}
	page.Form.CityByName("municipality_code")
	if change.looks, err = r.FillIn(page.Form, ""); err != nil {
		return change, err
	}
	if !change.looks {
		page.Found, change.looks = r.LookedFor(page.Form, profileSearches)
	}
	page.followCity(profile)
	if page.Where, err = readWhereIssued(r, page.Form, profile); err != nil {
		return change, err
	}
	if !change.looks {
		readProfile(page.Form, &profile)
		page.readRows(&profile)
		if page.Where != nil && r.PostForm.Has("authority") {
			profile.Authority = page.Where.Authority
		}
		if page.Form.Good() {
			page.Form.Values["moves"] = movesText(r.Language, profile.Moves)
			page.Form.Values["simples_rates"] = simplesRatesText(r.Language, profile.SimplesRates)
			if wrong := company.CheckProfile(profile); wrong != nil && !page.Form.WrongAs("company.", wrong) {
				err = wrong
			}
		}
	}
	change.page, change.profile = page, profile
	return change, err
}

// SaveProfile sets how the organization issues, unless somebody else has changed it
// since its form was made.
func SaveProfile(r *frame.Request) error {
	change, err := typedProfile(r)
	if err != nil {
		return err
	}
	page := change.page
	if change.looks {
		return r.Render("company", "section.company", page)
	}
	if !page.Form.Good() {
		page.Found = cataloguepages.Offer(r.D, page.Form, profileSearches)
		return r.RenderStatus(http.StatusUnprocessableEntity, "company", "section.company", page)
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	page.Form.Values["authority"] = change.profile.Authority
	err = company.ReplaceProfile(r.Context(), r.D.Store, r.Changes(), change.profile, page.Version)
	if errors.Is(err, postgres.ErrChanged) {
		page.Differences = page.Form.Differences("company.", change.now, profileFields, profileRules)
		page.Version = change.version
		if page.Differences != nil { // else both made the same change
			return r.RenderStatus(http.StatusConflict, "company", "section.company", page)
		}
		err = nil
	}
	if err != nil {
		return err
	}
	return afterProfile(r, page.HasProfile)
}

// afterProfile leads on from a company's first profile to its first live service, or else back to the company.
func afterProfile(r *frame.Request, had bool) error {
	services, _, err := r.D.Store.Catalogues.Services(r.Context(), r.Scope, postgres.Page{Limit: 1})
	if err != nil {
		return err
	}
	next := "/company"
	if !had && r.Scope.Livemode && len(services) == 0 && r.Role.May(nfse.ChangeCatalogue) {
		next = "/catalogue/services/new"
	}
	return r.Redirect(r.Link(next), "company.saved")
}

// readProfile puts what was typed into the profile. The rules of the authority are checked
// afterwards.
func readProfile(form *frame.Form, profile *nfse.FiscalProfile) {
	number := func(field string) int {
		text := form.Trimmed(field)
		if text == "" {
			return 0
		}
		value, err := strconv.Atoi(text)
		if err != nil {
			form.AddProblem(field, "company."+field+".wrong")
		}
		return value
	}
	percent := func(field string) nfse.Percent {
		text := format.ParsePercent(form.Value(field))
		if text == "" {
			return 0
		}
		value, err := nfse.ParsePercent(text)
		if err != nil {
			form.AddProblem(field, "company.percent.wrong")
		}
		return value
	}
	if authority := form.Value("authority"); authority != "" {
		profile.Authority = authority
	}
	var err error
	if profile.TaxID, err = nfse.ParseTaxID(form.Trimmed("tax_id")); err != nil {
		form.AddProblem("tax_id", "company.tax_id.wrong")
	}
	profile.MunicipalityCode = form.Trimmed("municipality_code")
	profile.Simples, _ = company.ParseSimples(form.Value("simples")) // an unknown word is found by the check
	profile.SimplesRegime = nil
	if regime := number("simples_regime"); regime != 0 {
		profile.SimplesRegime = &regime
	}
	chooseRegimes(form)
	profile.SpecialRegime, profile.Series = number("special_regime"), number("series")
	if profile.Production, err = nfse.ParseEnvironment(form.Value("environment")); err != nil {
		form.AddProblem("environment", "company.environment.wrong")
	}
	profile.MunicipalRegistration = form.OrNothing("municipal_registration")
	profile.SendMunicipalRegistration = form.Value("send_municipal_registration") != ""
	profile.TaxationInside, profile.TaxationOutside = form.Value("taxation_inside"), form.Value("taxation_outside")
	profile.ApproximateTaxes = nfse.ApproximateTaxes{Federal: percent("tax_federal"), State: percent("tax_state"),
		Municipal: percent("tax_municipal"), Simples: percent("tax_simples")}
	profile.InactiveMunicipalities = strings.FieldsFunc(form.Value("inactive_municipalities"),
		func(r rune) bool { return strings.ContainsRune(",; \r\n\t", r) })
	if profile.InactiveMunicipalities == nil {
		profile.InactiveMunicipalities = []string{}
	}
	profile.IgnoreMunicipalParameters = form.Value("ignore_municipal_parameters") != ""
	profile.ExactCertificate = form.Value("exact_certificate") != ""
	if profile.OwnContributions, err = company.ParseOwnContributions(cmp.Or(form.Value("own_contributions"),
		company.NoContributions)); err != nil {
		form.AddProblem("own_contributions", "company.own_contributions.wrong")
	}
	if profile.GrantedNumbers, err = company.ParseGrantedNumbers(form.Value("granted_numbers")); err != nil {
		form.AddProblem("granted_numbers", "company.granted_numbers.wrong")
	}
	profile.RejectRefused = form.Value("reject_refused") != ""
	profile.CancellationAnalysis = nfse.CancellationAnalysis(form.Value("cancellation_analysis"))
	profile.CompetenceDaysBack = nil
	if form.Trimmed("competence_days_back") != "" {
		profile.CompetenceDaysBack = new(number("competence_days_back"))
	}
}

// chooseRegimes says which of the regimes that the company's documents state are not chosen: none is supposed.
func chooseRegimes(f *frame.Form) {
	asked := []string{"simples", "special_regime"}
	switch f.Value("simples") {
	case company.SimplesWord(nfse.SimplesNone):
		asked = append(asked, "own_contributions")
	case company.SimplesWord(nfse.SimplesME):
		asked = append(asked, "simples_regime")
	}
	for _, field := range asked {
		if f.Trimmed(field) == "" {
			f.AddProblem(field, "company."+field+".missing")
		}
	}
}

// SetNextNumber lets the series go on from a number. It never goes back to one that
// was taken.
func SetNextNumber(r *frame.Request) error {
	page, _, err := Page(r)
	if err != nil {
		return err
	}
	if page.Series == nil {
		return frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	profile := page.Series.Of
	seen, seenErr := strconv.ParseInt(r.PostForm.Get("seen"), 10, 64)
	page.Series.Form = r.NewForm("next_number")
	number, err := strconv.ParseInt(page.Series.Form.Trimmed("next_number"), 10, 64)
	if err == nil {
		err = company.CheckNextNumber(profile, number)
	}
	if err != nil {
		page.Series.Form.AddProblem("next_number", "company.next_number.wrong")
		return r.RenderStatus(http.StatusUnprocessableEntity, "company", "section.company", page)
	}
	if r.PostForm.Get("version") != page.Version { // the number was meant for another series
		page.Series.Form.AddProblem("next_number", "company.next_number.series")
		return r.RenderStatus(http.StatusConflict, "company", "section.company", page)
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	if seenErr == nil {
		err = company.ReplaceNextNumber(r.Context(), r.Changes(), profile, seen, number)
	}
	if errors.Is(err, company.ErrTooFarAhead) {
		page.Series.Form.AddProblem("next_number", "company.next_number.too_far")
		return r.RenderStatus(http.StatusUnprocessableEntity, "company", "section.company", page)
	}
	if errors.Is(err, postgres.ErrChanged) || seenErr != nil {
		if page.Series.Next, err = r.D.Store.Lifecycle.NextNumber(r.Context(), profile); err != nil {
			return err
		}
		page.Series.Form.AddProblem("next_number", "company.next_number.changed")
		return r.RenderStatus(http.StatusConflict, "company", "section.company", page)
	}
	if nfse.IsCode(err, nfse.CodeInvalidRequest) {
		page.Series.Form.AddProblem("next_number", "company.next_number.taken")
		return r.RenderStatus(http.StatusUnprocessableEntity, "company", "section.company", page)
	}
	if err != nil {
		return err
	}
	return r.Redirect(r.Link("/company"), "company.next_number.saved")
}

// RefreshCity has the parameters of the company's city fetched again.
func RefreshCity(r *frame.Request) error {
	profile, err := r.D.Store.Companies.FiscalProfile(r.Context(), r.Scope.OrganizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	if err != nil {
		return err
	}
	if err := r.Changes().Companies.RefreshCity(r.Context(), company.CityOf(company.Present(profile))); err != nil {
		return err
	}
	return r.Redirect(r.Link("/company"), "company.city.refreshing")
}
