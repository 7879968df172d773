package certificate_test

import (
	"bytes"
	"encoding/asn1"
	"testing"

	"software.sslmate.com/src/go-pkcs12"

	"emissor/fiscal/certificate"
	"emissor/fiscal/certificate/certificatetest"
)

// A count of iterations is refused wherever it stands in the file, before the first
// of them is made: the test would not end otherwise.
func TestReadPFX_TooManyIterations(t *testing.T) {
	t.Parallel()
	issued := certificatetest.NewChain(t).Issue(t, certificatetest.Template(company))
	// 71,234 is written with as many bytes as what takes its place.
	const usual = 71_234
	before, err := asn1.Marshal(usual)
	if err != nil {
		t.Fatal(err)
	}
	for name, encoder := range map[string]*pkcs12.Encoder{"RC2": pkcs12.LegacyRC2, "3DES": pkcs12.LegacyDES,
		"2023": pkcs12.Modern2023, "2026": pkcs12.Modern2026} {
		pfx, err := encoder.WithIterations(usual).Encode(issued.Key, issued.Leaf, nil, password)
		if err != nil {
			t.Fatal(err)
		}
		places := bytes.Count(pfx, before)
		if places != 3 { // the certificates', the key's, the MAC's
			t.Fatalf("%s: it stands in %d places", name, places)
		}
		if _, err := certificate.ReadPFX(pfx, password); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for place := range places {
			parts := bytes.Split(pfx, before)
			for _, count := range []int{maxInThree, maxIterations + 1} {
				after, err := asn1.Marshal(count)
				if err != nil || len(after) != len(before) {
					t.Fatalf("%d is written in %d bytes, %v", count, len(after), err)
				}
				changed := bytes.Join(parts[:place+1], before)
				changed = append(append(changed, after...), bytes.Join(parts[place+1:], before)...)
				_, err = certificate.ReadPFX(changed, password)
				expectError(t, err, "certificate", "more than 2000000 iterations")
			}
		}
	}
}

const maxIterations, maxInThree = 2_000_000, 1<<23 - 1

// Counts that no number here can hold, and none at all.
func TestReadPFX_OddIterations(t *testing.T) {
	t.Parallel()
	pfx := readFile(t, "modern.pfx")
	_, err := certificate.ReadPFX(append(make([]byte, 1<<20), pfx...), password)
	expectError(t, err, "certificate", "larger than 1 MiB")

	mac := func(count asn1.RawValue) []byte {
		salt := asn1.RawValue{Tag: asn1.TagOctetString, Bytes: []byte("salt")}
		whole, err := asn1.Marshal([]any{3, []any{salt}, []any{salt, salt, count}})
		if err != nil {
			t.Fatal(err)
		}
		return whole
	}
	huge := asn1.RawValue{Tag: asn1.TagInteger, Bytes: bytes.Repeat([]byte{0x7f}, 40)}
	_, err = certificate.ReadPFX(mac(huge), password)
	expectError(t, err, "certificate", "more than 2000000 iterations")
	_, err = certificate.ReadPFX(mac(asn1.RawValue{Tag: asn1.TagInteger, Bytes: []byte{0xff}}), password)
	expectError(t, err, "certificate", "not a PFX")
	deep := []byte{}
	for range 5000 {
		if deep, err = asn1.Marshal(asn1.RawValue{Tag: asn1.TagOctetString, Bytes: deep}); err != nil {
			t.Fatal(err)
		}
	}
	_, err = certificate.ReadPFX(deep, password)
	expectError(t, err, "certificate", "not a PFX")
}
