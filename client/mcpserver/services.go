package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"

	"emissor/client"
	"emissor/nfse"
)

// pageOf are the arguments of a list.
type pageOf struct {
	Limit         int    `json:"limit"`
	StartingAfter string `json:"starting_after"`
}

func (p pageOf) page() client.Page { return client.Page(p) }

func (s *server) addServiceTools() {
	add(s, tool{name: "list_services", title: "List services",
		description: "Lists the services of the catalogue, newest first. A note names one of them, which must be active.",
		input:       page(serviceIDSchema), output: object{"services": list(serviceRecord), "next_cursor": nextCursor}},
		func(ctx context.Context, _ call, in pageOf) (object, error) {
			found, err := s.client.Services(ctx, in.page())
			return object{"services": found.Data, "next_cursor": found.NextCursor}, err
		})
	add(s, tool{name: "create_service", title: "Create a service", act: true,
		description: "Creates a service in the catalogue. Called twice it creates two: list the services first, and do " +
			"not repeat it when its outcome is not known. Test services expire after 30 days.",
		input: object{
			"name":                 textOf(2, 80, "name in the catalogue"),
			"description":          descriptionText,
			"municipality_code":    said(municipalitySchema, "IBGE code of the municipality where the service is rendered"),
			"default_amount_cents": amountSchema,
			"national_tax_code": formed(`^([0-9]{6}|[0-9]{2}\.[0-9]{2}\.[0-9]{2})$`,
				"national service code (cTribNac); live notes need it"),
			"municipal_tax_code": formed(`^[0-9]{4,5}$`, "the city's service code"),
			"municipal_taxation": oneOf("taxation at the city", "T", "F"),
			"iss_rate": object{"type": "number", "exclusiveMinimum": 0, "maximum": 5,
				"description": "ISS in per cent, at most two decimals"},
			"active": said(flag, "whether notes may use it; true when left out"),
		},
		needed: []string{"name", "description", "municipality_code", "default_amount_cents"},
		output: object{"service": serviceRecord}},
		func(ctx context.Context, c call, in json.RawMessage) (object, error) {
			err := s.confirm(ctx, c, "Create this service in the live catalogue?",
				func(ctx context.Context) ([]line, error) { return s.aboutService(ctx, in) })
			if err != nil {
				return nil, err
			}
			created, err := s.client.CreateService(ctx, in)
			return object{"service": created}, err
		})
}

// aboutService is what a person sees of a service that is created.
func (s *server) aboutService(ctx context.Context, in json.RawMessage) ([]line, error) {
	var service client.CreateService
	if err := json.Unmarshal(in, &service); err != nil {
		return nil, err
	}
	lines := []line{{"Name", quoted(service.Name)}, {"Description", quoted(service.Description)},
		{"Municipality", quoted(service.MunicipalityCode)}, {"Default amount", nfse.Reais(service.DefaultAmountCents)},
		{"National tax code", optional(service.NationalTaxCode)},
		{"City's tax code", optional(service.MunicipalTaxCode)},
		{"City's taxation", optional((*string)(service.MunicipalTaxation))}}
	if service.ISSRate != nil {
		lines = append(lines, line{"ISS", fmt.Sprint(*service.ISSRate, " %")})
	}
	if service.Active != nil && !*service.Active {
		lines = append(lines, line{"Active", "no"})
	}
	issuer, err := s.issuer(ctx, "")
	return append(lines, issuer...), err
}
