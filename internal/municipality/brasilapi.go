package municipality

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// BrasilAPI asks a service with the API of brasilapi.com.br, version 2.
// That service asks others in turn and passes on what the first of them says.
type BrasilAPI struct {
	client *client
}

// NewBrasilAPI makes the service at a base address such as https://brasilapi.com.br.
func NewBrasilAPI(base string) (*BrasilAPI, error) {
	client, err := newClient(base)
	if err != nil {
		return nil, err
	}
	return &BrasilAPI{client: client}, nil
}

// Name implements Service.
func (*BrasilAPI) Name() string { return "brasilapi" }

// Lookup implements Service.
func (b *BrasilAPI) Lookup(ctx context.Context, zip string) (string, error) {
	address, err := b.Address(ctx, zip)
	return address.Municipality, err
}

// Address is Lookup for the whole address.
func (b *BrasilAPI) Address(ctx context.Context, zip string) (address Address, err error) {
	status, body, err := b.client.get(ctx, "/api/cep/v2/"+zip)
	if err != nil {
		return address, err
	}
	switch status {
	case http.StatusOK:
		return readBrasilAPIAddress(zip, body)
	case http.StatusNotFound:
		return address, readBrasilAPIFailure(body)
	default:
		return address, fmt.Errorf("unexpected status %d", status)
	}
}

// readBrasilAPIAddress returns the municipality of a found address. The IBGE code is
// in the answer since August 2026, and even then only when the upstream service gave
// it; otherwise the state and the name of the city must identify the municipality.
func readBrasilAPIAddress(zip string, body []byte) (address Address, err error) {
	var answer struct {
		ZipCode  string `json:"cep"`
		State    string `json:"state"`
		City     string `json:"city"`
		Street   string `json:"street"`       // null: a whole town
		District string `json:"neighborhood"` // likewise
		IBGE     struct {
			City string `json:"city"`
		} `json:"ibge"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return address, fmt.Errorf("read the answer: %w", err)
	}
	if err := checkZipCode(zip, answer.ZipCode); err != nil {
		return address, err
	}
	address.Street, address.District = answer.Street, answer.District
	if answer.IBGE.City != "" {
		m, found := Find(answer.IBGE.City)
		if !found || m.State != answer.State {
			return address, errors.New("the answer names no municipality that exists")
		}
		address.Municipality = m.Code
		return address, nil
	}
	m, found := findByName(answer.State, answer.City)
	if !found {
		return address, fmt.Errorf("%w: the name of the city is not in the directory", errInconclusive)
	}
	address.Municipality = m.Code
	return address, nil
}

// readBrasilAPIFailure reads the body of a 404, which BrasilAPI sends both when the
// zip code does not exist and when no upstream service could be reached. Only when
// each of them says "not found" is the zip code unknown.
func readBrasilAPIFailure(body []byte) error {
	var failure struct {
		Name   string `json:"name"`
		Type   string `json:"type"`
		Errors []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(body, &failure); err != nil {
		return fmt.Errorf("read the answer to a zip code not found: %w", err)
	}
	if failure.Name != "CepPromiseError" || failure.Type != "service_error" || len(failure.Errors) == 0 {
		return errors.New("unexpected answer to a zip code not found")
	}
	for _, upstream := range failure.Errors {
		message := fold(upstream.Message)
		if !strings.HasPrefix(message, "cepnaoencontrado") && !strings.HasPrefix(message, "cepinvalido") {
			return fmt.Errorf("%w: some upstream service failed", errInconclusive)
		}
	}
	return ErrUnknown
}
