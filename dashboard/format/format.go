// Package format writes money, moments and official numbers as Brazilians read
// them: amounts in reais, times of Brasília, masks of CPF, CNPJ and CEP.
package format

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // containers may have none

	"emissor/dashboard/words"
	"emissor/nfse"
)

// Zone is the time zone of the dashboard.
var Zone = func() *time.Location {
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		panic(err) // time/tzdata is linked in
	}
	return zone
}()

// Money writes an amount of cents, as R$ 1.234,56.
func Money(language words.Language, cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "−", -cents
	}
	thousands := "."
	if language == words.English {
		thousands = ","
	}
	return sign + "R$\u00a0" + amount(language, cents, thousands)
}

// Amount writes an amount of cents as forms and spreadsheets read it: 1234,56.
func Amount(language words.Language, cents int64) string { return amount(language, cents, "") }

func amount(language words.Language, cents int64, thousands string) string {
	decimal := ","
	if language == words.English {
		decimal = "."
	}
	return nfse.FormatCents(cents, thousands, decimal)
}

// Day writes a day, as 22/11/2026.
func Day(language words.Language, moment nfse.Timestamp) string {
	if language == words.English {
		return moment.In(Zone).Format("2 Jan 2006")
	}
	return moment.In(Zone).Format("02/01/2006")
}

// Date writes a day of the calendar, as 30/11/2026; nothing for none.
func Date(language words.Language, day nfse.Day) string {
	if day == "" {
		return ""
	}
	return Day(language, nfse.Timestamp{Time: day.Begin()})
}

// months are the months of the year in Portuguese.
var months = strings.Fields("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro")

// Month writes a month, as outubro de 2026; nothing for none.
func Month(language words.Language, month nfse.Month) string {
	if month == "" {
		return ""
	}
	first := nfse.Day(month + "-01").Begin()
	if language == words.English {
		return first.Format("January 2006")
	}
	return months[first.Month()-1] + first.Format(" de 2006")
}

// DayAndMonth writes a day without its year, as 22/11.
func DayAndMonth(language words.Language, moment nfse.Timestamp) string {
	if language == words.English {
		return moment.In(Zone).Format("2 Jan")
	}
	return moment.In(Zone).Format("02/01")
}

// Moment writes a day and its time, as 22/11/2026 10:05.
func Moment(language words.Language, moment nfse.Timestamp) string {
	return Day(language, moment) + moment.In(Zone).Format(" 15:04")
}

// Time writes a moment to the millisecond, for what happens quickly.
func Time(language words.Language, moment nfse.Timestamp) string {
	return Day(language, moment) + moment.In(Zone).Format(" 15:04:05.000")
}

// ParseDay reads a day as <input type="date"> sends it, and returns its first
// moment; the zero time for nothing.
func ParseDay(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.ParseInLocation(time.DateOnly, text, Zone)
}

// Pause writes how long something took, in at most two units: 22 ms, 3 h 10 min.
func Pause(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d d %d h", int(d.Hours())/24, int(d.Hours())%24)
}

// TaxID writes a CPF or CNPJ with its mask. Anything else is written as it is.
func TaxID(id nfse.TaxID) string { return id.Masked() }

// ZipCode writes a CEP with its hyphen.
func ZipCode(code string) string {
	if len(code) != 8 {
		return code
	}
	return code[:5] + "-" + code[5:]
}

// Short shortens an id in its middle, so that its kind and its end can be read.
func Short(id string) string {
	const head, tail = 9, 6
	if len(id) <= head+tail+1 {
		return id
	}
	return id[:head] + "…" + id[len(id)-tail:]
}
