package national_test

import (
	"fmt"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/test/long"
	"emissor/test/simulators/shared/shapes"
)

// An answer that comes whole is read as what it says, in any form: that there is no note, that it is issued, found,
// refused a second time, cancelled, and its cancellation found.
func TestSimulator_AnyShape(t *testing.T) {
	for _, production := range []bool{false, true} {
		simulator, authority := startSimulatorWith(t, production, shapes.Any(1, shapes.Rates{}))
		declaration := nationaltest.Declaration()
		declaration.Issuer.Production, declaration.Classification = production, nationaltest.Classification()
		simulator.SetRegistry(registryOf(declaration))
		for number := range long.Cases(400, 40) {
			declaration.Number = int64(number + 1)
			declaration.Note.ID = fmt.Sprintf("nfse_%026d", declaration.Number)
			access, request := signed(t, authority, simulator, declaration)
			if found := authority.Find(t.Context(), access, request); found.Outcome != fiscal.OutcomeNotFound {
				t.Errorf("before it is sent, it is %s %s\n%s", found.Outcome, found.Summary(), found.Body)
			}
			issueAndCancel(t, authority, simulator, declaration)
		}
	}
}
