package operate

import (
	"cmp"
	"slices"

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/operate"
)

// RoutesOfAlerts are for what a member is told of by e-mail.
func RoutesOfAlerts(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/alerts", frame.SeeNotes, frame.Nothing, showAlerts),
		frame.On("POST", "/alerts", frame.SeeNotes, frame.Nothing, setAlerts),
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
func alertChoices(r *frame.Request) (choices []alertChoice, err error) {
	chosen, err := r.D.Store.Operate.AlertSettings(r.Context(), r.User.ID, r.Scope.OrganizationID)
	if err != nil {
		return nil, err
	}
	for _, membership := range r.Memberships {
		if membership.OrganizationID != r.Scope.OrganizationID {
			continue
		}
		for kind, permission := range operate.AlertKinds {
			if membership.Role.May(permission) {
				choices = append(choices, alertChoice{kind,
					cmp.Or(chosen[kind], operate.DefaultAlert(membership.Role, kind))})
			}
		}
	}
	if r.User.Operator {
		alarms, err := r.D.Store.Operate.AlertSettings(r.Context(), r.User.ID, "")
		if err != nil {
			return nil, err
		}
		choices = append(choices, alertChoice{operate.AlertAlarm,
			cmp.Or(alarms[operate.AlertAlarm], operate.DefaultAlert(nfse.RoleOperator, operate.AlertAlarm))})
	}
	slices.SortFunc(choices, func(a, b alertChoice) int { return cmp.Compare(a.Kind, b.Kind) })
	return choices, nil
}

func showAlerts(r *frame.Request) error {
	choices, err := alertChoices(r)
	if err != nil {
		return err
	}
	return r.Render("alerts", "alerts.title", alertsPage{choices, alertWays, r.D.Mail != nil})
}

func setAlerts(r *frame.Request) error {
	choices, err := alertChoices(r)
	if err != nil {
		return err
	}
	for _, choice := range choices {
		how := operate.AlertHow(r.PostForm.Get(string(choice.Kind)))
		if how == choice.How || !slices.Contains(alertWays, how) {
			continue
		}
		organizationID := r.Scope.OrganizationID
		if choice.Kind == operate.AlertAlarm {
			organizationID = ""
		}
		if err := r.Changes().Operate.SetAlert(r.Context(), organizationID, choice.Kind, how); err != nil {
			return err
		}
	}
	return r.Redirect(r.Link("/alerts"), "alerts.saved")
}
