package api

import (
	"context"
	"errors"
	"net/http"

	"emissor/municipality"
	"emissor/nfse"
	"emissor/store"
)

// issueNote accepts a note. Its 202 is a promise, given after one commit and
// without asking the workflow engine anything.
func (a *API) issueNote(w http.ResponseWriter, r *http.Request) error {
	current := requestOf(r.Context())
	sent, err := readBody(w, r)
	if err != nil {
		return err
	}
	issuance, err := readIssuance(sent, current.key.Livemode)
	if err != nil {
		return err
	}
	accepted, replayed, err := a.store.Replay(r.Context(), current.key.Scope, issuance)
	if err != nil {
		return err
	}
	if !replayed {
		note, err := a.prepare(r.Context(), current, issuance)
		if err != nil {
			return err
		}
		var created bool
		if accepted, created, err = a.store.AcceptNote(r.Context(), note); err != nil {
			return err
		}
		if replayed = !created; created {
			a.accepted()
		}
	}
	current.noteID = accepted.ID
	return writeJSON(w, http.StatusAccepted, struct {
		ID         string      `json:"id"`
		Status     nfse.Status `json:"status"`
		Livemode   bool        `json:"livemode"`
		Idempotent bool        `json:"idempotent"`
		Reference  string      `json:"reference"`
		CustomerID string      `json:"customer_id"`
	}{accepted.ID, accepted.Status, accepted.Livemode, replayed, accepted.Reference, accepted.CustomerID})
}

// prepare checks what can change with time, service, customer and municipality,
// and takes the note's snapshots.
func (a *API) prepare(ctx context.Context, current *request, issuance nfse.Issuance) (store.NewNote, error) {
	note := store.NewNote{Issuance: issuance, Key: current.key, RequestID: current.id}
	if taker := issuance.Customer; taker != nil && taker.MunicipalityCode != nil && !municipality.Exists(*taker.MunicipalityCode) {
		return note, nfse.Invalid("customer.municipality_code", "customer.municipality_code is not the IBGE code of a municipality")
	}
	service, err := a.usableService(ctx, current.key.Scope, issuance.ServiceID)
	if err != nil {
		return note, err
	}
	note.Service = service.Snapshot(issuance.Description)
	if issuance.Customer != nil {
		err = a.takeInline(ctx, &note, *issuance.Customer)
	} else {
		err = a.takeOnRecord(ctx, &note, issuance.CustomerID)
	}
	return note, err
}

func (a *API) usableService(ctx context.Context, scope nfse.Scope, id string) (nfse.Service, error) {
	if !nfse.IsID(nfse.PrefixService, id) {
		return nfse.Service{}, nfse.NotFound(nfse.CodeServiceNotFound, "service_id")
	}
	service, err := a.store.Service(ctx, scope, id)
	if err != nil {
		return service, atField(err, nfse.CodeServiceNotFound, "service_id")
	}
	if !service.Active {
		return service, nfse.NewError(nfse.CodeServiceInactive, "service_id", "the service is inactive")
	}
	return service, nil
}

// takeInline uses the customer as sent.
func (a *API) takeInline(ctx context.Context, note *store.NewNote, taker nfse.InlineTaker) error {
	note.Customer = nfse.CustomerSnapshot{
		TaxID:            taker.TaxID,
		Name:             taker.Name,
		MunicipalityCode: taker.MunicipalityCode,
		Address:          taker.Address,
	}
	answer, err := a.resolver.Lookup(ctx, *taker.Address.ZipCode)
	if err != nil {
		return err
	}
	var declared string
	if taker.MunicipalityCode != nil {
		declared = *taker.MunicipalityCode
	}
	decision, err := municipality.Decide(answer, declared)
	place(note, decision)
	return err
}

// takeOnRecord uses a customer on record, whose fiscal data must be complete.
// The municipality is looked up again: the record may be older than the truth.
func (a *API) takeOnRecord(ctx context.Context, note *store.NewNote, id string) error {
	if !nfse.IsID(nfse.PrefixCustomer, id) {
		return nfse.NotFound(nfse.CodeCustomerNotFound, "customer_id")
	}
	customer, err := a.store.Customer(ctx, note.Key.Scope, id)
	if err != nil {
		return atField(err, nfse.CodeCustomerNotFound, "customer_id")
	}
	if missing := customer.MissingFiscalField(); missing != "" && missing != fieldMunicipality {
		return incomplete(missing)
	}
	note.Customer = nfse.CustomerSnapshot{
		TaxID:            customer.TaxID,
		Name:             customer.Name,
		Email:            customer.Email,
		MunicipalityCode: customer.MunicipalityCode,
		Address:          customer.Address,
	}
	answer, err := a.resolver.Lookup(ctx, *customer.Address.ZipCode)
	if err != nil {
		return err
	}
	decision, err := decideForRecord(answer, customer)
	place(note, decision)
	return err
}

func place(note *store.NewNote, decision municipality.Decision) {
	note.Municipality = nfse.NoteMunicipality{Code: decision.Code, Source: decision.Source, Verified: decision.Verified}
	note.MunicipalityCheckPending = decision.CheckLater
}

const fieldMunicipality = "customer.municipality_code"

// decideForRecord weighs a look-up against the record's own code. Only a code
// that the caller declared can conflict; one found from the zip code gives way.
func decideForRecord(answer municipality.Answer, customer nfse.Customer) (municipality.Decision, error) {
	var onRecord string
	if customer.MunicipalityCode != nil {
		onRecord = *customer.MunicipalityCode
	}
	decision, err := municipality.Decide(answer, onRecord)
	if nfse.IsCode(err, nfse.CodeMunicipalityConflict) && !customer.MunicipalityDeclared {
		decision, err = municipality.Decide(answer, "")
	}
	if nfse.IsCode(err, nfse.CodeZipCodeNotFound) {
		err = incomplete(fieldMunicipality)
	}
	if err == nil && decision.Code == onRecord {
		decision.Source = nfse.MunicipalityFromCustomer
	}
	return decision, err
}

func incomplete(field string) error {
	return nfse.NewError(nfse.CodeCustomerIncomplete, field,
		"the customer's record lacks %s; complete it with PATCH /v1/customers/{id}", field)
}

// atField names the field of this request that an error of the store is about.
func atField(err error, code nfse.Code, field string) error {
	var known *nfse.Error
	if errors.As(err, &known) && known.Code == code {
		located := *known
		located.Field = field
		return &located
	}
	return err
}
