package api

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"emissor/nfse"
)

func (a *API) listServices(w http.ResponseWriter, r *http.Request) error {
	page, err := readPage(r, nfse.PrefixService)
	if err != nil {
		return err
	}
	services, more, err := a.store.Services(r.Context(), requestOf(r.Context()).key.Scope, page)
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
	service := nfse.Service{Active: true}
	readService(sent, &service, true)
	if err := sent.close(); err != nil {
		return err
	}
	service, err = a.store.CreateService(r.Context(), requestOf(r.Context()).key.Scope, service)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, service)
}

func (a *API) getService(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, nfse.PrefixService, nfse.CodeServiceNotFound)
	if err != nil {
		return err
	}
	service, err := a.store.Service(r.Context(), requestOf(r.Context()).key.Scope, id)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, service)
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
	service, err := a.store.UpdateService(r.Context(), requestOf(r.Context()).key.Scope, id, func(service *nfse.Service) error {
		readService(sent, service, false)
		return sent.close()
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, service)
}

// readService takes the fields of section 2.1 over what the service holds.
func readService(sent *object, service *nfse.Service, creating bool) {
	sent.required("name", &service.Name, creating, line(2, 80))
	sent.required("description", &service.Description, creating, lines(3, 2000))
	sent.required("municipality_code", &service.MunicipalityCode, creating, municipalityCode)
	sent.amount("default_amount_cents", &service.DefaultAmountCents, creating)
	sent.optional("national_tax_code", &service.NationalTaxCode, nationalTaxCode)
	sent.optional("municipal_tax_code", &service.MunicipalTaxCode, municipalTaxCode)
	sent.optional("municipal_taxation", &service.MunicipalTaxation, oneOf("T", "F"))
	sent.rate("iss_rate", &service.ISSRate)
	sent.boolean("active", &service.Active, true)
}

// pathID reads the id of the path. A malformed one names nothing.
func pathID(r *http.Request, prefix nfse.Prefix, notFound nfse.Code) (string, error) {
	id := chi.URLParam(r, "id")
	if !nfse.IsID(prefix, id) {
		return "", nfse.NotFound(notFound, "")
	}
	return id, nil
}
