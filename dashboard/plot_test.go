package dashboard

import (
	"math"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store/operate"
)

// A plot has every day, no bar leaves it, and each day says its numbers.
func TestPlot(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 10, 27, 0, 0, 0, 0, format.Zone)
	figure := func(notes, cents int64) operate.Figure { return operate.Figure{Notes: notes, AmountCents: cents} }
	for name, one := range map[string]struct {
		cents int64
		unit  string
		top   string
	}{
		"nothing": {0, "R$", "1"}, "cents": {1, "R$", "1"}, "reais": {123_456, "R$", "1500"},
		"thousands": {1_234_567_00, "R$ mil", "1500"}, "millions": {45_000_000_00, "R$ milhões", "50"},
		"billions":        {7_000_000_000_00, "R$ bilhões", "8"},
		"all that it can": {math.MaxInt64, "R$ bilhões", ""},
	} {
		days := []operate.DayFigures{{Day: "2026-11-25", Notes: map[nfse.Status]operate.Figure{
			nfse.StatusIssued: figure(12, one.cents), nfse.StatusRejected: figure(3, 0)}}}
		notes, money := frame.NewPlot(words.Portuguese, days, first, frame.OverviewDays),
			frame.NewMoneyPlot(words.Portuguese, days, first, frame.OverviewDays)
		if money.Unit != one.unit || one.top != "" && money.Lines[len(money.Lines)-1].Value != one.top {
			t.Errorf("%s: the axis is in %q up to %v", name, money.Unit, money.Lines)
		}
		if said := notes.Days[frame.OverviewDays-1].Said; said != "25/11/2026 · Total: 15; Emitida: 12; Rejeitada: 3" {
			t.Errorf("%s: the day says %q", name, said)
		}
		sum := "Total: " + format.Money(words.Portuguese, min(one.cents, frame.MostPlotted))
		if said := money.Days[frame.OverviewDays-1].Said; !strings.Contains(said, sum) {
			t.Errorf("%s: the day says %q, expected %s", name, said, sum)
		}
		for _, p := range []frame.Plot{notes, money} {
			if len(p.Days) != frame.OverviewDays || len(p.Lines) < 2 || len(p.Lines) > 12 {
				t.Errorf("%s: %s has %d days, %d lines", name, p.Name, len(p.Days), len(p.Lines))
			}
			for _, bar := range p.Bars {
				if bar.X < 0 || bar.X+bar.Width > 100 || bar.Y < 0 || bar.Y+bar.Height > float64(p.Floor)+0.02 ||
					math.IsNaN(bar.Y) {
					t.Errorf("%s: %s has the bar %+v", name, p.Name, bar)
				}
			}
		}
	}
}
