package api

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"emissor/internal/web"
	"emissor/issuing/catalogue"
	"emissor/nfse"
)

func (a *API) listServices(w http.ResponseWriter, r *http.Request) error {
	page, err := readPage(r, nfse.PrefixService)
	if err != nil {
		return err
	}
	services, more, err := a.store.Catalogues.Services(r.Context(), requestOf(r.Context()).key.Scope, page)
	if err != nil {
		return err
	}
	return writePage(w, services, more, func() string { return services[len(services)-1].ID })
}

func (a *API) createService(w http.ResponseWriter, r *http.Request) error {
	sent, err := readBody(w, r)
	if err != nil {
		return err
	}
	change, err := readService(sent, true)
	if err != nil {
		return err
	}
	service, err := a.catalogue.CreateService(r.Context(), requestOf(r.Context()).key.Scope, change)
	if err != nil {
		return located(err, servicePath)
	}
	return web.WriteJSON(w, http.StatusCreated, service)
}

func (a *API) getService(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, nfse.PrefixService, nfse.CodeServiceNotFound)
	if err != nil {
		return err
	}
	service, err := a.store.Catalogues.Service(r.Context(), requestOf(r.Context()).key.Scope, id)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, service)
}

func (a *API) updateService(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, nfse.PrefixService, nfse.CodeServiceNotFound)
	if err != nil {
		return err
	}
	sent, err := readBody(w, r)
	if err != nil {
		return err
	}
	scope := requestOf(r.Context()).key.Scope
	change, err := readService(sent, false)
	if err != nil {
		// An unknown id is reported before a wrong field.
		if _, missing := a.store.Catalogues.Service(r.Context(), scope, id); missing != nil {
			return missing
		}
		return err
	}
	service, err := a.catalogue.UpdateService(r.Context(), scope, id, change)
	if err != nil {
		return located(err, servicePath)
	}
	return web.WriteJSON(w, http.StatusOK, service)
}

// readService reads the fields of section 2.1 in their order there: Go evaluates the
// calls in the order in which they are written.
func readService(sent *object, creating bool) (catalogue.ServiceChange, error) {
	change := catalogue.ServiceChange{
		Name:               sent.required("name", creating, catalogue.ServiceName),
		Description:        sent.required("description", creating, catalogue.Description),
		MunicipalityCode:   sent.required("municipality_code", creating, catalogue.MunicipalityCode),
		DefaultAmountCents: sent.amount("default_amount_cents", creating),
		NationalTaxCode:    sent.change("national_tax_code", catalogue.NationalTaxCode),
		MunicipalTaxCode:   sent.change("municipal_tax_code", catalogue.MunicipalTaxCode),
		MunicipalTaxation:  sent.change("municipal_taxation", catalogue.MunicipalTaxation),
		ISSRate:            sent.rate("iss_rate"),
		Active:             sent.boolean("active", true),
	}
	return change, sent.close()
}

// servicePath is where a request sends a field of a service.
func servicePath(field string) string { return field }

// pathID reads the id of the path. A malformed one is not found.
func pathID(r *http.Request, prefix nfse.Prefix, notFound nfse.Code) (string, error) {
	id := chi.URLParam(r, "id")
	if !nfse.IsID(prefix, id) {
		return "", nfse.NotFound(notFound, "")
	}
	return id, nil
}
