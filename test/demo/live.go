package main

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
)

// issuer is an organization that is to issue live notes, and what it needs for that.
type issuer struct {
	organization, name string
	document           string     // its CNPJ, invented and well-formed
	simulator          *simulator // of its authority
	profile            []string   // flags of its fiscal profile, apart from organization and document
	service            string     // id
	classification     []string   // flags of its service, for IBS and CBS
}

// equip gives the organization what live notes need, where it has none: a fiscal profile, a certificate that
// can be used, and the classification of its live service for IBS and CBS.
func (d *demo) equip(ctx context.Context, i issuer) error {
	of := []string{"--organization", i.organization}
	if _, err := d.emissor.command(ctx, slices.Concat([]string{"service", "classify", i.service}, of,
		i.classification)...); err != nil {
		return err
	}
	if _, err := d.emissor.command(ctx, "fiscal-profile", "show", "--organization", i.organization); err != nil {
		if _, err := d.emissor.command(ctx, slices.Concat([]string{"fiscal-profile", "set", "--document", i.document},
			of, i.profile)...); err != nil {
			return err
		}
	}
	var certificates []struct{ Document, State string }
	if err := d.emissor.ask(ctx, &certificates, "certificate", "list", "--organization", i.organization); err != nil {
		return err
	}
	for _, one := range certificates {
		if one.Document == i.document && one.State == "usable" && !i.simulator.isNew {
			return nil
		}
	}
	return d.addCertificate(ctx, i)
}

// addCertificate hands Emissor a new certificate as an operator would: a PFX file and its password. Neither
// file stays.
func (d *demo) addCertificate(ctx context.Context, i issuer) error {
	password := rand.Text()
	pfx, err := i.simulator.certificate(ctx, i.document, i.name, password)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(d.dir, "certificate-") // made with mode 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	pfxFile, passwordFile := filepath.Join(dir, "certificate.pfx"), filepath.Join(dir, "password")
	for file, content := range map[string][]byte{pfxFile: pfx, passwordFile: []byte(password)} {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return err
		}
	}
	_, err = d.emissor.command(ctx, "certificate", "add", pfxFile, "--organization", i.organization,
		"--password-file", passwordFile)
	return err
}

// collectRoots writes the roots of all simulators into the one file that Emissor reads.
func (d *demo) collectRoots() error {
	var all []byte
	for _, simulator := range d.simulators() {
		roots, err := os.ReadFile(simulator.roots())
		if err != nil {
			return err
		}
		all = append(all, roots...)
	}
	return os.WriteFile(d.emissor.rootsPath, all, 0o644)
}
