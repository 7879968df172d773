package fact_test

import (
	"encoding/json"
	"fmt"

	"emissor/nfse/fact"
)

// A fact is recorded as a code with arguments, and said in the language of who reads it.
func ExampleFact() {
	taken := fact.NumberTaken.With("number", 12, "series", 3, "authority", "national", "environment", "restricted")

	column, err := taken.Value() // as a database keeps it
	if err != nil {
		panic(err)
	}
	fmt.Println(column)
	fmt.Println(taken.English())
	fmt.Println(taken.Portuguese())
	fmt.Println("decided by its code:", taken.Is(fact.NumberTaken))

	// Output:
	// {"code":"number_taken","arguments":{"authority":"national","environment":"restricted","number":12,"series":3}}
	// took the DPS number 12 of series 3 (national, restricted)
	// tomou a DPS nº 12, série 3 (national, produção restrita)
	// decided by its code: true
}

// Facts are nested: why a note waits is an argument of the step that it waits. What
// somebody else said is quoted, and not translated.
func ExampleCode_With() {
	waits := fact.Waits.With("why", fact.SeriesHeld.With("why", fact.InWords("série em conferência")))

	fmt.Println(waits)
	fmt.Println(waits.PortugueseDetail()) // below the name of the step, which a page has itself

	shown, err := json.Marshal(fact.WaitsNoMore.Fact()) // to programs
	if err != nil {
		panic(err)
	}
	fmt.Println(string(shown))

	// Output:
	// waits: the series is held: “série em conferência”; emissor series says what to do
	// a série está retida: “série em conferência”; Empresa › Numeração diz a quem pedir a liberação
	// {"code":"waits_no_more","text":"waits no longer"}
}
