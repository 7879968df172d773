package sefin_test

import (
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"emissor/test/reference"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/simulatortest"
)

// validate runs xmllint with an official schema over a document.
func validate(t *testing.T, schema, document string) error {
	t.Helper()
	file := reference.National(t, "xsd-1.01/"+schema)
	command := exec.CommandContext(t.Context(), simulatortest.Tool(t, "xmllint"), "--noout", "--schema", file, "-")
	command.Stdin = strings.NewReader(document)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Logf("%s", output)
	}
	return err
}

// verify runs xmlsec1 over the simulator's signature in a document.
func verify(t *testing.T, simulator *sefin.Simulator, document, element string) error {
	t.Helper()
	dir := t.TempDir()
	file, root := filepath.Join(dir, "document.xml"), filepath.Join(dir, "root.pem")
	if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	// xmlsec1 takes one root in a file: the last one is of those who sign.
	var last *pem.Block
	for block, rest := pem.Decode(simulator.RootsPEM()); block != nil; block, rest = pem.Decode(rest) {
		last = block
	}
	if err := os.WriteFile(root, pem.EncodeToMemory(last), 0o600); err != nil {
		t.Fatal(err)
	}
	output, err := exec.CommandContext(t.Context(), simulatortest.Tool(t, "xmlsec1"), "--verify", "--trusted-pem", root,
		"--node-xpath", "/*/*[local-name()='Signature']", "--id-attr:Id", namespace+":"+element, file).CombinedOutput()
	if err != nil {
		t.Logf("%s", output)
	}
	return err
}
