package format_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/nfse"
)

func TestMoney(t *testing.T) {
	for cents, expected := range map[int64]string{
		0: "R$\u00a00,00", 5: "R$\u00a00,05", 123456: "R$\u00a01.234,56",
		999999999999999: "R$\u00a09.999.999.999.999,99",
		-100:            "−R$\u00a01,00", 100000: "R$\u00a01.000,00", 99999: "R$\u00a0999,99",
	} {
		if written := format.Money(words.Portuguese, cents); written != expected {
			t.Errorf("%d is written %q, expected %q", cents, written, expected)
		}
	}
	if written := format.Money(words.English, 123456); written != "R$\u00a01,234.56" {
		t.Errorf("in English it is %q", written)
	}
}

func TestMoment_OfBrasilia(t *testing.T) {
	moment := nfse.Timestamp{Time: time.Date(2026, 11, 22, 1, 5, 7, 9_000_000, time.UTC)}
	for written, expected := range map[string]string{
		format.Moment(words.Portuguese, moment): "21/11/2026 22:05",
		format.Moment(words.English, moment):    "21 Nov 2026 22:05",
		format.Time(words.Portuguese, moment):   "21/11/2026 22:05:07.009",
	} {
		if written != expected {
			t.Errorf("written is %q, expected %q", written, expected)
		}
	}
	if march := format.Month(words.Portuguese, "2026-03"); march != "março de 2026" {
		t.Errorf("the month is %q", march)
	}
	if march := format.Month(words.English, "2026-03"); march != "March 2026" {
		t.Errorf("the month is %q", march)
	}
	day, err := format.ParseDay("2026-11-22")
	if err != nil || !day.Equal(time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)) {
		t.Errorf("the day begins at %v, %v", day, err)
	}
	if _, err := format.ParseDay("22/11/2026"); err == nil {
		t.Error("another form of a day is read")
	}
}

func TestMasks(t *testing.T) {
	for written, expected := range map[string]string{
		format.TaxID("52998224725"):                     "529.982.247-25",
		format.TaxID("12ABC34501DE35"):                  "12.ABC.345/01DE-35",
		format.TaxID("X"):                               "X",
		format.ZipCode("01310100"):                      "01310-100",
		format.ZipCode("0131"):                          "0131",
		format.Short("nfse_01m7yv5g08ef688dg9093ee0f7"): "nfse_01m7…3ee0f7",
		format.Short("short"):                           "short",
		format.Pause(22 * time.Millisecond):             "22 ms",
		format.Pause(3*time.Hour + 10*time.Minute):      "3 h 10 min",
		format.Pause(90 * time.Second):                  "1 min 30 s",
		format.Pause(73 * time.Hour):                    "3 d 1 h",
	} {
		if written != expected {
			t.Errorf("written is %q, expected %q", written, expected)
		}
	}
}

// The same money, however it is written; what could be read in two ways is thousands.
func TestParseMoney(t *testing.T) {
	for text, expected := range map[string]int64{
		"150": 15000, "150,00": 15000, "150.00": 15000, "R$ 1.234,56": 123456, "1,234.56": 123456, "1.234": 123400,
		"1250.5": 125050, "1.250,50": 125050, "1250,50": 125050, "1,250.50": 125050, "1.250,5": 125050,
		"1.250": 125000, "1,250": 125000, "1.250.000": 125000000, "R$\u00a01.250,50": 125050, "R$1250,5": 125050,
		" 0,01 ": 1, "1.234.567,89": 123456789, "1,5": 150, "0": 0, "0,5": 50,
		"": -1, "-1": -1, "1.23,45": -1, "1.234.56": -1, "1e3": -1, "99999999999999999999": -1, "abc": -1,
		"0.250": -1, "1,": -1, ",5": -1, "1.2345": -1, "12.34.567": -1, "1.234,567.89": -1, "1,2,3": -1, "R$": -1,
		"1250.500": -1, "1,234,56": -1, "9.999.999.999.999,99": 999999999999999, "10.000.000.000.000,00": -1,
	} {
		cents, err := format.ParseMoney(text)
		if err != nil {
			cents = -1
		}
		if cents != expected {
			t.Errorf("%q is %d cents, expected %d", text, cents, expected)
		}
	}
}

// Every way to write an amount is read as that amount.
func TestParseMoney_HoweverWritten(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 1))
	for range 20_000 {
		cents := random.Int64N(1+int64(1)<<random.IntN(50)) % (nfse.MaxAmountCents + 1)
		plain := fmt.Sprintf("%d", cents/100)
		decimals := fmt.Sprintf("%02d", cents%100)
		of := format.Money(words.Portuguese, cents)
		written := []string{plain + "." + decimals, plain + "," + decimals, of, strings.TrimPrefix(of, "R$\u00a0"),
			format.Money(words.English, cents), format.Amount(words.Portuguese, cents),
			format.Amount(words.English, cents)}
		if cents%10 == 0 {
			written = append(written, plain+"."+decimals[:1], plain+","+decimals[:1], of[:len(of)-1])
		}
		if cents%100 == 0 {
			written = append(written, plain, of[:len(of)-3])
		}
		for _, text := range written {
			if read, err := format.ParseMoney(text); err != nil || read != cents {
				t.Fatalf("%q is %d cents, %v; it is how %d is written", text, read, err, cents)
			}
		}
	}
}
