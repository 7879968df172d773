package packed_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"emissor/internal/packed"
)

// testdata has frames as they were made by an encoder for each company, with a window of 4 MB. They are read for ever.
func TestUnpack_WhatWasStoredBefore(t *testing.T) {
	document := read(t, "nfse.xml")
	large := bytes.Repeat(document, 40)
	for i := 0; i < len(large); i += 97 { // else it would be one document and a reference
		large[i] = byte('a' + i/97%26)
	}
	for name, stored := range map[string]struct {
		plain []byte
		id    uint32
		with  []byte
	}{
		"nfse.zst":    {document, 258, packed.Certificates(document)},
		"large.zst":   {large, 258, packed.Certificates(document)},
		"version.zst": {document[:2000], packed.Latest, nil},
	} {
		frame := read(t, name)
		if id, err := packed.DictionaryOf(frame); err != nil || id != stored.id {
			t.Errorf("%s says dictionary %d: %v", name, id, err)
		}
		dictionary, err := packed.NewDictionary(stored.id, 1, stored.with)
		if err != nil {
			t.Fatal(err)
		}
		if plain, err := dictionary.Unpack(frame); err != nil || !bytes.Equal(plain, stored.plain) {
			t.Errorf("%s is read as %d bytes of %d: %v", name, len(plain), len(stored.plain), err)
		}
		again, err := dictionary.Pack(stored.plain)
		if err != nil || len(again) > len(frame)*101/100+8 {
			t.Errorf("%s is packed into %d bytes, and was into %d: %v", name, len(again), len(frame), err)
		}
		if plain, err := dictionary.Unpack(again); err != nil || !bytes.Equal(plain, stored.plain) {
			t.Errorf("%s, packed again, is read as %d bytes of %d: %v", name, len(plain), len(stored.plain), err)
		}
	}
}

// The dictionaries of many companies, each of which has packed and unpacked, keep their certificates and little else.
func TestDictionary_KeepsOnlyCertificates(t *testing.T) {
	const companies, most = 300, 16 << 20 // two encoders and decoders of the process among them
	document := read(t, "nfse.xml")
	before := heapInUse()
	dictionaries := make([]*packed.Dictionary, companies)
	for i := range dictionaries {
		certificates := fmt.Appendf(packed.Certificates(document), "%d", i)
		dictionary, err := packed.NewDictionary(uint32(packed.FirstOwnID+i), packed.Latest, certificates)
		if err != nil {
			t.Fatal(err)
		}
		checkReturns(t, dictionary, uint32(packed.FirstOwnID+i), document)
		dictionaries[i] = dictionary
	}
	if kept := heapInUse() - before; kept > most {
		t.Errorf("%d dictionaries keep %d kB", companies, kept>>10)
	}
	runtime.KeepAlive(dictionaries)
}

// Documents of many companies are packed and unpacked at once by the same encoders and decoders, large ones and some
// that do not compress among them, with up to as many certificates as are taken.
func TestDictionary_ManyAtOnce(t *testing.T) {
	document := read(t, "nfse.xml")
	var all sync.WaitGroup
	for i := range uint32(16) {
		all.Go(func() {
			certificates := slices.Concat(packed.Certificates(document), bytes.Repeat([]byte{byte('a' + i)}, 2000*int(i)))
			noise := make([]byte, 1<<20)
			_, _ = rand.NewChaCha8([32]byte{byte(i)}).Read(noise)
			for version, with := range [][]byte{nil, certificates} {
				id := packed.Latest + uint32(version)*(packed.FirstOwnID+i)
				dictionary, err := packed.NewDictionary(id, packed.Latest, with)
				if err != nil {
					t.Error(err)
					return
				}
				for size := 1; size < 1<<20; size = size*3 + int(i) {
					plain := bytes.Repeat(document, size/len(document)+1)[:size]
					copy(plain[size/2:], noise[:size/2*int(i%3)/2])
					stored, err := dictionary.Pack(plain)
					if err != nil {
						t.Error(err)
					}
					if back, err := dictionary.Unpack(stored); err != nil || !bytes.Equal(back, plain) {
						t.Errorf("%d bytes of %d came back as %d: %v", size, i, len(back), err)
					}
				}
			}
		})
	}
	all.Wait()
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func heapInUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
