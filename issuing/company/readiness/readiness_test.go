package readiness

import (
	"errors"
	"slices"
	"testing"

	"emissor/fiscal/authorities"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/store/catalogues"
)

// A company can issue when nothing failed: what could not be checked does not count against it.
func TestReport_Failed(t *testing.T) {
	t.Parallel()
	var r Report
	if !r.Add("profile", "national", nil) || r.Failed() != 0 {
		t.Errorf("what is good is %+v", r.Checks)
	}
	r.Skip("city", "nothing is known of it yet")
	if r.Failed() != 0 {
		t.Error("what was not checked has failed")
	}
	if r.Add("certificate", "", errors.New("there is none")) || r.Failed() != 1 {
		t.Errorf("what is wrong is %+v", r.Checks)
	}
	r.Reject("test", "the city answered ", &nfse.Rejection{Code: "641", Message: "no"})
	if last := r.Checks[3]; r.Failed() != 2 || last.Found != "the city answered 641: no" {
		t.Errorf("what is refused is %+v", last)
	}
}

// A service is ready when it lacks nothing; of the others it is said what.
func TestReadyServices(t *testing.T) {
	t.Parallel()
	tables := classification.NewEditions().On("2026-11-22")
	service := func(id string, classified *nfse.Classification) catalogues.ClassifiedService {
		one := catalogues.ClassifiedService{Classification: classified}
		one.ID, one.NationalTaxCode, one.MunicipalityCode = id, new("010701"), "3304557"
		one.Description = "Suporte"
		return one
	}
	good := &nfse.Classification{NBS: "115022000", CIndOp: "100301", CST: "000", CClassTrib: "000001",
		IndFinal: new(false)}
	ready, lacking := ReadyServices(authorities.Default, tables,
		[]catalogues.ClassifiedService{service("srv_1", good), service("srv_2", nil)})
	if len(ready) != 1 || ready[0].ID != "srv_1" || !slices.Equal(lacking, []string{"srv_2 (unclassified)"}) {
		t.Errorf("ready are %+v, lacking %q", ready, lacking)
	}
}
