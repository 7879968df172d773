// Package cnpj asks an on-line service what is public of a company by its CNPJ, so that a person need
// not type it. Nothing depends on an answer: a form is filled in, and its reader decides.
package cnpj

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"emissor/internal/municipality"
	"emissor/internal/outgoing"
	"emissor/nfse"
)

// Company is what is public of a company. What the service does not say is empty.
type Company struct {
	Name         string // razão social
	TradeName    string // nome fantasia
	Email        string
	ZipCode      string // eight digits
	StreetType   string
	Street       string
	Number       string
	Complement   string
	District     string
	Municipality string // IBGE code
	Active       bool   // its registration is
	Simples      *bool  // it opted for Simples Nacional; nil: not said
	MEI          *bool  // it is a microentrepreneur; nil: not said
}

// ErrUnknown is the error for a CNPJ that the service does not know.
var ErrUnknown = errors.New("cnpj: the service does not know the company")

// ErrUnavailable is the error of a service that gave no usable answer.
var ErrUnavailable = errors.New("cnpj: the service gave no usable answer")

const (
	timeout        = 3 * time.Second
	connectTimeout = time.Second
	maxAnswer      = 256 << 10 // some companies have hundreds of partners
)

// Service is an on-line service.
type Service struct {
	address string // before the CNPJ
	read    func([]byte) (Company, error)
	http    *http.Client
}

// paths are the paths of each kind of service, before the CNPJ.
var paths = map[string]string{"brasilapi": "/api/cnpj/v1/", "receitaws": "/v1/cnpj/"}

// New makes a service of a kind, brasilapi or receitaws, at a base address such as https://brasilapi.com.br. Proxies
// come from the environment.
func New(kind, base string) (*Service, error) {
	path, known := paths[kind]
	if !known || !outgoing.IsBase(base) {
		return nil, errors.New("a service of CNPJs must be brasilapi=URL or receitaws=URL")
	}
	read := readBrasilAPI
	if kind == "receitaws" {
		read = readReceitaWS
	}
	client := outgoing.Client(connectTimeout, func(transport *http.Transport) { transport.MaxConnsPerHost = 8 })
	client.Timeout = timeout
	return &Service{strings.TrimRight(base, "/") + path, read, client}, nil
}

// Lookup asks for a company. The error is ErrUnknown or ErrUnavailable, and holds nothing of the answer.
func (s *Service) Lookup(ctx context.Context, id nfse.TaxID) (Company, error) {
	status, body, err := outgoing.Get(ctx, s.http, s.address+url.PathEscape(string(id)), maxAnswer)
	switch {
	case status == http.StatusNotFound:
		return Company{}, ErrUnknown
	case err != nil || status != http.StatusOK:
		return Company{}, fmt.Errorf("%w: status %d", ErrUnavailable, status)
	}
	company, err := s.read(body)
	if err != nil {
		return Company{}, err
	}
	if !municipality.Exists(company.Municipality) {
		company.Municipality = ""
	}
	return company, nil
}

// readBrasilAPI reads an answer of BrasilAPI's /api/cnpj/v1, which passes on the open data of the
// Receita Federal. Numbers have been texts and texts numbers over the years.
func readBrasilAPI(body []byte) (Company, error) {
	var answer struct {
		Name         string `json:"razao_social"`
		TradeName    string `json:"nome_fantasia"`
		Email        string `json:"email"`
		ZipCode      any    `json:"cep"`
		StreetType   string `json:"descricao_tipo_de_logradouro"`
		Street       string `json:"logradouro"`
		Number       any    `json:"numero"`
		Complement   string `json:"complemento"`
		District     string `json:"bairro"`
		Municipality any    `json:"codigo_municipio_ibge"`
		State        string `json:"uf"`
		City         string `json:"municipio"`
		Situation    string `json:"descricao_situacao_cadastral"`
		Simples      *bool  `json:"opcao_pelo_simples"`
		MEI          *bool  `json:"opcao_pelo_mei"`
	}
	if err := read(body, &answer); err != nil || answer.Name == "" {
		return Company{}, ErrUnavailable
	}
	company := Company{Name: answer.Name, TradeName: answer.TradeName, Email: answer.Email,
		ZipCode: zipCode(answer.ZipCode), StreetType: answer.StreetType, Street: answer.Street,
		Number: text(answer.Number), Complement: answer.Complement, District: answer.District,
		Municipality: text(answer.Municipality), Active: strings.EqualFold(answer.Situation, "ATIVA"),
		Simples: answer.Simples, MEI: answer.MEI}
	if company.Municipality == "" {
		company.Municipality = cityOf(answer.City, answer.State)
	}
	return company, nil
}

// readReceitaWS reads an answer of receitaws.com.br.
func readReceitaWS(body []byte) (Company, error) {
	type option struct {
		Is *bool `json:"optante"`
	}
	var answer struct {
		Status     string `json:"status"` // OK or ERROR
		Name       string `json:"nome"`
		TradeName  string `json:"fantasia"`
		Email      string `json:"email"`
		ZipCode    string `json:"cep"`
		Street     string `json:"logradouro"`
		Number     string `json:"numero"`
		Complement string `json:"complemento"`
		District   string `json:"bairro"`
		City       string `json:"municipio"`
		State      string `json:"uf"`
		Situation  string `json:"situacao"`
		Simples    option `json:"simples"`
		MEI        option `json:"simei"`
	}
	if err := read(body, &answer); err != nil {
		return Company{}, ErrUnavailable
	}
	if answer.Status == "ERROR" {
		return Company{}, ErrUnknown
	}
	if answer.Name == "" {
		return Company{}, ErrUnavailable
	}
	return Company{Name: answer.Name, TradeName: answer.TradeName, Email: answer.Email,
		ZipCode: zipCode(answer.ZipCode), Street: answer.Street, Number: answer.Number,
		Complement: answer.Complement, District: answer.District,
		Municipality: cityOf(answer.City, answer.State), Active: strings.EqualFold(answer.Situation, "ATIVA"),
		Simples: answer.Simples.Is, MEI: answer.MEI.Is}, nil
}

func read(body []byte, into any) error {
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// text is a text or a number as a text; nothing of anything else.
func text(value any) string {
	switch value := value.(type) {
	case string:
		return strings.TrimSpace(value)
	case json.Number:
		return value.String()
	}
	return ""
}

// zipCode is a zip code in eight digits, with the zeros that a number has lost; empty where it is none.
func zipCode(value any) string {
	digits := strings.NewReplacer(".", "", "-", "", " ", "").Replace(text(value))
	if len(digits) < 7 || len(digits) > 8 || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return strings.Repeat("0", 8-len(digits)) + digits
}

// cityOf is the code of the city with this name in a state; empty where there is none.
func cityOf(name, state string) string {
	for _, one := range municipality.Search(name+"/"+state, 1) {
		if one.State == strings.ToUpper(state) {
			return one.Code
		}
	}
	return ""
}
