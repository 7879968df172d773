package frame

// Bars are amounts beside each other, each with its bar. The figure is a table, so that what is looked at is also
// read, spoken and printed.
type Bars struct {
	Name, Title string   // ends the ids of its parts, and what the figure is called
	Of          string   // key of what a row is
	Columns     []string // keys of what is measured
	Apart       bool     // each column has a scale of its own
	values      []barValues
}

// barValues are the amounts of a row, and how they are written.
type barValues struct {
	label   string
	texts   []string
	amounts []int64
}

// Add adds a row, with an amount for each column.
func (b *Bars) Add(label string, write func(int64) string, amounts ...int64) {
	row := barValues{label: label, amounts: amounts}
	for _, amount := range amounts {
		row.texts = append(row.texts, write(amount))
	}
	b.values = append(b.values, row)
}

// barRow is a row as it is drawn.
type barRow struct {
	Label string
	Texts []string
	Bars  []drawnBar
}

type drawnBar struct {
	Y     int     // in pixels
	Width float64 // in percent of the longest
}

// barStep is from the top of a bar to that of the next one, in pixels.
const barStep = 10

// Height is that of the bars of a row, in pixels.
func (b Bars) Height() int { return len(b.Columns) * barStep }

// Rows are the rows as they are drawn. What is below zero has no bar.
func (b Bars) Rows() (rows []barRow) {
	longest := make([]int64, len(b.Columns))
	for _, row := range b.values {
		for i := range longest {
			longest[i] = max(longest[i], row.amounts[i])
			if i > 0 && !b.Apart {
				longest[0] = max(longest[0], longest[i])
			}
		}
	}
	for _, row := range b.values {
		shown := barRow{Label: row.label, Texts: row.texts}
		for i, amount := range row.amounts {
			most := longest[0]
			if b.Apart {
				most = longest[i]
			}
			shown.Bars = append(shown.Bars, drawnBar{i * barStep, short(100 * float64(max(0, amount)) / float64(max(1, most)))})
		}
		rows = append(rows, shown)
	}
	return rows
}

// Empty reports whether there is nothing to draw.
func (b Bars) Empty() bool { return len(b.values) == 0 }
