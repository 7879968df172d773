package dashboard

import (
	_ "embed" // the reference
	"html/template"
)

// apiReference is the reference of the API as HTML, made of api/openapi.yaml (test/system/clients).
//
//go:embed reference.html
var apiReference string

func (d *Dashboard) showReference(r *request) error {
	return r.render("reference", "reference.title", template.HTML(apiReference))
}

// downloadDescription answers with the description of the API for machines, in OpenAPI.
func (d *Dashboard) downloadDescription(r *request) error {
	r.w.Header().Set("Content-Type", "application/yaml; charset=utf-8")
	_, err := r.w.Write(d.APIDescription)
	return err
}
