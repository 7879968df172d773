package packed

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// way is one of packing a document with the certificates of its company.
type way func(id uint32, certificates, plain []byte) ([]byte, error)

// BenchmarkWays compares ways of packing the documents of companies that issue in turn: the table of
// docs/performance.md.
func BenchmarkWays(b *testing.B) {
	for _, one := range []struct {
		name string
		make func() way
	}{
		{"before: an encoder for each company, 64 of them", func() way { return encoderEach(64, 4<<20) }},
		{"before: an encoder for each event", func() way { return encoderEach(0, 4<<20) }},
		{"an encoder with a small window for each company", func() way { return encoderEach(5000, window) }},
		{"an encoder with a small window for each document", func() way { return encoderEach(0, window) }},
		{"certificates left out before packing", leftOut},
		{"some encoders that are given dictionaries", func() way {
			return func(id uint32, certificates, plain []byte) ([]byte, error) {
				dictionary, err := NewDictionary(id, Latest, certificates)
				if err != nil {
					return nil, err
				}
				return dictionary.Pack(plain)
			}
		}},
	} {
		for _, companies := range []int{1, 200, 5000} {
			b.Run(fmt.Sprintf("%s/%d", one.name, companies), func(b *testing.B) {
				certificates, documents := documentsOf(b, companies)
				before, pack, stored := heapInUse(), one.make(), 0
				for i := range min(companies, 200) { // what is made once is not measured
					if _, err := pack(uint32(FirstOwnID+i), certificates[i], documents[i]); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportAllocs()
				used := processorTime()
				for i := 0; b.Loop(); i = (i + 1) % companies {
					packed, err := pack(uint32(FirstOwnID+i), certificates[i], documents[i])
					if err != nil {
						b.Fatal(err)
					}
					stored = len(packed)
				}
				b.ReportMetric(float64((processorTime()-used).Microseconds())/float64(b.N), "cpu-µs/op")
				b.ReportMetric(float64(stored), "stored-B")
				b.ReportMetric(float64(heapInUse()-before)/(1<<20), "kept-MB")
				runtime.KeepAlive(pack)
				runtime.KeepAlive(certificates)
				runtime.KeepAlive(documents)
			})
		}
	}
}

// processorTime is what this process has used of the processors, its collection of garbage included: it says more than
// the time on a machine that is not idle.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// heapInUse is what is in use of the heap once garbage is gone; what pools keep until the next time counts.
func heapInUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// documentsOf are a document of each company with certificates and signatures of its own, which compress no better
// than real ones.
func documentsOf(t testing.TB, companies int) (certificates, documents [][]byte) {
	sample, err := os.ReadFile("testdata/nfse.xml")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte{1})
	for range companies {
		document := slices.Clone(sample)
		for _, element := range []string{"X509Certificate>", "SignatureValue>", "DigestValue>"} {
			for at := 0; ; {
				begin := bytes.Index(document[at:], []byte("<"+element))
				if begin < 0 {
					break
				}
				at += begin + len(element) + 1
				end := at + bytes.IndexByte(document[at:], '<')
				noise := make([]byte, end-at)
				_, _ = random.Read(noise)
				copy(document[at:end], base64.StdEncoding.EncodeToString(noise))
				at = end
			}
		}
		certificates, documents = append(certificates, Certificates(document)), append(documents, document)
	}
	return certificates, documents
}

// encoderEach keeps an encoder of each company, of so many, and forgets all of them when there are more.
func encoderEach(most, window int) way {
	kept := map[uint32]*zstd.Encoder{}
	return func(id uint32, certificates, plain []byte) ([]byte, error) {
		encoder := kept[id]
		if encoder == nil {
			var err error
			encoder, err = zstd.NewWriter(nil, zstd.WithEncoderDictRaw(id, slices.Concat(dictionary1, certificates)),
				zstd.WithWindowSize(window), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
				zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(true), zstd.WithSingleSegment(true))
			if err != nil {
				return nil, err
			}
			if len(kept) >= most {
				clear(kept)
			}
			if most > 0 {
				kept[id] = encoder
			}
		}
		return encoder.EncodeAll(plain, nil), nil
	}
}

// leftOut packs with the text of the version alone what is left of a document without its certificates, after the id
// of what has them. It does not say how they come back.
func leftOut() way {
	encoder := sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderDictRaw(Latest, dictionary1), zstd.WithWindowSize(window),
			zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true),
			zstd.WithEncoderCRC(true), zstd.WithSingleSegment(true))
	})
	return func(id uint32, certificates, plain []byte) ([]byte, error) {
		encoder, err := encoder()
		if err != nil {
			return nil, err
		}
		rest := make([]byte, 0, len(plain))
		for {
			before, after, ok := bytes.Cut(plain, []byte("<X509Certificate>"))
			rest = append(rest, before...)
			if !ok {
				break
			}
			rest = append(rest, "<X509Certificate>"...)
			plain = after[bytes.IndexByte(after, '<'):]
		}
		return encoder.EncodeAll(rest, []byte{byte(id), byte(id >> 8), byte(id >> 16), byte(id >> 24)}), nil
	}
}
