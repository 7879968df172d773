package catalogue

import (
	"maps"
	"reflect"
	"testing"

	"emissor/nfse"
)

// What is kept of a work or event is read from its own texts as the same.
func TestSites_RoundTrip(t *testing.T) {
	for name, texts := range map[string]map[string]string{
		"registration": {"name": " Casa ", "registration": "90.001.23456/78", "municipality_code": "3304557",
			"technical_document": "ART 1"},
		"CIB": {"name": "Casa", "cib": "1234567-A", "municipality_code": "3304557", "property_number": "7"},
		"address": {"name": "Casa", "municipality_code": "3304557", "zip_code": "20040-002", "street": "Rua A",
			"number": "1", "district": "Centro", "complement": "Fundos"},
		"abroad": {"name": "Casa", "postal_code": "10001", "city": "New York", "region": "NY", "street": "5th",
			"number": "1", "district": "Manhattan"},
	} {
		work, problems := ReadWork(texts)
		again, more := ReadWork(TextsOfWork(work))
		if len(problems)+len(more) != 0 || !reflect.DeepEqual(work, again) || work.Name != "Casa" {
			t.Errorf("%s: %+v %v, again %+v %v", name, work, problems, again, more)
		}
		texts["from"], texts["through"] = "2026-11-20", "2026-11-21"
		if name != "address" && name != "abroad" {
			texts["identification"] = "7"
		}
		event, problems := ReadCulturalEvent(texts)
		same, more := ReadCulturalEvent(TextsOfCulturalEvent(event))
		if len(problems)+len(more) != 0 || !reflect.DeepEqual(event, same) {
			t.Errorf("%s: %+v %v, again %+v %v", name, event, problems, same, more)
		}
	}
	if work, _ := ReadWork(map[string]string{"registration": "90.001.23456/78"}); work.Registration != "900012345678" {
		t.Errorf("it is kept as %s", work.Registration)
	}
}

func TestSites_NameTheField(t *testing.T) {
	good := map[string]string{"name": "Casa", "registration": "900012345678", "municipality_code": "3304557"}
	for field, change := range map[string]map[string]string{
		"name":               {"name": " "},
		"registration":       {"registration": "900012345679"},
		"cib":                {"registration": "", "cib": "12345678a"},
		"municipality_code":  {"municipality_code": "3304558"},
		"zip_code":           {"zip_code": "1", "street": "a", "number": "1", "district": "b"},
		"district":           {"registration": "", "zip_code": "20040002", "street": "a", "number": "1"},
		"city":               {"registration": "", "municipality_code": "", "postal_code": "1", "region": "NY"},
		"property_number":    {"property_number": "0123456789012345678901234567890"},
		"technical_document": {"technical_document": "\u200b"},
	} {
		texts := maps.Clone(good)
		maps.Copy(texts, change)
		if _, problems := ReadWork(texts); !names(problems, field) {
			t.Errorf("%s: %v", field, problems)
		}
	}
	for name, texts := range map[string]map[string]string{
		"of nothing": {"name": "Casa", "municipality_code": "3304557"},
		"twice": {"name": "Casa", "municipality_code": "3304557", "registration": "900012345678",
			"cib": "1234567A"},
	} {
		if _, problems := ReadWork(texts); !names(problems, "registration") {
			t.Errorf("%s: %v", name, problems)
		}
	}
	event := map[string]string{"name": "Show", "from": "2026-11-21", "through": "2026-11-20", "identification": "1",
		"municipality_code": "3304557"}
	if _, problems := ReadCulturalEvent(event); !names(problems, "through") {
		t.Errorf("%v", problems)
	}
	delete(event, "from")
	if _, problems := ReadCulturalEvent(event); !names(problems, "from") {
		t.Errorf("%v", problems)
	}
}

func names(problems []*nfse.Error, field string) bool {
	for _, problem := range problems {
		if problem.Field == field {
			return true
		}
	}
	return false
}
