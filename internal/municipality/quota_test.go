package municipality

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"emissor/nfse"
)

func lookUp(t *testing.T, resolver *Resolver, scope nfse.Scope, zip string) Outcome {
	t.Helper()
	answer, err := resolver.Lookup(t.Context(), scope, zip)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Outcome
}

func TestShare_RateIsOfOneScope(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &fakeService{name: "fake", lookup: ignorant}
		resolver := NewResolver(&fakeRecords{}, Options{Services: []Service{service}, Rate: 2, Log: silentLog})
		zips := 0
		granted := func(scope nfse.Scope) (granted int) {
			for range 20 {
				zips++
				if lookUp(t, resolver, scope, fmt.Sprintf("1999%04d", zips)) == Unknown {
					granted++
				}
			}
			return granted
		}
		test := nfse.Scope{OrganizationID: tenant.OrganizationID}
		other := nfse.Scope{OrganizationID: "org_2", Livemode: true}
		for _, scope := range []nfse.Scope{tenant, test, other} {
			if got := granted(scope); got != 2*BurstSeconds {
				t.Errorf("%v may look up %d zip codes at once", scope, got)
			}
		}
		time.Sleep(time.Second)
		if got := granted(tenant); got != 2 {
			t.Errorf("after a second it may look up %d more", got)
		}
		if asked := int(service.asked.Load()); asked != 3*2*BurstSeconds+2 {
			t.Errorf("the service was asked %d times", asked)
		}
	})
}

func TestShare_BreakerIsOfOneScope(t *testing.T) {
	service := &fakeService{name: "fake", lookup: failing}
	resolver := NewResolver(&fakeRecords{}, Options{Services: []Service{service}, Log: silentLog})
	for range 3 * failuresToOpen {
		lookUp(t, resolver, tenant, offTable)
	}
	if asked := service.asked.Load(); asked != failuresToOpen {
		t.Errorf("asked %d times", asked)
	}
	service.lookup = knowing(rioCode)
	if outcome := lookUp(t, resolver, nfse.Scope{OrganizationID: tenant.OrganizationID}, offTable); outcome != Known {
		t.Errorf("its test environment gets %s", outcome)
	}
}

func TestResolver_RemembersUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &fakeService{name: "fake", lookup: ignorant}
		records := &fakeRecords{}
		resolver := NewResolver(records, Options{Services: []Service{service}, Log: silentLog})
		for range 3 {
			if outcome := lookUp(t, resolver, tenant, offTable); outcome != Unknown {
				t.Errorf("got %s", outcome)
			}
		}
		records.ranged = campinasCode // imported since
		if answer, err := resolver.Lookup(t.Context(), tenant, offTable); err != nil || answer.Code != campinasCode ||
			!answer.Decisive {
			t.Errorf("with a range: %+v, %v", answer, err)
		}
		if asked := service.asked.Load(); asked != 1 {
			t.Errorf("asked %d times", asked)
		}
		time.Sleep(defaultUnknownFor)
		lookUp(t, resolver, tenant, offTable)
		if asked := service.asked.Load(); asked != 2 {
			t.Errorf("asked %d times, hours later", asked)
		}
	})
}
