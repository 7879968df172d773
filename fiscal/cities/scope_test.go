package cities

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// docs/scope.md counts the cities of each family that have an address, and those that are on; of clones of SEFIN by
// supplier too, which a row's source names.
func TestBuiltIn_Scope(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/scope.md")
	if err != nil {
		t.Fatal(err)
	}
	reached, on, by := map[Family]int{}, map[Family]int{}, map[string]int{}
	for _, row := range BuiltIn().Rows() {
		if row.Production == "" && row.Test == "" {
			continue
		}
		reached[row.Family]++
		if row.On() {
			on[row.Family]++
		}
		supplier, _, _ := strings.Cut(row.Source, ":")
		by[supplier]++
	}
	for _, want := range []string{
		fmt.Sprintf("| servers of the family DSF | %d | %d |", reached["dsf"], on["dsf"]),
		fmt.Sprintf("| servers of the family ISSNet | %d | %d |", reached["issnet"], on["issnet"]),
		fmt.Sprintf("| servers of the family Fiorilli | %d | %d |", reached["fiorilli"], on["fiorilli"]),
		fmt.Sprintf("| clones of SEFIN: Infisc %d, SimplISS %d, RLZ %d, Tiplan %d (", by["Infisc"], by["SimplISS"],
			by["RLZ"], by["Tiplan"]),
		fmt.Sprintf(") | %d | %d |", reached["sefin"], on["sefin"]),
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/scope.md does not say %q", want)
		}
	}
}
