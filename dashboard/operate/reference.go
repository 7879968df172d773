package operate

import (
	_ "embed"
	"html/template"

	"emissor/dashboard/frame"
)

// apiReference is the reference of the API as HTML, made of api/openapi.yaml (test/system/clients).
//
//go:embed reference.html
var apiReference string

func ShowReference(r *frame.Request) error {
	return r.Render("reference", "reference.title", template.HTML(apiReference))
}

// DownloadDescription answers with the description of the API for machines, in OpenAPI.
func DownloadDescription(r *frame.Request) error {
	r.W.Header().Set("Content-Type", "application/yaml; charset=utf-8")
	_, err := r.W.Write(r.D.APIDescription)
	return err
}
