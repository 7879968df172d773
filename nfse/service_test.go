package nfse_test

import (
	"reflect"
	"testing"

	"emissor/nfse"
)

func fullService() nfse.Service {
	return nfse.Service{
		ID: "srv_01", Name: "Consulta", Description: "Consulta médica", MunicipalityCode: "3550308",
		DefaultAmountCents: 15000,
		NationalTaxCode:    new("040101"), MunicipalTaxCode: new("12345"), MunicipalTaxation: new("F"),
		ISSRate: new(nfse.Rate(250)),
		Active:  true, CreatedAt: at,
	}
}

func TestService_ShowsTheContractsFields(t *testing.T) {
	for expected, service := range map[string]nfse.Service{
		`{"id":"srv_01","name":"Consulta","description":"Consulta médica","municipality_code":"3550308",` +
			`"default_amount_cents":15000,` +
			`"national_tax_code":"040101","municipal_tax_code":"12345","municipal_taxation":"F","iss_rate":2.5,` +
			`"active":true,` +
			`"created_at":"2026-11-21T12:30:05.007Z"}`: fullService(),
		`{"id":"srv_02","name":"","description":"","municipality_code":"","default_amount_cents":0,` +
			`"national_tax_code":null,` +
			`"municipal_tax_code":null,"municipal_taxation":null,"iss_rate":null,"active":false,` +
			`"created_at":"2026-11-21T12:30:05.007Z"}`: {ID: "srv_02", CreatedAt: at},
	} {
		if printed, err := nfse.Marshal(service); err != nil || string(printed) != expected {
			t.Errorf("the service is printed (%v)\n%s\nexpected\n%s", err, printed, expected)
		}
	}
}

// TestService_SnapshotCopiesEveryField finds the fields by reflection: one that
// is added to the snapshot and not copied fails here.
func TestService_SnapshotCopiesEveryField(t *testing.T) {
	service := fullService()
	snapshot := reflect.ValueOf(service.Snapshot(nil))
	for i := range snapshot.NumField() {
		name := snapshot.Type().Field(i).Name
		kept, catalogue := snapshot.Field(i).Interface(), reflect.ValueOf(service).FieldByName(name).Interface()
		if !reflect.DeepEqual(kept, catalogue) {
			t.Errorf("%s is %v in the snapshot and %v in the catalogue", name, kept, catalogue)
		}
	}
}

func TestService_SnapshotWithOwnDescription(t *testing.T) {
	expected := fullService().Snapshot(nil)
	expected.Description = "Retorno"
	if snapshot := fullService().Snapshot(new("Retorno")); !reflect.DeepEqual(snapshot, expected) {
		t.Errorf("the snapshot is %+v", snapshot)
	}
}
