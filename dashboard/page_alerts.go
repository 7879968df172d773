package dashboard

import (
	"cmp"
	"slices"

	"emissor/nfse"
	"emissor/store/operate"
)

// routesOfAlerts are for what a member is told of by e-mail.
func (d *Dashboard) routesOfAlerts() []route {
	return []route{
		{"GET", "/alerts", seeNotes, nothing, d.showAlerts},
		{"POST", "/alerts", seeNotes, nothing, d.setAlerts},
	}
}

// alertsPage is what the reader is told of in an organization, and operators in the installation.
type alertsPage struct {
	Choices []alertChoice
	Ways    []operate.AlertHow
	Mail    bool // e-mails can be sent
}

// alertChoice is how the reader is told of a kind.
type alertChoice struct {
	Kind operate.AlertKind
	How  operate.AlertHow
}

// alertWays are when somebody can be told.
var alertWays = []operate.AlertHow{operate.AlertNow, operate.AlertDaily, operate.AlertOff}

// alertChoices are the kinds that the reader may be told of, as they are set. Who operates the
// installation is told of its alarms; of a company only as its member.
func (r *request) alertChoices() (choices []alertChoice, err error) {
	chosen, err := r.d.store.Operate.AlertSettings(r.Context(), r.user.ID, r.scope.OrganizationID)
	if err != nil {
		return nil, err
	}
	for _, membership := range r.memberships {
		if membership.OrganizationID != r.scope.OrganizationID {
			continue
		}
		for kind, permission := range operate.AlertKinds {
			if membership.Role.May(permission) {
				choices = append(choices, alertChoice{kind,
					cmp.Or(chosen[kind], operate.DefaultAlert(membership.Role, kind))})
			}
		}
	}
	if r.user.Operator {
		alarms, err := r.d.store.Operate.AlertSettings(r.Context(), r.user.ID, "")
		if err != nil {
			return nil, err
		}
		choices = append(choices, alertChoice{operate.AlertAlarm,
			cmp.Or(alarms[operate.AlertAlarm], operate.DefaultAlert(nfse.RoleOperator, operate.AlertAlarm))})
	}
	slices.SortFunc(choices, func(a, b alertChoice) int { return cmp.Compare(a.Kind, b.Kind) })
	return choices, nil
}

func (d *Dashboard) showAlerts(r *request) error {
	choices, err := r.alertChoices()
	if err != nil {
		return err
	}
	return r.render("alerts", "alerts.title", alertsPage{choices, alertWays, d.Mail != nil})
}

func (d *Dashboard) setAlerts(r *request) error {
	choices, err := r.alertChoices()
	if err != nil {
		return err
	}
	for _, choice := range choices {
		how := operate.AlertHow(r.PostForm.Get(string(choice.Kind)))
		if how == choice.How || !slices.Contains(alertWays, how) {
			continue
		}
		organizationID := r.scope.OrganizationID
		if choice.Kind == operate.AlertAlarm {
			organizationID = ""
		}
		if err := r.changes().Operate.SetAlert(r.Context(), organizationID, choice.Kind, how); err != nil {
			return err
		}
	}
	return r.redirect(r.link("/alerts"), "alerts.saved")
}
