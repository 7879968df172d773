package doctor

import (
	"slices"

	"emissor/nfse/fact"
)

// Result is what a check came to.
type Result string

// The results, from the best to the worst.
const (
	OK      Result = "ok"
	Skipped Result = "skipped" // it was not seen, and Seen says why
	Warning Result = "warning" // live notes are issued, but something is late, missing or soon over
	Problem Result = "problem" // live notes wait or are refused
)

// Name is what was checked, a word.
type Name string

// The checks, in the order of a report.
const (
	Settings    Name = "settings"
	Database    Name = "database"
	Engine      Name = "engine"
	Keyset      Name = "keyset"
	Mail        Name = "mail"
	Host        Name = "host"
	Clock       Name = "clock"
	Existence   Name = "organization"
	Profile     Name = "profile"
	TaxID       Name = "document"
	Certificate Name = "certificate"
	Login       Name = "login"
	Series      Name = "series"
	City        Name = "city"
	Services    Name = "services"
	Question    Name = "question"
	Webhooks    Name = "webhook"

	// Of the first contact, which is asked for.
	TLS          Name = "tls"
	Absent       Name = "absent"
	Asked        Name = "asked"
	Convenio     Name = "convenio"
	Parameters   Name = "parameters"
	Registration Name = "registration"
	Signer       Name = "signer"
)

// Names are the checks, in the order of a report.
var Names = []Name{Settings, Database, Engine, Keyset, Mail, Host, Clock, Existence, Profile, TaxID, Certificate,
	Login, Series, City, Services, Question, Webhooks, TLS, Absent, Asked, Convenio, Parameters, Registration, Signer}

// pages are the pages of docs/operations on what is checked.
var pages = map[Name]string{
	Settings: "troubleshooting.md", Database: "database-accounts.md", Engine: "troubleshooting.md",
	Keyset: "keysets.md", Mail: "mail.md",
	Host: "go-live.md", Clock: "runbooks/processes.md", Existence: "people.md", Profile: "go-live.md",
	Certificate: "certificates.md", Login: "cities.md", TaxID: "tax-ids.md", Series: "series.md", City: "cities.md",
	Services: "classification.md", Question: "go-live.md", Webhooks: "webhooks.md",
	TLS: "doctor.md", Absent: "doctor.md", Asked: "doctor.md", Convenio: "city-rules.md", Parameters: "city-rules.md",
	Registration: "go-live.md", Signer: "go-live.md",
}

// Page is the page of the documentation on what is checked, from the root of the repository.
func (n Name) Page() string { return "docs/operations/" + pages[n] }

// Finding is what one check has seen.
type Finding struct {
	Check        Name
	Organization string // its id; empty: it is of the installation
	Result       Result
	Seen         fact.Fact
	Do           fact.Fact // what is to be done; none where there is nothing to do
}

// Report is everything that was found: of the installation first, then of each organization in turn.
type Report struct{ Findings []Finding }

// Worst is the worst result of all findings. What was skipped is no worse than what is good.
func (r Report) Worst() Result {
	for _, result := range []Result{Problem, Warning} {
		if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Result == result }) {
			return result
		}
	}
	return OK
}

// Status is the exit status of a command: 0 where all is well, 1 with warnings, 2 with problems.
func (r Report) Status() int {
	return map[Result]int{Warning: 1, Problem: 2}[r.Worst()]
}

// Count is how many findings have a result.
func (r Report) Count(result Result) (count int) {
	for _, finding := range r.Findings {
		if finding.Result == result {
			count++
		}
	}
	return count
}

func good(check Name, seen fact.Fact) Finding { return Finding{Check: check, Result: OK, Seen: seen} }

func skipped(check Name, why fact.Fact) Finding {
	return Finding{Check: check, Result: Skipped, Seen: why}
}

func warning(check Name, seen, do fact.Fact) Finding {
	return Finding{Check: check, Result: Warning, Seen: seen, Do: do}
}

func problem(check Name, seen, do fact.Fact) Finding {
	return Finding{Check: check, Result: Problem, Seen: seen, Do: do}
}
