package dashboard

import (
	"net/http"
	"strings"
)

// crumb is a page above the one that is shown.
type crumb struct{ Key, URL string }

// above are the pages that others stand below, with the keys of their names. A star stands
// for an id.
var above = map[string]string{
	"/notes":                    "section.notes",
	"/notes/*":                  "crumb.note",
	"/notes/*/messages":         "messages.title",
	"/batches":                  "section.batches",
	"/recurring":                "section.recurring",
	"/emails":                   "section.emails",
	"/catalogue/customers":      "section.customers",
	"/catalogue/customers/*":    "crumb.customer",
	"/catalogue/services":       "section.services",
	"/catalogue/services/*":     "crumb.service",
	"/catalogue/works":          "section.works",
	"/catalogue/events":         "section.events",
	"/closing":                  "section.closing",
	"/received":                 "section.received",
	"/integrations":             "section.integrations",
	"/integrations/deliveries":  "deliveries.title",
	"/integrations/requests":    "section.requests",
	"/integrations/endpoints/*": "crumb.endpoint",
	"/company":                  "section.company",
	"/people":                   "section.people",
	"/operations":               "section.operations",
	"/session":                  "section.session",
}

// Crumbs are the pages above this one, the highest first. What a form was sent to is above
// the page that answers it.
func (v view) Crumbs() (crumbs []crumb) {
	if v.r.Method == http.MethodGet && v.r.URL.Path == v.section() {
		return nil
	}
	segments := strings.Split(strings.TrimPrefix(v.r.URL.Path, "/"), "/")
	if v.r.Method == http.MethodGet {
		segments = segments[:len(segments)-1]
	}
	path, pattern := "", ""
	for _, segment := range segments {
		path += "/" + segment
		if above[pattern+"/*"] != "" && above[pattern+"/"+segment] == "" {
			segment = "*"
		}
		pattern += "/" + segment
		if key := above[pattern]; key != "" {
			crumbs = append(crumbs, crumb{key, v.Link(path)})
		}
	}
	return crumbs
}
