package dashboard

import (
	"math"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store"
)

// plotted are the states of a plot from the bottom of a bar to its top.
var plotted = []nfse.Status{
	nfse.StatusIssued, nfse.StatusQueued, nfse.StatusProcessing, nfse.StatusRejected, nfse.StatusCancelled,
}

// The plot's measures, in units of its own.
const (
	plotWidth, plotHeight = 720, 220
	plotLeft, plotBottom  = 56, 24 // room for the values and the days
	plotTop, plotRight    = 12, 16 // the last day's label is wider than its bar
)

// plot is a bar of notes for each day, with a piece for each state.
type plot struct {
	Width, Height int
	Left, Floor   int
	Bars          []plotBar
	Lines         []plotLine
	Days          []plotDay // with the same numbers, for the table
	Empty         bool
}

// plotBar is the notes of a day in a state.
type plotBar struct {
	Status        nfse.Status
	X, Y          float64
	Width, Height float64
}

// plotLine is a value of the axis.
type plotLine struct {
	Y     float64
	Value int64
}

// plotDay is a day of the axis, and its numbers.
type plotDay struct {
	X      float64
	Day    nfse.Timestamp
	Label  string // empty: there is no room for one
	Counts []int64
	All    int64
}

// newPlot draws the figures of the days from the first one on.
func newPlot(language words.Language, days []store.DayFigures, first time.Time) plot {
	p := plot{Width: plotWidth, Height: plotHeight, Left: plotLeft, Floor: plotHeight - plotBottom, Empty: true}
	byDay := map[string]store.DayFigures{}
	for _, day := range days {
		byDay[day.Day] = day
	}
	var highest int64
	for i := range overviewDays {
		at := first.AddDate(0, 0, i)
		day := plotDay{Day: nfse.Timestamp{Time: at}}
		for _, status := range plotted {
			notes := max(0, byDay[at.Format(time.DateOnly)].Notes[status].Notes)
			day.Counts, day.All = append(day.Counts, notes), day.All+notes
		}
		if (overviewDays-1-i)%7 == 0 {
			day.Label = format.DayAndMonth(language, day.Day)
		}
		highest = max(highest, day.All)
		p.Days = append(p.Days, day)
	}
	p.Empty = highest == 0
	step := axisStep(highest)
	most := (max(highest, 1) + step - 1) / step * step
	scale := float64(p.Floor-plotTop) / float64(most)
	for value := int64(0); value <= most; value += step {
		p.Lines = append(p.Lines, plotLine{float64(p.Floor) - float64(value)*scale, value})
	}
	room := float64(plotWidth-plotLeft-plotRight) / overviewDays
	for i := range p.Days {
		day := &p.Days[i]
		left, floor := plotLeft+room*float64(i)+room*0.1, float64(p.Floor)
		day.X = left + room*0.4
		for j, notes := range day.Counts {
			if height := float64(notes) * scale; notes > 0 {
				floor -= height
				p.Bars = append(p.Bars, plotBar{plotted[j], left, floor, room * 0.8, height})
			}
		}
	}
	return p
}

// axisStep is the distance between values of the axis: 1, 2 or 5 times a power of ten,
// so that there are at most six.
func axisStep(highest int64) int64 {
	step := int64(math.Pow10(int(math.Log10(float64(max(highest, 1))))))
	for _, finer := range []int64{5, 2} {
		if step%finer == 0 && highest*finer <= 5*step {
			return step / finer
		}
	}
	if highest > 5*step {
		return 2 * step
	}
	return step
}
