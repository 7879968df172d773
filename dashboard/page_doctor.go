package dashboard

import (
	"context"
	"time"

	"emissor/dashboard/words"
	"emissor/internal/doctor"
)

// routesOfDoctor are the checks before the first live note. An owner sees what is of the company, who
// operates the installation what is of that. What is looked at leaves this machine, as far as receivers of
// webhooks and the mail server, so that it is done on demand, and a few times a minute.
func (d *Dashboard) routesOfDoctor() []route {
	return []route{
		{"GET", "/company/check", manageCompany, nothing, d.showCompanyCheck},
		{"POST", "/company/check", manageCompany, aTry, d.checkCompany},
		{"GET", "/operations/check", operator, nothing, d.showInstallationCheck},
		{"POST", "/operations/check", operator, aTry, d.checkInstallation},
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
	Mend     string // path of the page where it is put right; empty: there is none
}

// mendPaths are the pages where what was checked is put right.
var mendPaths = map[doctor.Name]string{
	doctor.Profile: "/company", doctor.Certificate: "/company", doctor.TaxID: "/company", doctor.Series: "/company",
	doctor.City: "/company", doctor.Services: "/catalogue/services", doctor.Webhooks: "/integrations",
}

func (d *Dashboard) showCompanyCheck(r *request) error { return r.showFindings("company", nil) }

func (d *Dashboard) checkCompany(r *request) error {
	ctx, stop := context.WithTimeout(r.Context(), checkDeadline)
	defer stop()
	report := d.doctor().ExamineOrganization(ctx, r.scope.OrganizationID)
	return r.showFindings("company", &report)
}

func (d *Dashboard) showInstallationCheck(r *request) error { return r.showFindings("operations", nil) }

func (d *Dashboard) checkInstallation(r *request) error {
	ctx, stop := context.WithTimeout(r.Context(), checkDeadline)
	defer stop()
	report := d.doctor().ExamineInstallation(ctx)
	return r.showFindings("operations", &report)
}

// doctor examines with what this process has: it calls no authority.
func (d *Dashboard) doctor() *doctor.Doctor {
	options := doctor.Options{Store: d.store, Sealer: d.Sealer, Mail: d.Mail, Webhooks: d.webhooks,
		Tables: d.Tables.Editions(), Roots: d.CertificateRoots, Patience: checkPatience}
	if engine := d.Engine; engine != nil {
		options.Engine = func(ctx context.Context) (doctor.Namespace, error) {
			return doctor.Namespace{}, engine.Check(ctx)
		}
	}
	return doctor.New(options)
}

// showFindings shows what was found of the company or the installation; nothing before it was asked for.
func (r *request) showFindings(of string, report *doctor.Report) error {
	page := doctorPage{Path: "/" + of + "/check", Means: "doctor.means." + of, Looked: report != nil}
	if report != nil {
		page.Worst = report.Worst()
		for _, finding := range report.Findings {
			page.Findings = append(page.Findings, r.shown(finding))
		}
	}
	return r.render("doctor", "doctor.title", page)
}

func (r *request) shown(finding doctor.Finding) shownFinding {
	shown := shownFinding{Check: finding.Check, Result: finding.Result}
	shown.Seen, shown.Do = finding.Portuguese()
	if r.language == words.English {
		shown.Seen, shown.Do = finding.English()
	}
	if shown.Do != "" {
		shown.Mend = mendPaths[finding.Check]
	}
	return shown
}
