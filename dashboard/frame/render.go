package frame

import (
	"bytes"
	"html/template"
	"net/http"
)

// Templates are the templates of one language, by the names of their files.
type Templates map[string]*template.Template

// Field is a field of a form, as templates/parts.gohtml shows it.
type Field struct {
	Name, Value string
	Problem     *FieldProblem
	Label, Type string
	Locked      bool // it is shown, and cannot be changed
}

func NewField(form *Form, name, label, kind string) Field {
	return Field{name, form.Value(name), form.Problem(name), label, kind, form.Locked(name)}
}

// Render answers with a page.
func (r *Request) Render(page, title string, data any) error {
	return r.RenderStatus(http.StatusOK, page, title, data)
}

// RenderStatus answers with a page and a status. The page is written once it is complete,
// so that an error does not leave half of it.
func (r *Request) RenderStatus(status int, page, title string, data any) error {
	framed, err := r.newViewOrBare(title, data)
	if err != nil {
		return err
	}
	var written bytes.Buffer
	if err := r.D.Pages[r.Language][page].ExecuteTemplate(&written, "frame", framed); err != nil {
		return err
	}
	r.W.Header().Set("Content-Type", "text/html; charset=utf-8")
	r.W.Header().Set("Content-Language", string(r.Language))
	if !r.SignedIn() { // its addresses may have a one-time link
		r.Uncompressed()
	}
	r.W.WriteHeader(status)
	_, err = r.W.Write(written.Bytes())
	return err
}

// newViewOrBare leaves the frame empty where no session was loaded.
func (r *Request) newViewOrBare(title string, data any) (View, error) {
	if r.Route.Who == Stranger {
		return View{r: r, Title: title, Data: data}, nil
	}
	return r.newView(title, data)
}
