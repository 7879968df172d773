package main

import "fmt"

// LimitsConfig is how much one organization may use in one environment; 0 is no limit.
type LimitsConfig struct {
	OrganizationRate         int `envconfig:"EMISSOR_ORGANIZATION_RATE_LIMIT" default:"300"`
	OrganizationKeys         int `envconfig:"EMISSOR_ORGANIZATION_KEYS" default:"50"`
	OrganizationEndpoints    int `envconfig:"EMISSOR_ORGANIZATION_ENDPOINTS" default:"20"`
	OrganizationDeliveryRate int `envconfig:"EMISSOR_ORGANIZATION_DELIVERY_RATE" default:"50"`
	OrganizationEmailRate    int `envconfig:"EMISSOR_ORGANIZATION_EMAIL_RATE" default:"10"`
}

func (c LimitsConfig) check() error {
	for name, value := range map[string]int{
		"EMISSOR_ORGANIZATION_RATE_LIMIT": c.OrganizationRate, "EMISSOR_ORGANIZATION_KEYS": c.OrganizationKeys,
		"EMISSOR_ORGANIZATION_ENDPOINTS":     c.OrganizationEndpoints,
		"EMISSOR_ORGANIZATION_DELIVERY_RATE": c.OrganizationDeliveryRate,
		"EMISSOR_ORGANIZATION_EMAIL_RATE":    c.OrganizationEmailRate,
	} {
		if value < 0 {
			return fmt.Errorf("%s must be 0 or more", name)
		}
	}
	return nil
}
