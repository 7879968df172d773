package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
)

// The name by which the next run finds the organization again.
const organizationName = "Demonstração"

// provision completes env: the addresses of this run, keys that work and services, and makes the organization
// able to issue live notes. What env holds from an earlier run is kept if it is still good. It returns the
// id of the organization.
func (d *demo) provision(ctx context.Context, env environment) (organization string, err error) {
	env[urlName], env[keysetName], env[controlName] = d.emissor.url(), d.emissor.keysetPath, d.simulator.controlURL()
	env[dashboardName] = d.emissor.dashboardURL()
	maps.Copy(env, d.simulator.settings())
	for _, name := range []string{databaseURLName, temporalName, namespaceName, uiName} {
		env[name] = os.Getenv(name)
	}
	if organization, err = d.emissor.organization(ctx, organizationName); err != nil {
		return "", err
	}
	for name, kind := range map[string]string{testKeyName: "test", liveKeyName: "live"} {
		works, err := keyWorks(ctx, &client{base: env[urlName], key: env[name]})
		if err != nil {
			return "", err
		}
		if works {
			continue
		}
		if env[name], err = d.emissor.createKey(ctx, organization, kind); err != nil {
			return "", err
		}
	}
	test, live := &client{base: env[urlName], key: env[testKeyName]}, &client{base: env[urlName], key: env[liveKeyName]}
	if env[serviceName], err = ensureService(ctx, test, env[serviceName], service{
		MunicipalityCode: "3550308", ISSRate: 2.01,
	}); err != nil {
		return "", err
	}
	if env[liveServiceName], err = ensureService(ctx, live, env[liveServiceName], service{
		MunicipalityCode: "3304557", ISSRate: 5,
	}); err != nil {
		return "", err
	}
	return organization, d.equip(ctx, organization, env[liveServiceName])
}

// service is what the demo's services differ in.
type service struct {
	MunicipalityCode string
	ISSRate          float64
}

// keyWorks tries a key.
func keyWorks(ctx context.Context, c *client) (bool, error) {
	if c.key == "" {
		return false, nil
	}
	status, err := c.call(ctx, http.MethodGet, "/v1/services?limit=1", nil, nil)
	return status == http.StatusOK, err
}

// ensureService returns id if that service is there, and otherwise the id of a new one. Test services end
// after 30 days.
func ensureService(ctx context.Context, c *client, id string, wanted service) (string, error) {
	if id != "" {
		status, err := c.call(ctx, http.MethodGet, "/v1/services/"+id, nil, nil)
		if err != nil {
			return "", err
		}
		if status == http.StatusOK {
			return id, nil
		}
		if status != http.StatusNotFound {
			return "", fmt.Errorf("GET /v1/services/%s answered %d", id, status)
		}
	}
	var created struct{ ID string }
	err := c.must(ctx, http.StatusCreated, http.MethodPost, "/v1/services", map[string]any{
		"name":                 "Desenvolvimento de software",
		"description":          "Desenvolvimento de programas de computador sob encomenda",
		"municipality_code":    wanted.MunicipalityCode,
		"default_amount_cents": 15000,
		"national_tax_code":    "01.07.01",
		"iss_rate":             wanted.ISSRate,
	}, &created)
	return created.ID, err
}
