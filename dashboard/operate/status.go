package operate

import (
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store/operate"
)

// RoutesOfStatus are for anybody who is signed in, of any organization.
func RoutesOfStatus(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/status", frame.User, frame.Nothing, showStatus),
		frame.On("GET", "/status.json", frame.User, frame.Nothing, statusJSON),
	}
}

// statusPage is how the authorities do, by the installation's calls to them: shares and times, and no
// numbers of calls, so that it tells nothing of a company.
type statusPage struct {
	Authorities []authorityStatus
	At          nfse.Timestamp
}

// authorityStatus is how an environment of an authority does.
type authorityStatus struct {
	Authority  string         `json:"authority"`
	Name       string         `json:"name"`
	Production bool           `json:"production"`
	Now        *health        `json:"last_hour"` // nil: too few calls to say anything
	Day        *health        `json:"last_day"`
	Week       *health        `json:"last_week"`
	Hours      []hourStatus   `json:"hours"` // of the last 24, the newest first; those with too few calls are left out
	Outages    []outageStatus `json:"outages"`
	Cities     []cityStatus   `json:"cities"`
	Drawn      frame.Bars     `json:"-"` // what the hours took
}

// health is what is said of many calls.
type health struct {
	Failed float64 `json:"failed_percent"` // of all calls, those that were not answered
	Half   int64   `json:"p50_ms"`         // of those that were
	Most   int64   `json:"p95_ms"`
	Out    bool    `json:"out"` // most were not answered
}

type hourStatus struct {
	Hour nfse.Timestamp `json:"hour"`
	health
}

type outageStatus struct {
	From  nfse.Timestamp `json:"from"`
	Until nfse.Timestamp `json:"until"`
}

type cityStatus struct {
	Code string `json:"municipality_code"`
	Name string `json:"name"`
	health
}

// Percent writes a share.
func (h health) Percent(language words.Language) string {
	text := strconv.FormatFloat(h.Failed, 'f', 1, 64)
	if language == words.Portuguese {
		text = text[:len(text)-2] + "," + text[len(text)-1:]
	}
	return text + " %"
}

// P50 is the time that half of the calls took at most.
func (h health) P50() time.Duration { return time.Duration(h.Half) * time.Millisecond }

// P95 is the time that nearly all calls took at most.
func (h health) P95() time.Duration { return time.Duration(h.Most) * time.Millisecond }

// slow is from which share of failures an authority is shown as in difficulty.
const slow = 5 // per cent

// State is out, slow or well.
func (h health) State() string {
	switch {
	case h.Out:
		return "out"
	case h.Failed >= slow:
		return "slow"
	}
	return "well"
}

func healthOf(calls operate.CallHealth) *health {
	if !calls.Known() {
		return nil
	}
	return &health{math.Round(calls.Failed()*1000) / 10, operate.Milliseconds(calls.Took(0.5)),
		operate.Milliseconds(calls.Took(0.95)), calls.Out()}
}

func status(r *frame.Request) (page statusPage, err error) {
	all, err := r.D.Store.Operate.AuthorityHealths(r.Context())
	page = statusPage{Authorities: []authorityStatus{}, At: nfse.Timestamp{Time: time.Now()}}
	for _, one := range all {
		if status := statusOf(r, one, page.At.Time); status.Now != nil || status.Day != nil || status.Week != nil {
			page.Authorities = append(page.Authorities, status)
		}
	}
	return page, err
}

func statusOf(r *frame.Request, one operate.AuthorityHealth, now time.Time) authorityStatus {
	day := now.Add(-24 * time.Hour)
	status := authorityStatus{Authority: one.Authority, Name: r.Language.Authority(one.Authority),
		Production: one.Production, Now: healthOf(one.Now), Day: healthOf(one.Since(day)),
		Week: healthOf(one.Since(now.Add(-7 * 24 * time.Hour))), Hours: []hourStatus{}, Outages: []outageStatus{},
		Cities: []cityStatus{}}
	status.Drawn = frame.Bars{Name: one.Authority + "-" + strconv.FormatBool(one.Production), Of: "status_page.from",
		Title: r.Language.Say("status_page.drawn"), Columns: []string{"status_page.half", "status_page.most"}}
	pause := func(ms int64) string { return format.Pause(time.Duration(ms) * time.Millisecond) }
	for _, hour := range slices.Backward(one.Hours) {
		if said := healthOf(hour.CallHealth); said != nil && !hour.Hour.Before(day) {
			status.Hours = append(status.Hours, hourStatus{hour.Hour, *said})
			status.Drawn.Add(format.Moment(r.Language, hour.Hour), pause, said.Half, said.Most)
		}
	}
	for _, outage := range one.Outages() {
		status.Outages = append(status.Outages, outageStatus{outage.From, outage.Until})
	}
	for _, city := range one.Cities {
		if said := healthOf(city.CallHealth); said != nil {
			status.Cities = append(status.Cities, cityStatus{city.MunicipalityCode,
				cataloguepages.MunicipalityName(city.MunicipalityCode), *said})
		}
	}
	return status
}

func showStatus(r *frame.Request) error {
	page, err := status(r)
	if err != nil {
		return err
	}
	return r.Render("status", "section.status", page)
}

func statusJSON(r *frame.Request) error {
	page, err := status(r)
	if err != nil {
		return err
	}
	return r.WriteJSON(http.StatusOK, map[string]any{"at": page.At, "authorities": page.Authorities})
}

// statusRow is a line of the table of an authority.
type statusRow struct {
	Say    words.Language
	Label  string // key
	Health *health
}

func NewStatusRow(language words.Language, label string, said *health) statusRow {
	return statusRow{language, label, said}
}
