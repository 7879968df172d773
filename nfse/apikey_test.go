package nfse_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"emissor/nfse"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// A key that was handed out is valid for ever: this one must stay a key, and
// found by this hash.
const (
	oldKey     = "svc_test_0123456789abcdefghijABCDEFGHIJzZ1E4kUz"
	oldKeyHash = "b4aae376f9032b2c106c0dac126ec176b4be1298db5708cfdabfe602795a84a4"
)

func TestAPIKey_Form(t *testing.T) {
	for livemode, prefix := range map[bool]string{false: "svc_test_", true: "svc_live_"} {
		text := nfse.NewAPIKeyText(livemode)
		body, ok := strings.CutPrefix(text, prefix)
		if !ok || len(body) != 32+6 {
			t.Fatalf("%q is not %s and 38 characters", text, prefix)
		}
		if strings.Trim(body, base62) != "" {
			t.Errorf("%q holds more than base62", text)
		}
		if !nfse.IsAPIKeyText(text) {
			t.Errorf("%q is not taken for a key", text)
		}
	}
}

func TestAPIKey_StaysValid(t *testing.T) {
	if !nfse.IsAPIKeyText(oldKey) {
		t.Errorf("%q is no key any more", oldKey)
	}
	if hash := hex.EncodeToString(nfse.HashAPIKey(oldKey)); hash != oldKeyHash {
		t.Errorf("%q cannot be found any more: its hash is %s", oldKey, hash)
	}
}

func TestAPIKey_Checksum(t *testing.T) {
	text := nfse.NewAPIKeyText(true)
	for at := range text {
		for _, other := range base62 + "_-. é" {
			wrong := text[:at] + string(other) + text[at+1:]
			if wrong != text && nfse.IsAPIKeyText(wrong) {
				t.Fatalf("%q, mistyped from %q, is taken for a key", wrong, text)
			}
		}
	}
	for at := range len(text) - 1 {
		swapped := []byte(text)
		swapped[at], swapped[at+1] = swapped[at+1], swapped[at]
		if string(swapped) != text && nfse.IsAPIKeyText(string(swapped)) {
			t.Fatalf("%q, mistyped from %q, is taken for a key", swapped, text)
		}
	}
}

func TestAPIKey_Refused(t *testing.T) {
	text := nfse.NewAPIKeyText(false)
	for _, wrong := range []string{
		"", "svc_test_", "svc_live_", text[:len(text)-1], text + "0", " " + text, text + " ",
		strings.Replace(text, "test", "live", 1), // the checksum covers the environment
		strings.Replace(text, "test", "prod", 1),
		strings.TrimPrefix(text, "svc_test_"), strings.ToUpper(text), "svc_test_" + text,
	} {
		if nfse.IsAPIKeyText(wrong) {
			t.Errorf("%q is taken for a key", wrong)
		}
	}
}

// 2,000 keys hold 64,000 random characters, about 1,032 of each. 20 % off is
// more than six standard deviations; the bytes modulo 62 without rejection
// would be 21 % off for a known eight of them.
func TestAPIKey_RandomCharacters(t *testing.T) {
	const keys = 2000
	var texts []string
	count := map[rune]int{}
	for range keys {
		text := nfse.NewAPIKeyText(false)
		texts = append(texts, text)
		for _, c := range text[len("svc_test_"):][:32] {
			count[c]++
		}
	}
	expected := float64(keys) * 32 / 62
	for _, c := range base62 {
		if off := float64(count[c])/expected - 1; off < -0.2 || off > 0.2 {
			t.Errorf("%q occurs %d times, expected about %.0f", c, count[c], expected)
		}
	}
	slices.Sort(texts)
	if len(slices.Compact(texts)) != keys {
		t.Error("a key was made twice")
	}
}
