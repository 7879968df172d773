package readiness

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"emissor/fiscal/national/classification"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/catalogues"
	"emissor/store/postgres"
)

// ActiveServices are the active ones among an organization's newest live services, of which at most
// so many are looked at.
func ActiveServices(
	ctx context.Context, db *store.Store, organizationID string, newest int,
) (active []catalogues.ClassifiedService, err error) {
	live := nfse.Scope{OrganizationID: organizationID, Livemode: true}
	all, _, err := db.Catalogues.ClassifiedServices(ctx, live, false, postgres.Page{Limit: newest})
	for _, service := range all {
		if service.Active {
			active = append(active, service)
		}
	}
	return active, err
}

// ReadyServices are the services for which an authority issues notes today; lacking names the others
// by id, with what each lacks.
func ReadyServices(
	authority string, tables classification.Tables, services []catalogues.ClassifiedService,
) (ready []catalogues.ClassifiedService, lacking []string) {
	for _, service := range services {
		defects := company.ServiceDefects(authority, tables, service)
		if len(defects) == 0 {
			ready = append(ready, service)
			continue
		}
		lacking = append(lacking, service.ID+" ("+strings.Join(defects, ", ")+")")
	}
	return ready, lacking
}

// checkServices checks that there is a service for which notes can be issued.
func (r *Report) checkServices() {
	tables := r.Editions.On(classification.Day(time.Now()))
	ready, lacking := ReadyServices(r.Profile.Authority, tables, r.Services)
	found := fmt.Sprintf("%d of %d active live services are ready", len(ready), len(r.Services))
	if len(lacking) > 0 {
		found += "; these are not: " + strings.Join(lacking, ", ")
	}
	var wrong error
	if len(ready) == 0 {
		wrong = errors.New(found + "; `emissor service list` shows them, `emissor service classify` classifies them")
	}
	r.Add("services", found, wrong)
}
