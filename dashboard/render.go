package dashboard

import (
	"embed"
	"html/template"
	"io/fs"
	"path"
	"reflect"
	"strings"
	"sync"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	operatepages "emissor/dashboard/operate"
	webhookpages "emissor/dashboard/webhooks"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store/webhooks"
)

//go:embed templates/*.gohtml
var templateFiles embed.FS

// parseTemplates reads every page, once for each language, with what both share. No page
// depends on the dashboard that shows it, so that all dashboards of a process share them.
var parseTemplates = sync.OnceValues(func() (map[words.Language]frame.Templates, error) {
	names, err := fs.Glob(templateFiles, "templates/*.gohtml")
	if err != nil {
		return nil, err
	}
	all := map[words.Language]frame.Templates{}
	for _, language := range words.Languages {
		shared, err := template.New("").Funcs(functions(language)).Funcs(storedTexts(language)).
			ParseFS(templateFiles, "templates/frame.gohtml", "templates/parts.gohtml", "templates/palette.gohtml")
		if err != nil {
			return nil, err
		}
		all[language] = frame.Templates{}
		for _, name := range names {
			page, err := template.Must(shared.Clone()).ParseFS(templateFiles, name)
			if err != nil {
				return nil, err
			}
			all[language][strings.TrimSuffix(path.Base(name), ".gohtml")] = page
		}
	}
	return all, nil
})

// functions are the functions of templates in a language.
func functions(language words.Language) template.FuncMap {
	return template.FuncMap{
		"t": language.Say,
		"count": func(key string, number any) string { // of any integer, or a pointer to one
			return language.Count(key, int(reflect.Indirect(reflect.ValueOf(number)).Int()))
		},
		"money":   func(cents int64) string { return format.Money(language, cents) },
		"amount":  func(cents int64) string { return format.Amount(language, cents) }, // as a field has it
		"date":    func(day nfse.Day) string { return format.Date(language, day) },
		"month":   func(month nfse.Month) string { return format.Month(language, month) },
		"day":     func(at nfse.Timestamp) string { return format.Day(language, at) },
		"moment":  func(at nfse.Timestamp) string { return format.Moment(language, at) },
		"time":    func(at nfse.Timestamp) string { return format.Time(language, at) },
		"percent": func(number string) string { return format.Percent(language, number) },
		"pause":   format.Pause,
		"taxid":   format.TaxID,
		"zip":     format.ZipCode,
		"short":   format.Short,
		"role":    func(role *nfse.Role) string { return "role." + string(*role) }, // the key of its name
		"text":    func(text *string) string { return *text },                      // of a pointer that is not nil
		"cents":   func(amount *int64) int64 { return *amount },                    // likewise
		"said":    func(flag *bool) bool { return *flag },                          // likewise
		"asset":   assetURL,

		"browser": func(userAgent string) string { return browserWords(language, userAgent) },

		"sign":       func(status nfse.Status) string { return signs[status] },
		"field":      frame.NewField,
		"sorted":     notepages.NewSortedColumn,
		"numbered":   frame.NumberOf,
		"rows":       func(v frame.View, notes []nfse.Note) noteRows { return noteRows{v, notes} },
		"deliveries": func(v frame.View, rows []webhooks.Delivery) deliveryRows { return deliveryRows{v, rows} },
		"keystate":   webhookpages.KeyState,
		"keyhint":    webhookpages.KeyHint,
		"keyfields": func(form *frame.Form, test bool) webhookpages.KeyFieldsOf {
			return webhookpages.KeyFieldsOf{Form: form, Test: test}
		},
		"choice":    frame.NewChoice,
		"entry":     newEntry,
		"city":      newCityField,
		"cell":      func(row int, name, label, kind, value string) cell { return cell{row, name, label, kind, value} },
		"statusrow": operatepages.NewStatusRow,
	}
}

// signs tell the states of notes apart without colour.
var signs = map[nfse.Status]string{
	nfse.StatusQueued: "○", nfse.StatusProcessing: "◐", nfse.StatusIssued: "●", nfse.StatusRejected: "✕",
	nfse.StatusCancelled: "⊘", notepages.StatusHeld: "‖",
}

// noteRows are notes as the table of notes shows them.
type noteRows struct {
	View  frame.View
	Notes []nfse.Note
}

// deliveryRows are deliveries as their table shows them.
type deliveryRows struct {
	View       frame.View
	Deliveries []webhooks.Delivery
}
