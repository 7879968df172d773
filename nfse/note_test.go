package nfse_test

import (
	"testing"
	"time"

	"emissor/nfse"
)

var at = nfse.Timestamp{Time: time.Date(2026, 11, 21, 12, 30, 5, 7_000_000, time.UTC)}

// queuedNote has everything unset that can be.
func queuedNote() nfse.Note {
	return nfse.Note{
		ID: "nfse_01", Status: nfse.StatusQueued, Reference: "pedido-1", CustomerID: "cus_01", ServiceID: "srv_01",
		AmountCents: 15000, Competence: "2026-11-21",
		Service: nfse.ServiceSnapshot{ID: "srv_01", Name: "Consulta", Description: "Consulta médica",
			MunicipalityCode: "3550308"},
		Customer:     nfse.CustomerSnapshot{TaxID: "52998224725", Name: "Maria"},
		Municipality: nfse.NoteMunicipality{Code: "3550308", Source: nfse.MunicipalityFromZipCode, Verified: true},
		CreatedAt:    at, UpdatedAt: at,
	}
}

// fullNote has everything set, even what cannot be set together.
func fullNote() nfse.Note {
	return nfse.Note{
		ID: "nfse_02", Status: nfse.StatusIssued, Livemode: true, Reference: "pedido <&> 2", CustomerID: "cus_02",
		ServiceID:   "srv_02",
		AmountCents: nfse.MaxAmountCents, Competence: "2026-10-31", ISSWithheld: true,
		Service: nfse.ServiceSnapshot{
			ID: "srv_02", Name: "Aula", Description: "Aula\nde \"violão\"", MunicipalityCode: "3304557",
			NationalTaxCode: new("080201"), MunicipalTaxCode: new("12345"), MunicipalTaxation: new("T"),
			ISSRate: new(nfse.Rate(201)),
		},
		Customer: nfse.CustomerSnapshot{
			TaxID: "12ABC34501DE35", Name: "Conceição", Email: new("c@example.com"), MunicipalityCode: new("3550308"),
			Address: nfse.Address{
				StreetType: new("Rua"), Street: new("A"), Number: new("1"), District: new("Sé"),
				ZipCode: new("01310100"), Complement: new("B"),
			},
		},
		Municipality: nfse.NoteMunicipality{Code: "3550308", Source: nfse.MunicipalityFromCaller},
		Authority: &nfse.Authorization{Number: new("9000000000001"), VerificationCode: new("SIM000001"),
			AccessKey: new("0000"), IssuedAt: at, Totals: &nfse.Totals{
				ServiceCents: new(int64(1000000)), NetCents: new(int64(918500)), TotalCents: new(int64(918501)),
				ISSCents: new(int64(20000)), ISSWithheldCents: new(int64(20001)), IRRFCents: new(int64(15000)),
				CSRFCents: new(int64(46500)), INSSCents: new(int64(0)), IBSCents: new(int64(944)), CBSCents: nil,
			}},
		Rejection: &nfse.Rejection{
			Source: nfse.RejectedByAuthority, Code: "E0207", Message: "CPF não encontrado.",
			Field: new("customer.document"), Explanation: "why", Action: "what",
		},
		Cancellation: &nfse.Cancellation{
			Status: nfse.CancellationRefused, Origin: nfse.CancelledByCaller, ReasonCode: new("1"),
			ReasonText: new("emitida por engano"), RequestedAt: at, ResolvedAt: &at,
			Refusal: &nfse.Refusal{Code: "E1", Message: "fora do prazo", Explanation: "why", Action: "what"},
		},
		CreatedAt: at, UpdatedAt: at, ProcessingAt: &at, IssuedAt: &at, RejectedAt: &at, CancelledAt: &at,
	}
}

const (
	queuedNoteJSON = `{"id":"nfse_01","status":"queued","livemode":false,"reference":"pedido-1",` +
		`"customer_id":"cus_01","service_id":"srv_01",` +
		`"amount_cents":15000,"competence":"2026-11-21","iss_withheld":false,` +
		`"service":{"id":"srv_01","name":"Consulta","description":"Consulta médica","municipality_code":"3550308",` +
		`"national_tax_code":null,` +
		`"municipal_tax_code":null,"municipal_taxation":null,"iss_rate":null},` +
		`"customer":{"document":"52998224725","name":"Maria","email":null,"municipality_code":null,` +
		`"address":{"street_type":null,"street":null,` +
		`"number":null,"district":null,"zip_code":null,"complement":null}},` +
		`"municipality":{"code":"3550308","source":"zip_code","verified":true},` +
		`"authority":null,"rejection":null,"cancellation":null,` +
		`"created_at":"2026-11-21T12:30:05.007Z","updated_at":"2026-11-21T12:30:05.007Z",` +
		`"processing_at":null,"issued_at":null,"rejected_at":null,"cancelled_at":null}`

	fullNoteJSON = `{"id":"nfse_02","status":"issued","livemode":true,"reference":"pedido <&> 2",` +
		`"customer_id":"cus_02","service_id":"srv_02",` +
		`"amount_cents":999999999999999,"competence":"2026-10-31","iss_withheld":true,` +
		`"service":{"id":"srv_02","name":"Aula","description":"Aula\nde \"violão\"","municipality_code":"3304557",` +
		`"national_tax_code":"080201",` +
		`"municipal_tax_code":"12345","municipal_taxation":"T","iss_rate":2.01},` +
		`"customer":{"document":"12ABC34501DE35","name":"Conceição","email":"c@example.com",` +
		`"municipality_code":"3550308","address":{"street_type":"Rua","street":"A",` +
		`"number":"1","district":"Sé","zip_code":"01310100","complement":"B"}},` +
		`"municipality":{"code":"3550308","source":"declared","verified":false},` +
		`"authority":{"number":"9000000000001","verification_code":"SIM000001","access_key":"0000",` +
		`"issued_at":"2026-11-21T12:30:05.007Z","totals":{"service_cents":1000000,"net_cents":918500,` +
		`"total_cents":918501,"iss_cents":20000,"iss_withheld_cents":20001,"irrf_cents":15000,"csrf_cents":46500,` +
		`"inss_cents":0,"ibs_cents":944,"cbs_cents":null}},` +
		`"rejection":{"source":"authority","code":"E0207","message":"CPF não encontrado.",` +
		`"field":"customer.document","explanation":"why","action":"what"},` +
		`"cancellation":{"status":"refused","origin":"caller","reason_code":"1","reason_text":"emitida por engano",` +
		`"requested_at":"2026-11-21T12:30:05.007Z",` +
		`"resolved_at":"2026-11-21T12:30:05.007Z","refusal":{"code":"E1","message":"fora do prazo",` +
		`"explanation":"why","action":"what"}},` +
		`"created_at":"2026-11-21T12:30:05.007Z","updated_at":"2026-11-21T12:30:05.007Z",` +
		`"processing_at":"2026-11-21T12:30:05.007Z","issued_at":"2026-11-21T12:30:05.007Z",` +
		`"rejected_at":"2026-11-21T12:30:05.007Z","cancelled_at":"2026-11-21T12:30:05.007Z"}`
)

func TestNote_ShowsEveryField(t *testing.T) {
	for expected, note := range map[string]nfse.Note{queuedNoteJSON: queuedNote(), fullNoteJSON: fullNote()} {
		if printed, err := nfse.Marshal(note); err != nil || string(printed) != expected {
			t.Errorf("the note is printed (%v)\n%s\nexpected\n%s", err, printed, expected)
		}
	}
}

func TestNote_TerminalStates(t *testing.T) {
	for status, terminal := range map[nfse.Status]bool{
		nfse.StatusQueued: false, nfse.StatusProcessing: false,
		nfse.StatusIssued: true, nfse.StatusRejected: true, nfse.StatusCancelled: true,
	} {
		if status.Terminal() != terminal {
			t.Errorf("%s is terminal: %v", status, !terminal)
		}
	}
}

func TestNote_Moving(t *testing.T) {
	for _, c := range []struct {
		status       nfse.Status
		cancellation *nfse.Cancellation
		moving       bool
	}{
		{nfse.StatusQueued, nil, true},
		{nfse.StatusProcessing, nil, true},
		{nfse.StatusIssued, nil, false},
		{nfse.StatusRejected, nil, false},
		{nfse.StatusCancelled, nil, false},
		{nfse.StatusIssued, &nfse.Cancellation{Status: nfse.CancellationPending}, true},
		{nfse.StatusIssued, &nfse.Cancellation{Status: nfse.CancellationRefused}, false},
		{nfse.StatusCancelled, &nfse.Cancellation{Status: nfse.CancellationAccepted}, false},
		{nfse.StatusRejected, &nfse.Cancellation{Status: nfse.CancellationNotNeeded}, false},
	} {
		note := nfse.Note{Status: c.status, Cancellation: c.cancellation}
		if note.Moving() != c.moving {
			t.Errorf("%s, %+v: moving is %v", c.status, c.cancellation, !c.moving)
		}
	}
}
