package operate

import (
	"context"
	"time"

	"emissor/dashboard/frame"
	"emissor/dashboard/words"
	"emissor/issuing/doctor"
)

// RoutesOfDoctor are the checks before the first live note. An owner sees what is of the company, who
// operates the installation what is of that. What is looked at leaves this machine, as far as receivers of
// webhooks and the mail server, so that it is done on demand, and a few times a minute.
func RoutesOfDoctor(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/company/check", frame.ManageCompany, frame.Nothing, showCompanyCheck),
		frame.On("POST", "/company/check", frame.ManageCompany, frame.ATry, checkCompany),
		frame.On("GET", "/operations/check", frame.Operator, frame.Nothing, showInstallationCheck),
		frame.On("POST", "/operations/check", frame.Operator, frame.ATry, checkInstallation),
	}
}

const (
	checkPatience = 5 * time.Second  // for each check
	checkDeadline = 20 * time.Second // for all of them
)

// doctorPage is what was found; before it was asked for, nothing.
type doctorPage struct {
	Path     string // of the form
	Means    string // key of what is looked at
	Looked   bool
	Worst    doctor.Result
	Findings []shownFinding
}

// shownFinding is a finding in the reader's language.
type shownFinding struct {
	Check    doctor.Name
	Result   doctor.Result
	Seen, Do string
	Page     string // path of the page where it is put right; empty: there is none
}

// correctionPages are the pages where what was checked is put right.
var correctionPages = map[doctor.Name]string{
	doctor.Profile: "/company", doctor.Certificate: "/company", doctor.TaxID: "/company", doctor.Series: "/company",
	doctor.City: "/company", doctor.Services: "/catalogue/services", doctor.Webhooks: "/integrations",
}

func showCompanyCheck(r *frame.Request) error { return showFindings(r, "company", nil) }

func checkCompany(r *frame.Request) error {
	ctx, stop := context.WithTimeout(r.Context(), checkDeadline)
	defer stop()
	report := examiner(r.D).ExamineOrganization(ctx, r.Scope.OrganizationID)
	return showFindings(r, "company", &report)
}

func showInstallationCheck(r *frame.Request) error { return showFindings(r, "operations", nil) }

func checkInstallation(r *frame.Request) error {
	ctx, stop := context.WithTimeout(r.Context(), checkDeadline)
	defer stop()
	report := examiner(r.D).ExamineInstallation(ctx)
	return showFindings(r, "operations", &report)
}

// examiner examines with what this process has: it calls no authority.
func examiner(d *frame.Dashboard) *doctor.Doctor {
	options := doctor.Options{Store: d.Store, Sealer: d.Sealer, Mail: d.Mail, Webhooks: d.WebhookClient,
		Tables: d.Tables.Editions(), Roots: d.CertificateRoots, Patience: checkPatience}
	if engine := d.Engine; engine != nil {
		options.Engine = func(ctx context.Context) (doctor.Namespace, error) {
			return doctor.Namespace{}, engine.Check(ctx)
		}
	}
	return doctor.New(options)
}

// showFindings shows what was found of the company or the installation; nothing before it was asked for.
func showFindings(r *frame.Request, of string, report *doctor.Report) error {
	page := doctorPage{Path: "/" + of + "/check", Means: "doctor.means." + of, Looked: report != nil}
	if report != nil {
		page.Worst = report.Worst()
		for _, finding := range report.Findings {
			page.Findings = append(page.Findings, shown(r, finding))
		}
	}
	return r.Render("doctor", "doctor.title", page)
}

func shown(r *frame.Request, finding doctor.Finding) shownFinding {
	shown := shownFinding{Check: finding.Check, Result: finding.Result}
	shown.Seen, shown.Do = finding.Portuguese()
	if r.Language == words.English {
		shown.Seen, shown.Do = finding.English()
	}
	if shown.Do != "" {
		shown.Page = correctionPages[finding.Check]
	}
	return shown
}
