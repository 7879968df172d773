package sefin

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
)

// identity is a certificate with its key.
type identity struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

func newECKey() (crypto.Signer, error)  { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }
func newRSAKey() (crypto.Signer, error) { return rsa.GenerateKey(rand.Reader, 2048) }

// issue signs a certificate for a new key; without a parent it signs itself.
func issue(parent *identity, template *x509.Certificate, newKey func() (crypto.Signer, error)) (*identity, error) {
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	if parent == nil {
		parent = &identity{template, key}
	}
	template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent.certificate, key.Public(), parent.key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	return &identity{certificate, key}, err
}

// keep reads an identity from a directory, or makes it and writes it there.
func keep(dir, name string, create func() (*identity, error)) (*identity, error) {
	if dir == "" {
		return create()
	}
	path := filepath.Join(dir, name+".pem")
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		created, err := create()
		if err != nil {
			return nil, err
		}
		return created, created.write(path)
	}
	if err != nil {
		return nil, err
	}
	return readIdentity(name, content)
}

func (i *identity) write(path string) error {
	key, err := x509.MarshalPKCS8PrivateKey(i.key)
	if err != nil {
		return err
	}
	encodedKey := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	return replaceFile(path, append(encodeCertificate(i.certificate), encodedKey...))
}

// replaceFile writes a file that is there whole or not at all.
func replaceFile(path string, content []byte) error {
	temporary := path + ".new"
	if err := os.WriteFile(temporary, content, 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

func readIdentity(name string, content []byte) (*identity, error) {
	read := &identity{}
	for block, rest := pem.Decode(content); block != nil; block, rest = pem.Decode(rest) {
		switch block.Type {
		case "CERTIFICATE":
			certificate, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return nil, fmt.Errorf("%s.pem: %w", name, err)
			}
			read.certificate = certificate
		case "PRIVATE KEY":
			key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
			if err != nil {
				return nil, fmt.Errorf("%s.pem: %w", name, err)
			}
			read.key, _ = key.(crypto.Signer)
		}
	}
	if read.certificate == nil || read.key == nil {
		return nil, fmt.Errorf("%s.pem lacks a certificate or its key: remove the directory to begin anew", name)
	}
	return read, nil
}

func encodeCertificate(certificate *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw})
}
