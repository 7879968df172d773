package dashboard

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"reflect"
	"strings"
	"sync"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store/webhooks"
)

//go:embed templates/*.gohtml
var templateFiles embed.FS

// templates are the templates of one language, by the names of their files.
type templates map[string]*template.Template

// parseTemplates reads every page, once for each language, with what both share. No page
// depends on the dashboard that shows it, so that all dashboards of a process share them.
var parseTemplates = sync.OnceValues(func() (map[words.Language]templates, error) {
	names, err := fs.Glob(templateFiles, "templates/*.gohtml")
	if err != nil {
		return nil, err
	}
	all := map[words.Language]templates{}
	for _, language := range words.Languages {
		shared, err := template.New("").Funcs(functions(language)).Funcs(storedTexts(language)).
			ParseFS(templateFiles, "templates/frame.gohtml", "templates/parts.gohtml", "templates/palette.gohtml")
		if err != nil {
			return nil, err
		}
		all[language] = templates{}
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
		"field":      newField,
		"sorted":     newSortedColumn,
		"numbered":   numberOf,
		"rows":       func(v view, notes []nfse.Note) noteRows { return noteRows{v, notes} },
		"deliveries": func(v view, rows []webhooks.Delivery) deliveryRows { return deliveryRows{v, rows} },
		"keystate":   keyState,
		"keyhint":    keyHint,
		"keyfields":  func(form *form, test bool) keyFieldsOf { return keyFieldsOf{form, test} },
		"choice":     newChoice,
		"entry":      newEntry,
		"city":       newCityField,
		"cell":       func(row int, name, label, kind, value string) cell { return cell{row, name, label, kind, value} },
		"statusrow":  newStatusRow,
	}
}

// signs tell the states of notes apart without colour.
var signs = map[nfse.Status]string{
	nfse.StatusQueued: "○", nfse.StatusProcessing: "◐", nfse.StatusIssued: "●", nfse.StatusRejected: "✕",
	nfse.StatusCancelled: "⊘", statusHeld: "‖",
}

// noteRows are notes as the table of notes shows them.
type noteRows struct {
	View  view
	Notes []nfse.Note
}

// deliveryRows are deliveries as their table shows them.
type deliveryRows struct {
	View       view
	Deliveries []webhooks.Delivery
}

// field is a field of a form, as templates/parts.gohtml shows it.
type field struct {
	Name, Value string
	Problem     *fieldProblem
	Label, Type string
	Locked      bool // it is shown, and cannot be changed
}

func newField(form *form, name, label, kind string) field {
	return field{name, form.Value(name), form.Problem(name), label, kind, form.Locked(name)}
}

// render answers with a page.
func (r *request) render(page, title string, data any) error {
	return r.renderStatus(http.StatusOK, page, title, data)
}

// renderStatus answers with a page and a status. The page is written once it is complete,
// so that an error does not leave half of it.
func (r *request) renderStatus(status int, page, title string, data any) error {
	framed, err := r.newViewOrBare(title, data)
	if err != nil {
		return err
	}
	var written bytes.Buffer
	if err := r.d.pages[r.language][page].ExecuteTemplate(&written, "frame", framed); err != nil {
		return err
	}
	r.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	r.w.Header().Set("Content-Language", string(r.language))
	if !r.signedIn() { // its addresses may have a one-time link
		r.uncompressed()
	}
	r.w.WriteHeader(status)
	_, err = r.w.Write(written.Bytes())
	return err
}

// newViewOrBare leaves the frame empty where no session was loaded.
func (r *request) newViewOrBare(title string, data any) (view, error) {
	if r.route.who == stranger {
		return view{r: r, Title: title, Data: data}, nil
	}
	return r.newView(title, data)
}
