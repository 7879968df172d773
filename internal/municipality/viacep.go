package municipality

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// ViaCEP asks a service with the API of viacep.com.br.
type ViaCEP struct {
	client *client
}

// NewViaCEP makes the service at a base address such as https://viacep.com.br.
func NewViaCEP(base string) (*ViaCEP, error) {
	client, err := newClient(base)
	if err != nil {
		return nil, err
	}
	return &ViaCEP{client: client}, nil
}

// Name implements Service.
func (*ViaCEP) Name() string { return "viacep" }

// Lookup implements Service.
func (v *ViaCEP) Lookup(ctx context.Context, zip string) (string, error) {
	address, err := v.Address(ctx, zip)
	return address.Municipality, err
}

// Address is Lookup for the whole address.
func (v *ViaCEP) Address(ctx context.Context, zip string) (address Address, err error) {
	status, body, err := v.client.get(ctx, "/ws/"+zip+"/json/")
	if err != nil {
		return address, err
	}
	if status != http.StatusOK {
		return address, fmt.Errorf("unexpected status %d", status)
	}
	var answer struct {
		ZipCode  string          `json:"cep"`
		Code     string          `json:"ibge"`
		Street   string          `json:"logradouro"`
		District string          `json:"bairro"`
		Unknown  json.RawMessage `json:"erro"` // true or "true", over the years
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return address, fmt.Errorf("read the answer: %w", err)
	}
	switch string(answer.Unknown) {
	case `true`, `"true"`:
		return address, ErrUnknown
	}
	if err := checkZipCode(zip, answer.ZipCode); err != nil {
		return address, err
	}
	if !Exists(answer.Code) {
		return address, errors.New("the answer names no municipality that exists")
	}
	return Address{Municipality: answer.Code, Street: answer.Street, District: answer.District}, nil
}
