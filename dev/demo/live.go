package main

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
)

// issuerDocument is the CNPJ of the demo organization, invented and well-formed.
const issuerDocument = "11222333000181"

// equip gives the organization what live notes need, where it has none: a fiscal profile, a certificate that
// can be used, and the classification of its live service for IBS and CBS.
func (d *demo) equip(ctx context.Context, organization, service string) error {
	if _, err := d.emissor.command(ctx, "service", "classify", service, "--organization", organization,
		"--nbs", "1.1502.20.00", "--cindop", "100301", "--cclasstrib", "000001"); err != nil {
		return err
	}
	if _, err := d.emissor.command(ctx, "fiscal-profile", "show", "--organization", organization); err != nil {
		if _, err := d.emissor.command(ctx, "fiscal-profile", "set", "--organization", organization,
			"--environment", "restricted", "--document", issuerDocument, "--municipality", "3304557",
			"--simples", "none", "--series", "1",
			"--tax-federal", "13.45", "--tax-state", "0", "--tax-municipal", "2.90"); err != nil {
			return err
		}
	}
	var certificates []struct{ Document, State string }
	if err := d.emissor.ask(ctx, &certificates, "certificate", "list", "--organization", organization); err != nil {
		return err
	}
	for _, one := range certificates {
		if one.Document == issuerDocument && one.State == "usable" && !d.simulator.isNew {
			return nil
		}
	}
	return d.addCertificate(ctx, organization)
}

// addCertificate hands Emissor a new certificate as an operator would: a PFX file and its password. Neither
// file stays.
func (d *demo) addCertificate(ctx context.Context, organization string) error {
	password := rand.Text()
	pfx, err := d.simulator.certificate(ctx, issuerDocument, organizationName, password)
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
	_, err = d.emissor.command(ctx, "certificate", "add", pfxFile, "--organization", organization,
		"--password-file", passwordFile, "--roots", d.simulator.roots())
	return err
}
