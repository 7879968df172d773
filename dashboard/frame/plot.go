package frame

import (
	"math"
	"strconv"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store/operate"
)

const (
	OverviewDays = 30
)

// Plotted are the states of a plot from the bottom of a bar to its top.
var Plotted = []nfse.Status{
	nfse.StatusIssued, nfse.StatusQueued, nfse.StatusProcessing, nfse.StatusRejected, nfse.StatusCancelled,
}

// The plot's measures: heights in pixels, and widths in percent of the space that there is, so that
// texts keep their size.
const (
	plotHeight, plotBottom = 220, 24 // room for the days
	plotTop                = 12
	plotFewest             = 7 // for how many days there is room at least, so that no bar is a wall
)

// MostPlotted bounds a value, so that sums and axes are within what an int64 holds.
const MostPlotted = int64(1e17)

// Plot is a bar for each day, with a piece for each state: of how many notes there are, or of what
// they are worth.
type Plot struct {
	Name          string // notes or money: ends ids and the keys of its texts
	dayWidth      float64
	Unit          string // of the axis; empty: notes
	Height, Floor int
	Bars          []plotBar
	Lines         []plotLine
	Days          []plotDay // with the same numbers, for the table
	Empty         bool
}

// States are the states of the bars, in the order of the values of a day.
func (Plot) States() []nfse.Status { return Plotted }

// plotBar is the piece of a state in the bar of a day.
type plotBar struct {
	Status   nfse.Status
	X, Width float64 // in percent
	Y        float64
	Height   float64
}

// plotLine is a value of the axis.
type plotLine struct {
	Y     float64
	Value string
}

// plotDay is a day of the axis, and its numbers.
type plotDay struct {
	Left, X, Width float64 // of all of it, and its middle, in percent
	Day            nfse.Timestamp
	Label          string   // empty: there is no room for one
	Said           string   // the day and its numbers
	Values         []string // by state
	Sum            string
	Any            bool // not all of them are zero
	counts         []int64
	all            int64
}

// plotKind is what a plot shows of a figure.
type plotKind struct {
	name  string
	of    func(operate.Figure) int64
	write func(int64) string
	axis  func(highest int64) (step, unit int64, unitName string)
}

// NewPlot draws how many notes there are, on so many days from the first one on.
func NewPlot(language words.Language, figures []operate.DayFigures, first time.Time, days int) Plot {
	return plotKind{
		name:  "notes",
		of:    func(figure operate.Figure) int64 { return figure.Notes },
		write: func(notes int64) string { return strconv.FormatInt(notes, 10) },
		axis:  func(highest int64) (int64, int64, string) { return axisStep(highest), 1, "" },
	}.plot(language, figures, first, days)
}

// NewMoneyPlot draws what the notes are worth.
func NewMoneyPlot(language words.Language, figures []operate.DayFigures, first time.Time, days int) Plot {
	return plotKind{
		name:  "money",
		of:    func(figure operate.Figure) int64 { return figure.AmountCents },
		write: func(cents int64) string { return format.Money(language, cents) },
		axis:  func(highest int64) (int64, int64, string) { return moneyAxis(language, highest) },
	}.plot(language, figures, first, days)
}

func (k plotKind) plot(language words.Language, figures []operate.DayFigures, first time.Time, days int) Plot {
	p := Plot{Name: k.name, Height: plotHeight, Floor: plotHeight - plotBottom,
		dayWidth: 100 / float64(max(days, plotFewest))}
	byDay := map[string]operate.DayFigures{}
	for _, day := range figures {
		byDay[day.Day] = day
	}
	every := 7 // days from one with a label to the next
	if days <= plotFewest {
		every = 2 // on the narrowest screen a label is wider than one day
	}
	var highest int64
	for i := range days {
		day := k.day(language, byDay, first.AddDate(0, 0, i), p.dayWidth*float64(i), p.dayWidth)
		if (days-1-i)%every == 0 {
			day.Label = format.DayAndMonth(language, day.Day)
		}
		highest = max(highest, day.all)
		p.Days = append(p.Days, day)
	}
	p.Empty = highest == 0
	step, unit, unitName := k.axis(highest)
	most := (max(highest, 1)-1)/step*step + step
	p.Unit = unitName
	scale := float64(p.Floor-plotTop) / float64(most)
	for value := int64(0); value <= most; value += step {
		p.Lines = append(p.Lines, plotLine{short(float64(p.Floor) - float64(value)*scale),
			strconv.FormatInt(value/unit, 10)})
	}
	for _, day := range p.Days {
		floor := float64(p.Floor)
		for j, value := range day.counts {
			if height := float64(value) * scale; value > 0 {
				floor -= height
				p.Bars = append(p.Bars, plotBar{Plotted[j], short(day.Left + p.dayWidth*0.1),
					short(p.dayWidth * 0.8), short(floor), short(height)})
			}
		}
	}
	return p
}

// day are the numbers of a day.
func (k plotKind) day(language words.Language, byDay map[string]operate.DayFigures, at time.Time,
	left, width float64) plotDay {
	day := plotDay{Left: short(left), X: short(left + width/2), Width: short(width), Day: nfse.Timestamp{Time: at}}
	figures, said := byDay[at.Format(time.DateOnly)].Notes, ""
	for _, status := range Plotted {
		value := min(max(0, k.of(figures[status])), MostPlotted)
		day.counts, day.Values = append(day.counts, value), append(day.Values, k.write(value))
		if value > 0 {
			said += "; " + language.Say("status."+string(status)) + ": " + k.write(value)
		}
		day.all += value
	}
	day.Sum, day.Any = k.write(day.all), day.all > 0
	day.Said = format.Day(language, day.Day) + " · " + language.Say("overview.sum") + ": " + day.Sum + said
	return day
}

// short is a measure with as many digits as a screen shows.
func short(measure float64) float64 { return math.Round(measure*100) / 100 }

// moneyAxis are whole reais, or thousands, millions or billions of them where all values are.
func moneyAxis(language words.Language, cents int64) (step, unit int64, unitName string) {
	reais := cents / 100
	if cents%100 != 0 {
		reais++
	}
	step, unit, unitName = axisStep(reais)*100, 100, "R$"
	for _, name := range []string{"thousand", "million", "billion"} {
		if step%(unit*1000) != 0 {
			break
		}
		unit *= 1000
		unitName = language.Say("overview.axis." + name)
	}
	return step, unit, unitName
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
