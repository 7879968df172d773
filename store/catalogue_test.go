package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/postgres"
)

func TestService_ReadAsWritten(t *testing.T) {
	tenant := newTenant(t)
	for _, service := range []nfse.Service{
		{Name: "Consulta", Description: "Consulta médica", MunicipalityCode: "3550308",
			DefaultAmountCents: nfse.MaxAmountCents, Active: true},
		{
			Name: "Aula <&>", Description: "Linha 1\nLinha 2", MunicipalityCode: "3304557", DefaultAmountCents: 1,
			NationalTaxCode:  new("080201"),
			MunicipalTaxCode: new("12345"), MunicipalTaxation: new("T"), ISSRate: new(nfse.Rate(5)),
		},
	} {
		created, err := tenant.Store.Catalogues.CreateService(t.Context(), tenant.scope, service)
		must(t, err)
		service.ID, service.CreatedAt = created.ID, created.CreatedAt
		if !reflect.DeepEqual(created, service) || !nfse.IsID(nfse.PrefixService, created.ID) ||
			created.CreatedAt.IsZero() {
			t.Errorf("created is %+v, expected %+v", created, service)
		}
		if read, err := tenant.Store.Catalogues.Service(t.Context(), tenant.scope, created.ID); err != nil ||
			!reflect.DeepEqual(read, service) {
			t.Errorf("read is %+v, %v, expected %+v", read, err, service)
		}
	}
}

func TestService_EveryRate(t *testing.T) {
	tenant := newTenant(t)
	for _, rate := range []nfse.Rate{1, 10, 29, 57, 100, 115, 201, 250, 333, 499, 500} { // some have no exact float
		service, err := tenant.Store.Catalogues.UpdateService(t.Context(), tenant.scope, tenant.service.ID,
			func(s *nfse.Service) error {
				s.ISSRate = &rate
				return nil
			})
		must(t, err)
		note := tenant.note(rate.String())
		note.Service = service.Snapshot(nil)
		accepted, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), note)
		must(t, err)
		if read, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, accepted.ID); err != nil ||
			*service.ISSRate != rate || *read.Service.ISSRate != rate {
			t.Errorf("%s became %s in the catalogue and %s in the note, %v", rate, service.ISSRate,
				read.Service.ISSRate, err)
		}
	}
}

func TestCatalogue_FailedChange(t *testing.T) {
	tenant := newTenant(t)
	refused := errors.New("refused")
	if _, err := tenant.Store.Catalogues.UpdateService(t.Context(), tenant.scope, tenant.service.ID,
		func(s *nfse.Service) error {
			s.Name = "Outro"
			return refused
		}); !errors.Is(err, refused) {
		t.Errorf("the change is answered %v", err)
	}
	if read, err := tenant.Store.Catalogues.Service(t.Context(), tenant.scope, tenant.service.ID); err != nil ||
		!reflect.DeepEqual(read, tenant.service) {
		t.Errorf("the service became %+v, %v", read, err)
	}
	if _, _, err := tenant.Store.Catalogues.SyncCustomer(t.Context(), tenant.scope, "52998224725",
		func(*nfse.Customer) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("the change is answered %v", err)
	}
	tenant.expectCounts(t, 0, 0, 0)
}

func TestCatalogue_ChangesAtTheSameTime(t *testing.T) {
	tenant := newTenant(t)
	customer, created, err := tenant.Store.Catalogues.SyncCustomer(t.Context(), tenant.scope, "52998224725",
		func(c *nfse.Customer) error {
			c.Name = "0"
			return nil
		})
	must(t, err)
	if !created {
		t.Error("a new customer is not said to be created")
	}
	const changes = 10 // each waits for those before it
	errs := together(changes, func(int) error {
		_, service := tenant.Store.Catalogues.UpdateService(t.Context(), tenant.scope, tenant.service.ID,
			func(s *nfse.Service) error {
				s.DefaultAmountCents++
				return nil
			})
		increment := func(c *nfse.Customer) error {
			var n int
			_, err := fmt.Sscan(c.Name, &n)
			c.Name = fmt.Sprint(n + 1)
			return err
		}
		_, update := tenant.Store.Catalogues.UpdateCustomer(t.Context(), tenant.scope, customer.ID, increment)
		_, created, sync := tenant.Store.Catalogues.SyncCustomer(t.Context(), tenant.scope, "52998224725", increment)
		if created {
			return errors.New("the customer was created again")
		}
		return errors.Join(service, update, sync)
	})
	must(t, errors.Join(errs...))
	service, err := tenant.Store.Catalogues.Service(t.Context(), tenant.scope, tenant.service.ID)
	must(t, err)
	customer, err = tenant.Store.Catalogues.Customer(t.Context(), tenant.scope, customer.ID)
	must(t, err)
	if service.DefaultAmountCents != 15000+changes || customer.Name != fmt.Sprint(2*changes) {
		t.Errorf("after %d changes the amount is %d and the name %s", changes, service.DefaultAmountCents,
			customer.Name)
	}
}

func TestCustomer_SynchronizedAtTheSameTime(t *testing.T) {
	tenant := newTenant(t)
	created := together(20, func(i int) bool {
		_, created, err := tenant.Store.Catalogues.SyncCustomer(t.Context(), tenant.scope, "52998224725",
			func(c *nfse.Customer) error {
				c.Name = fmt.Sprint("Maria ", i)
				return nil
			})
		if err != nil {
			t.Error(err)
		}
		return created
	})
	var times int
	for _, created := range created {
		if created {
			times++
		}
	}
	if times != 1 {
		t.Errorf("the customer was created %d times", times)
	}
	tenant.expectCounts(t, 1, 0, 0)
}

func TestService_Expired(t *testing.T) {
	tenant := newTenant(t)
	live := tenant.inLive(t)
	id := tenant.accept(t, "pedido-1")
	if days := tenant.Count(t, `SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::int FROM services
		WHERE NOT livemode`); days != 30 {
		t.Errorf("a test service lives for %d days", days)
	}
	if _, retired, err := tenant.Store.Catalogues.RetireExpiredServices(t.Context(), 10); err != nil || retired != 0 {
		t.Errorf("%d services whose time is not over are retired, %v", retired, err)
	}
	tenant.Exec(t, `UPDATE services SET expires_at = now() WHERE NOT livemode`)
	_, get := tenant.Store.Catalogues.Service(t.Context(), tenant.scope, tenant.service.ID)
	_, update := tenant.Store.Catalogues.UpdateService(t.Context(), tenant.scope, tenant.service.ID,
		func(*nfse.Service) error { panic("found") })
	for _, err := range []error{get, update} {
		if !nfse.IsCode(err, nfse.CodeServiceNotFound) {
			t.Errorf("an expired service is answered %v", err)
		}
	}
	if services, _, err := tenant.Store.Catalogues.Services(t.Context(), tenant.scope,
		postgres.Page{Limit: 10}); err != nil ||
		len(services) != 0 {
		t.Errorf("an expired service is listed: %+v, %v", services, err)
	}
	for _, expected := range []int{1, 0} {
		if _, retired, err := tenant.Store.Catalogues.RetireExpiredServices(t.Context(), 10); err != nil ||
			retired != expected {
			t.Errorf("%d services are retired, %v, expected %d", retired, err, expected)
		}
	}
	if note, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, id); err != nil ||
		note.Service.Name != "Consulta" {
		t.Errorf("the note lost its service: %+v, %v", note, err)
	}
	if _, err := tenant.Store.Catalogues.Service(t.Context(), live.scope, live.service.ID); err != nil {
		t.Errorf("a live service expired: %v", err)
	}
}

func TestService_RetiredInBatches(t *testing.T) {
	tenant := newTenant(t)
	tenant.Exec(t, `ANALYZE services`)
	for range 9 {
		_, err := tenant.Store.Catalogues.CreateService(t.Context(), tenant.scope, tenant.service)
		must(t, err)
	}
	tenant.Exec(t, `UPDATE services SET expires_at = now()`)
	for _, expected := range []int{4, 4, 2, 0} {
		if _, retired, err := tenant.Store.Catalogues.RetireExpiredServices(t.Context(), 4); err != nil ||
			retired != expected {
			t.Errorf("%d services are retired, %v, expected %d", retired, err, expected)
		}
	}
}

func TestLists_NewestFirst(t *testing.T) {
	tenant := newTenant(t)
	var notes, customers, services []string // newest first
	for i := range 5 {
		accepted, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), tenant.note(fmt.Sprint(i)))
		must(t, err)
		service, err := tenant.Store.Catalogues.CreateService(t.Context(), tenant.scope, tenant.service)
		must(t, err)
		notes = append([]string{accepted.ID}, notes...)
		customers = append([]string{accepted.CustomerID}, customers...)
		services = append([]string{service.ID}, services...)
	}
	services = append(services, tenant.service.ID)
	addTenant(t, tenant.Database, false).accept(t, "a stranger's")
	tenant.inLive(t).accept(t, "in live")

	expectPages(t, notes, func(page postgres.Page) (ids []string, more bool, err error) {
		list, more, err := tenant.Store.Notes.Notes(t.Context(), tenant.scope, page)
		for _, note := range list {
			ids = append(ids, note.ID)
		}
		return ids, more, err
	})
	expectPages(t, customers, func(page postgres.Page) (ids []string, more bool, err error) {
		list, more, err := tenant.Store.Catalogues.Customers(t.Context(), tenant.scope, page)
		for _, customer := range list {
			ids = append(ids, customer.ID)
			if !customer.FiscalDataComplete {
				t.Errorf("%+v is complete, and listed as if it were not", customer)
			}
		}
		return ids, more, err
	})
	expectPages(t, services, func(page postgres.Page) (ids []string, more bool, err error) {
		list, more, err := tenant.Store.Catalogues.Services(t.Context(), tenant.scope, page)
		for _, service := range list {
			ids = append(ids, service.ID)
		}
		return ids, more, err
	})
}

// expectPages reads a list page by page, with pages of every size.
func expectPages(t *testing.T, expected []string, list func(postgres.Page) ([]string, bool, error)) {
	t.Helper()
	for limit := 1; limit <= len(expected)+1; limit++ {
		var read []string
		page, more := postgres.Page{Limit: limit}, true
		for more {
			var ids []string
			var err error
			ids, more, err = list(page)
			must(t, err)
			if len(ids) == 0 || len(ids) > limit || more && len(ids) < limit {
				t.Fatalf("a page of at most %d has %d records, more is %v", limit, len(ids), more)
			}
			read = append(read, ids...)
			page.After = ids[len(ids)-1]
		}
		if !reflect.DeepEqual(read, expected) {
			t.Errorf("in pages of %d the list is %v, expected %v", limit, read, expected)
		}
	}
}

func TestNoteXML_OnItsWay(t *testing.T) {
	tenant := newTenant(t)
	queued, processing, rejected := tenant.accept(t, "queued"), tenant.begin(t, "processing"),
		tenant.begin(t, "rejected")
	_, err := tenant.settleRejected(t, rejected)
	must(t, err)
	for id, retryable := range map[string]bool{queued: true, processing: true, rejected: false} {
		_, err := tenant.Store.Notes.NoteXML(t.Context(), tenant.scope, id)
		var known *nfse.Error
		if !errors.As(err, &known) || known.Code != nfse.CodeXMLNotAvailable || known.Retryable != retryable {
			t.Errorf("%v, retryable expected to be %v", err, retryable)
		}
	}
}

func TestOrganization_List(t *testing.T) {
	tenant := newTenant(t)
	before := time.Now().Add(-time.Hour)
	second, err := tenant.Changes().Access.CreateOrganization(t.Context(), "Zebra & Filhos")
	must(t, err)
	list, err := tenant.Store.Access.Organizations(t.Context())
	must(t, err)
	if len(list) != 2 || list[0].ID != tenant.scope.OrganizationID || list[1] != second ||
		!nfse.IsID(nfse.PrefixOrganization, second.ID) || second.CreatedAt.Before(before) {
		t.Errorf("the organizations are %+v", list)
	}
	if read, err := tenant.Store.Access.Organization(t.Context(), second.ID); err != nil || read != second {
		t.Errorf("read is %+v, %v", read, err)
	}
	if _, err := tenant.Store.Access.Organization(t.Context(), "org_x"); !nfse.IsCode(err, nfse.CodeNotFound) {
		t.Errorf("an unknown organization is answered %v", err)
	}
}
