package icp

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
	"sync"
)

// Identity is a certificate with its key.
type Identity struct {
	Certificate *x509.Certificate
	Key         crypto.Signer
}

func newECKey() (crypto.Signer, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }

// newRSAKey makes a key that no other certificate of the authority has. Making one takes long, and
// tests have many authorities that are never kept: these use the same keys, one after the other.
func (a *Authority) newRSAKey() (crypto.Signer, error) {
	if a.dir != "" {
		return rsa.GenerateKey(rand.Reader, 2048)
	}
	return sharedRSAKeys.get(int(a.rsaKeys.Add(1)) - 1)
}

var sharedRSAKeys rsaKeys

// rsaKeys are made when they are first asked for.
type rsaKeys struct {
	mu   sync.Mutex
	made []crypto.Signer
}

func (k *rsaKeys) get(i int) (crypto.Signer, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(k.made) <= i {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			return nil, err
		}
		k.made = append(k.made, key)
	}
	return k.made[i], nil
}

// issue signs a certificate for a new key; without a parent it signs itself.
func issue(parent *Identity, template *x509.Certificate, newKey func() (crypto.Signer, error)) (*Identity, error) {
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	if parent == nil {
		parent = &Identity{template, key}
	}
	template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent.Certificate, key.Public(), parent.Key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	return &Identity{certificate, key}, err
}

// keep reads an identity from a directory, or makes it and writes it there.
func keep(dir, name string, create func() (*Identity, error)) (*Identity, error) {
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

func (i *Identity) write(path string) error {
	key, err := x509.MarshalPKCS8PrivateKey(i.Key)
	if err != nil {
		return err
	}
	encodedKey := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	return ReplaceFile(path, append(encodeCertificate(i.Certificate), encodedKey...))
}

// ReplaceFile writes a file that is there whole or not at all.
func ReplaceFile(path string, content []byte) error {
	temporary := path + ".new"
	if err := os.WriteFile(temporary, content, 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

func readIdentity(name string, content []byte) (*Identity, error) {
	read := &Identity{}
	for block, rest := pem.Decode(content); block != nil; block, rest = pem.Decode(rest) {
		switch block.Type {
		case "CERTIFICATE":
			certificate, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return nil, fmt.Errorf("%s.pem: %w", name, err)
			}
			read.Certificate = certificate
		case "PRIVATE KEY":
			key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
			if err != nil {
				return nil, fmt.Errorf("%s.pem: %w", name, err)
			}
			read.Key, _ = key.(crypto.Signer)
		}
	}
	if read.Certificate == nil || read.Key == nil {
		return nil, fmt.Errorf("%s.pem lacks a certificate or its key: remove the directory to begin anew", name)
	}
	return read, nil
}

func encodeCertificate(certificate *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw})
}
