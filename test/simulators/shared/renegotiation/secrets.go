package renegotiation

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/binary"
)

// The sizes of what AES-128-GCM takes in TLS 1.2.
const (
	keySize      = 16
	saltSize     = 4
	explicitSize = 8
	finishedSize = 12
	masterSize   = 48
)

// half is one direction of a connection: its keys, and how many records went under them. The zero value has no keys.
type half struct {
	aead  cipher.AEAD
	salt  []byte
	count uint64
}

// newHalf returns a direction with keys of their own.
func newHalf(key, salt []byte) (half, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return half{}, err
	}
	aead, err := cipher.NewGCM(block)
	return half{aead: aead, salt: salt}, err
}

// seal returns a record.
func (h *half) seal(kind byte, content []byte) []byte {
	size := len(content)
	if h.aead != nil {
		size += explicitSize + h.aead.Overhead()
	}
	record := make([]byte, 0, headSize+size)
	record = append(record, kind, tls.VersionTLS12>>8, tls.VersionTLS12&0xff)
	record = binary.BigEndian.AppendUint16(record, uint16(size))
	if h.aead == nil {
		return append(record, content...)
	}
	record = binary.BigEndian.AppendUint64(record, h.count)
	return h.aead.Seal(record, h.nonce(record[headSize:]), content, h.additional(kind, len(content)))
}

// open returns what a record has under its head, in the same memory.
func (h *half) open(kind byte, sealed []byte) ([]byte, error) {
	if h.aead == nil {
		return sealed, nil
	}
	size := len(sealed) - explicitSize - h.aead.Overhead()
	if size < 0 {
		return nil, tls.AlertError(alertBadRecord)
	}
	if size > maxPlain {
		return nil, tls.AlertError(alertRecordOverflow)
	}
	explicit, rest := sealed[:explicitSize], sealed[explicitSize:]
	content, err := h.aead.Open(rest[:0], h.nonce(explicit), rest, h.additional(kind, size))
	if err != nil {
		return nil, tls.AlertError(alertBadRecord)
	}
	return content, nil
}

func (h *half) nonce(explicit []byte) []byte {
	return append(append(make([]byte, 0, saltSize+explicitSize), h.salt...), explicit...)
}

// additional is what of a record is authenticated beside its content. It counts the record.
func (h *half) additional(kind byte, size int) []byte {
	data := binary.BigEndian.AppendUint64(make([]byte, 0, 13), h.count)
	h.count++
	data = append(data, kind, tls.VersionTLS12>>8, tls.VersionTLS12&0xff)
	return binary.BigEndian.AppendUint16(data, uint16(size))
}

// derive is the pseudorandom function of TLS 1.2 with SHA-256 (RFC 5246, section 5).
func derive(secret []byte, label string, seed []byte, size int) []byte {
	mac := hmac.New(sha256.New, secret)
	sum := func(parts ...[]byte) []byte {
		mac.Reset()
		for _, part := range parts {
			mac.Write(part)
		}
		return mac.Sum(nil)
	}
	labelled := append([]byte(label), seed...)
	var derived []byte
	for a := sum(labelled); len(derived) < size; a = sum(a) {
		derived = append(derived, sum(a, labelled)...)
	}
	return derived[:size]
}

// newHalves are the keys of both directions after a handshake.
func newHalves(master, clientRandom, serverRandom []byte) (client, server half, err error) {
	seed := append(append([]byte(nil), serverRandom...), clientRandom...)
	block := derive(master, "key expansion", seed, 2*keySize+2*saltSize)
	salts := block[2*keySize:]
	if client, err = newHalf(block[:keySize], salts[:saltSize]); err != nil {
		return half{}, half{}, err
	}
	server, err = newHalf(block[keySize:2*keySize], salts[saltSize:])
	return client, server, err
}
