package nfse_test

import (
	"encoding/json"
	"fmt"
	"time"

	"emissor/nfse"
)

func ExampleParseTaxID() {
	for _, text := range []string{"529.982.247-25", "12.ABC.345/01DE-35", "529.982.247-26"} {
		id, err := nfse.ParseTaxID(text)
		if err != nil {
			fmt.Println("the tax id", err) // an error never repeats the number
			continue
		}
		fmt.Println(id, "of a company:", id.IsCNPJ())
	}
	// Output:
	// 52998224725 of a company: false
	// 12ABC34501DE35 of a company: true
	// the tax id has wrong check digits
}

// A subscriber is told of a note's terminal state by an event, whose payload holds
// the whole note.
func ExampleNewEvent() {
	note := nfse.Note{ID: "nfse_01", Status: nfse.StatusIssued, Reference: "order-1", AmountCents: 15000}
	at := nfse.Timestamp{Time: time.Date(2026, 11, 21, 12, 30, 5, 0, time.UTC)}
	event, err := nfse.NewEvent(nfse.EventIssued, note, at)
	if err != nil {
		panic(err)
	}
	var body struct {
		Type string
		Data struct{ Object nfse.Note }
	}
	if err := json.Unmarshal(event.Payload, &body); err != nil {
		panic(err)
	}
	fmt.Println(body.Type, body.Data.Object.Reference, body.Data.Object.Status)
	// Output: nfse.issued order-1 issued
}

// What a request to cancel means depends on the note's state, and on the request
// before it.
func ExampleNote_Cancellable() {
	note := nfse.Note{Status: nfse.StatusIssued}
	start, err := note.Cancellable("1", "wrong amount")
	fmt.Println(start, err)

	note.Cancellation = &nfse.Cancellation{
		Status: nfse.CancellationPending, Origin: nfse.CancelledByCaller,
		ReasonCode: new("1"), ReasonText: new("wrong amount"),
	}
	start, err = note.Cancellable("1", "wrong amount") // the same request again
	fmt.Println(start, err)
	_, err = note.Cancellable("2", "service not provided")
	fmt.Println(nfse.IsCode(err, nfse.CodeCancellationInProgress))
	// Output:
	// true <nil>
	// false <nil>
	// true
}

// Amounts are whole cents; a rate is in hundredths of a percent. Neither passes through a
// float.
func ExampleParseRate() {
	rate, err := nfse.ParseRate("2.01")
	if err != nil {
		panic(err)
	}
	const amountCents = 15000 // R$ 150.00
	fmt.Println(rate, "% of R$ 150.00 is", (amountCents*int64(rate)+5000)/10000, "cents")
	_, err = nfse.ParseRate("5.01")
	fmt.Println(err)
	// Output:
	// 2.01 % of R$ 150.00 is 302 cents
	// must be greater than 0 and at most 5
}

// A series belongs to an issuer at an authority, in one of its environments, whichever
// organization issues under it and however its registration is written.
func ExampleFiscalProfile_SeriesKey() {
	profile := nfse.FiscalProfile{
		Authority: "sao-paulo", Production: true, TaxID: "11222333000181",
		MunicipalRegistration: new("01234567"), Series: 7,
	}
	same := profile
	same.MunicipalRegistration = new("1234567")
	fmt.Println(profile.SeriesKey() == same.SeriesKey())

	restricted := profile
	restricted.Production = false
	fmt.Println(profile.SeriesKey() == restricted.SeriesKey())
	// Output:
	// true
	// false
}
