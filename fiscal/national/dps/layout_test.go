package dps

import (
	"errors"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
)

// The first layout is written, or the one that an answer asked for.
func TestSignDeclaration_Layout(t *testing.T) {
	declaration, signer := nationaltest.Declaration(), Signer{}
	message, err := signer.SignDeclaration(declaration, nationaltest.Credentials(t), nationaltest.At)
	if err != nil || message.Layout != "1.01" || !strings.Contains(string(message.XML), `versao="1.01"`) {
		t.Errorf("by itself: %s, %v", message.Layout, err)
	}
	declaration.Layout = "1.01"
	message, err = signer.SignDeclaration(declaration, nationaltest.Credentials(t), nationaltest.At)
	if err != nil || message.Layout != "1.01" {
		t.Errorf("by the answer: %s, %v", message.Layout, err)
	}
	declaration.Layout = "nt009"
	_, err = signer.SignDeclaration(declaration, nationaltest.Credentials(t), nationaltest.At)
	var unknown *fiscal.LayoutError
	if !errors.As(err, &unknown) || unknown.Layout != "nt009" || !strings.Contains(err.Error(), "is not built") {
		t.Errorf("one that is not built: %v", err)
	}
}
