package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
)

// The name by which the next run finds the organization again.
const organizationName = "Demonstração"

// provision completes env: the addresses of this run, keys that work and services, and makes an organization for
// each authority that is shown able to issue live notes. What env holds from an earlier run is kept if it is still
// good.
func (d *demo) provision(ctx context.Context, env environment) (made organizations, err error) {
	env[urlName], env[keysetName], env[dashboardName] = d.emissor.url(), d.emissor.keysetPath, d.emissor.dashboardURL()
	env[rootsName], env[authorityCAName] = d.emissor.rootsPath, d.emissor.rootsPath
	for _, name := range slices.Concat(nationalNames, cityNames) { // of an earlier run with other authorities
		env[name] = ""
	}
	maps.Copy(env, d.emissor.authorities)
	for _, name := range []string{databaseURLName, temporalName, namespaceName, uiName} {
		env[name] = os.Getenv(name)
	}
	if made.usual, err = d.emissor.organization(ctx, organizationName); err != nil {
		return made, err
	}
	if err := d.ensureKey(ctx, env, testKeyName, made.usual, "test"); err != nil {
		return made, err
	}
	env[apiURLName], env[apiKeyName] = env[urlName], env[testKeyName]
	if err := d.ensureService(ctx, env, testKeyName, serviceName, software("3550308", 2.01)); err != nil {
		return made, err
	}
	if d.national != nil {
		env[controlName] = d.national.controlURL()
		if err := d.national.equip(ctx, d, env, made.usual); err != nil {
			return made, err
		}
	}
	if d.city != nil {
		env[cityControlName] = d.city.controlURL()
		made.city, err = d.city.equip(ctx, d, env)
	}
	if d.own != nil {
		env[controlName] = d.own.controlURL()
		made.own, err = d.own.equip(ctx, d, env)
	}
	return made, err
}

// organizations are the ids of those that the demo made.
type organizations struct {
	usual string // issues in the test environment, and live by the national authority
	city  string // issues live by the city of São Paulo; empty where that is not shown
	own   string // issues live by a city with a server of its own; empty where none is shown
}

// all are those that there are.
func (o organizations) all() []string {
	return slices.DeleteFunc([]string{o.usual, o.city, o.own}, func(id string) bool { return id == "" })
}

// ensureKey makes sure that env has a key that works, under a name.
func (d *demo) ensureKey(ctx context.Context, env environment, name, organization, kind string) error {
	works, err := keyWorks(ctx, &client{base: env[urlName], key: env[name]})
	if err != nil || works {
		return err
	}
	env[name], err = d.emissor.createKey(ctx, organization, kind)
	return err
}

// software is a service of the national list.
func software(municipality string, rate float64) map[string]any {
	return map[string]any{
		"name":                 "Desenvolvimento de software",
		"description":          "Desenvolvimento de programas de computador sob encomenda",
		"municipality_code":    municipality,
		"default_amount_cents": 15000,
		"national_tax_code":    "01.07.01",
		"iss_rate":             rate,
	}
}

// keyWorks tries a key.
func keyWorks(ctx context.Context, c *client) (bool, error) {
	if c.key == "" {
		return false, nil
	}
	status, err := c.call(ctx, http.MethodGet, "/v1/services?limit=1", nil, nil)
	return status == http.StatusOK, err
}

// ensureService makes sure that env has a service under a name, for the key under another: the old one or a new one.
// Test services end after 30 days.
func (d *demo) ensureService(ctx context.Context, env environment, key, name string, wanted map[string]any) error {
	c := &client{base: env[urlName], key: env[key]}
	if id := env[name]; id != "" {
		status, err := c.call(ctx, http.MethodGet, "/v1/services/"+id, nil, nil)
		if err != nil || status == http.StatusOK {
			return err
		}
		if status != http.StatusNotFound {
			return fmt.Errorf("GET /v1/services/%s answered %d", id, status)
		}
	}
	var created struct{ ID string }
	err := c.must(ctx, http.StatusCreated, http.MethodPost, "/v1/services", wanted, &created)
	env[name] = created.ID
	return err
}
