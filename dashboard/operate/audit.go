package operate

import (
	"net/http"
	"slices"
	"strings"

	"emissor/dashboard/frame"
	mailpages "emissor/dashboard/mails"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

const auditOnPage = 50

// auditPage is the audit log in sentences. Users see that of their organization; operators
// may see that of the whole installation.
type auditPage struct {
	frame.Pager
	Entries  []auditLine
	Form     *frame.Form
	Actions  []audit.Action
	Filtered bool
	Whole    bool // of the installation
}

// auditLine is an entry, as a sentence: somebody did something to something.
type auditLine struct {
	audit.Entry
	Who     string // their name; empty of a command, except for operators
	Did     string // key
	Subject string // its name; empty: it is shown by its id
	// RecordURL is the page of the subject; empty where there is none that the reader may see.
	RecordURL string
	Changes   []auditChange
}

// Environment is test or live; empty for what is of neither.
func (l auditLine) Environment() string {
	if l.Livemode == nil {
		return ""
	}
	return nfse.Environment(*l.Livemode)
}

func ShowAudit(r *frame.Request) error {
	form := r.NewForm("actor", "action", "subject", "since", "until", "of")
	page := auditPage{Form: form, Actions: auditActions(r), Whole: r.User.Operator && form.Value("of") == "all"}
	page.Filtered = form.Value("actor")+form.Value("action")+form.Value("subject")+form.Value("since")+
		form.Value("until") != ""
	filter := audit.Filter{
		OrganizationID: r.Scope.OrganizationID, Action: form.Value("action"),
		SubjectID: strings.TrimSpace(form.Value("subject")), Page: postgres.Page{Limit: auditOnPage},
		WithoutComings: !r.Role.May(nfse.ManagePeople),
	}
	if page.Whole {
		filter.OrganizationID = ""
	}
	if filter.Action != "" && !slices.Contains(page.Actions, audit.Action(filter.Action)) {
		form.AddProblem("action", "audit.action.wrong")
	}
	filter.Since, filter.Until = frame.ReadPeriod(form)
	filter.After, filter.Before = mailpages.Cursor(r, nfse.PrefixAuditEntry)
	if !form.Good() {
		return r.RenderStatus(http.StatusUnprocessableEntity, "audit", "section.audit", page)
	}
	var err error
	if filter.ActorID, err = actorCalled(r, strings.TrimSpace(form.Value("actor"))); err != nil {
		return err
	}
	entries, more, err := r.D.Store.Audit.Log(r.Context(), filter)
	if err != nil {
		return err
	}
	if page.Entries, err = auditLines(r, entries); err != nil {
		return err
	}
	ids := make([]string, len(entries))
	for i, entry := range entries {
		ids[i] = entry.ID
	}
	newer, older := filter.After != "", more
	if filter.Before != "" {
		newer, older = more, true
	}
	page.Pager = r.Pager("/audit", ids, newer, older, "actor", form.Value("actor"), "action", filter.Action,
		"subject", filter.SubjectID, "since", form.Value("since"), "until", form.Value("until"), "of", form.Value("of"))
	return r.Render("audit", "section.audit", page)
}

// auditActions are those that the reader may see: only owners see sign-ins and the like.
func auditActions(r *frame.Request) []audit.Action {
	if r.Role.May(nfse.ManagePeople) {
		return audit.Actions
	}
	return slices.DeleteFunc(slices.Clone(audit.Actions), func(one audit.Action) bool {
		return slices.Contains(audit.Comings, one)
	})
}

// actorCalled is the id of an actor. People search by an address.
func actorCalled(r *frame.Request, name string) (string, error) {
	email, err := nfse.ParseEmail(name)
	if err != nil {
		return name, nil // an id, or the name of an operating-system user
	}
	user, err := r.D.Store.Access.UserByEmail(r.Context(), email)
	if nfse.IsCode(err, nfse.CodeNotFound) {
		return name, nil
	}
	if err != nil {
		return "", err
	}
	named, err := r.D.Store.Audit.NamesOf(r.Context(), r.Scope.OrganizationID, []string{user.ID})
	if err == nil && slices.ContainsFunc(named, r.Hides) {
		return name, nil
	}
	return user.ID, err
}

// auditLines makes the lines of entries.
func auditLines(r *frame.Request, entries []audit.Entry) ([]auditLine, error) {
	var ids []string
	for _, entry := range entries {
		ids = append(ids, entry.Actor.ID, entry.SubjectID)
	}
	names, err := r.NamesOf(ids)
	lines := make([]auditLine, len(entries))
	for i, entry := range entries {
		lines[i] = auditLine{Entry: entry, Who: names[entry.Actor.ID], Did: "audit." + string(entry.Action),
			Subject: names[entry.SubjectID], Changes: auditChanges(r.Language, entry),
			RecordURL: r.RecordURL(entry.SubjectID, entry.OrganizationID, entry.Livemode)}
		if !words.Has(lines[i].Did) { // written by a version with actions that this one does not know
			lines[i].Did = "audit.unknown"
		}
		if entry.Actor.Kind == nfse.ActorCommand && r.User.Operator {
			lines[i].Who = entry.Actor.ID
		}
		if entry.Action == audit.UserRefused { // who tried is not known
			lines[i].Who = ""
		}
	}
	return lines, err
}
