package main

import (
	"strings"
	"testing"

	"emissor/dev/licences"
)

// The product is linked with nothing that asks for its source, and NOTICE says with what.
func TestLicences_OfTheProduct(t *testing.T) {
	if err := checkNotice(t.Context(), "../..", false); err != nil {
		t.Error(err)
	}
}

func TestNotice_Refused(t *testing.T) {
	used := licences.Module{Path: "example.com/used", Names: "MIT", Usable: true, Notices: "Made by somebody.\n"}
	text, err := notice([]licences.Module{used})
	expected := "\nexample.com/used  MIT\n\nexample.com/used\n\nMade by somebody.\n"
	if err != nil || !strings.HasSuffix(string(text), expected) {
		t.Errorf("%v, and it is\n%s", err, text)
	}
	_, err = notice([]licences.Module{used, {Path: "example.com/refused", Names: "AGPL"}})
	if err == nil || !strings.HasSuffix(err.Error(), ": example.com/refused (AGPL)") {
		t.Errorf("it ends with %v", err)
	}
}
