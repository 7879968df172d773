package danfse_test

import (
	"bytes"
	"fmt"
	"os"

	"emissor/fiscal/danfse"
)

// A page is drawn from the XML of a note, as the authority signed it. Drawn again from the
// same it is the same, byte for byte.
func ExampleDraw() {
	note, err := os.ReadFile("testdata/full.xml")
	if err != nil {
		panic(err)
	}
	var issued, again, cancelled bytes.Buffer
	for page, document := range map[*bytes.Buffer]danfse.Document{
		&issued: {XML: note}, &again: {XML: note},
		&cancelled: {XML: note, Cancelled: true}, // says so across the page
	} {
		if err := danfse.Draw(page, document); err != nil {
			panic(err)
		}
	}
	fmt.Println(bytes.HasPrefix(issued.Bytes(), []byte("%PDF-")))
	fmt.Println("again:", bytes.Equal(issued.Bytes(), again.Bytes()))
	fmt.Println("cancelled:", bytes.Equal(issued.Bytes(), cancelled.Bytes()))

	// Output:
	// true
	// again: true
	// cancelled: false
}
