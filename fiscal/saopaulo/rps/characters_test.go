package rps_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/saopaulo/rps"
	"emissor/fiscal/saopaulo/saopaulotest"
	"emissor/nfse"
	"emissor/test/long"
)

// A message has no character that the city refuses, no matter what notes say.
func TestSignDeclaration_Characters(t *testing.T) {
	drawn := rapid.Custom(saopaulotest.DrawDeclaration)
	for i := range long.Cases(500, 50) {
		d := drawn.Example(i)
		message, err := rps.Signer{}.SignDeclaration(d, nationaltest.Credentials(t), saopaulotest.At)
		if err != nil {
			t.Fatal(err)
		}
		if refused := saopaulotest.Refused(message.XML); refused != "" {
			t.Fatalf("the message has %+q: %s", refused, message.XML)
		}
	}
	var every strings.Builder
	for c := rune(1); c < 0x3000; c++ {
		every.WriteRune(c)
	}
	for from := range 12 { // the description is cut at 2,000 characters
		d, part := saopaulotest.Declaration(), every.String()
		part = string([]rune(part)[from*1000 : from*1000+1000])
		d.Note.Service.Description, d.Note.Customer.Name = "x"+part, "x"+part
		d.Note.Customer.Address = nfse.Address{Street: new("x" + part), Number: new("x" + part),
			District: new("x" + part), Complement: new("x" + part)}
		d.Classification.CIndOp = "020101"
		d.Classification.Property = &nfse.Property{Registration: new("x" + part), Address: &nfse.PropertyAddress{
			ZipCode: "01310100", Street: "x" + part, Number: "x" + part, District: "x" + part}}
		message, err := rps.Signer{}.SignDeclaration(d, nationaltest.Credentials(t), saopaulotest.At)
		if err != nil {
			t.Fatal(err)
		}
		if refused := saopaulotest.Refused(message.XML); refused != "" {
			t.Errorf("the message has %+q", refused)
		}
	}
}

// The check sees what the city refuses.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"Serviço de 100% & <ção> 2€": "€", "nº 7, 2ª via": "ºª", "a — b": "—",
		"a\tb\n": "\t\n", "a\u00a0b\u00ad": "\u00a0\u00ad",
		"漢": "漢", "¡ÿ£§": "",
	} {
		if refused := saopaulotest.Refused([]byte(text)); refused != want {
			t.Errorf("%q: %+q", text, refused)
		}
	}
}

// The place is the home of supplier or taker where the indicator of the operation makes it
// that, or always the service's.
func TestSignDeclaration_Place(t *testing.T) {
	for _, c := range []struct {
		place        rps.Signer
		cIndOp, want string
	}{
		{rps.Signer{}, "100301", "4106902"}, {rps.Signer{}, "030101", "3550308"}, {rps.Signer{}, "030102", "3304557"},
		{rps.Signer{Place: "indicator"}, "100301", "4106902"},
		{rps.Signer{Place: "service"}, "100301", "3304557"}, {rps.Signer{Place: "service"}, "030101", "3304557"},
	} {
		d := saopaulotest.Declaration()
		d.Classification.CIndOp = c.cIndOp
		d.Note.Service.MunicipalityCode, d.Note.Municipality.Code = "3304557", "4106902"
		d.Note.Service.MunicipalTaxation = new("F")
		message, err := c.place.SignDeclaration(d, nationaltest.Credentials(t), saopaulotest.At)
		if err != nil {
			t.Fatal(err)
		}
		// Where the ISS is due does not follow from the indicator.
		if read := readRPS(t, message.XML); read.Rendered != c.want || read.MunicipioPrestacao != "3304557" {
			t.Errorf("%+v: %+v", c, read)
		}
	}
}
