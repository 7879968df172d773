package seal_test

import (
	"fmt"

	"emissor/internal/seal"
)

// A secret is sealed for the row that it belongs to, and opens for no other: a sealed
// secret that is copied to another organization's row stays closed.
func ExampleSealer_Seal() {
	keyset, err := seal.NewKeyset() // kept in a file, apart from the database
	if err != nil {
		panic(err)
	}
	sealer, err := seal.New(keyset)
	if err != nil {
		panic(err)
	}
	sealed, err := sealer.Seal([]byte("whsec_example"), "org_a", "whe_1")
	if err != nil {
		panic(err)
	}

	secret, err := sealer.Unseal(sealed, "org_a", "whe_1")
	fmt.Println(string(secret), err)
	_, err = sealer.Unseal(sealed, "org_b", "whe_1")
	fmt.Println("for another row:", err != nil)

	key, known := seal.KeyOf(sealed) // which key of the keyset sealed it, without opening it
	fmt.Println(known && key == sealer.Keys().Primary())

	// Output:
	// whsec_example <nil>
	// for another row: true
	// true
}
