package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"

	"emissor/internal/packed"
	"emissor/internal/recent"
)

const (
	// mostCertificates is how many bytes of certificates a process remembers as dictionaries. A company has two of
	// some 3 and 6 kB: of what is sent, and of what the authority makes of it. One that is not remembered is a query.
	mostCertificates = 64 << 20

	// mostDictionaries is how many dictionaries are remembered of certificates that are very small.
	mostDictionaries = 32 << 10
)

// packing are the dictionaries that this process has used last.
type packing struct {
	dictionaries *recent.Cache[uint32, *packed.Dictionary] // by id
	ids          *recent.Cache[[sha256.Size]byte, uint32]  // of dictionaries, by digest
}

func newPacking() *packing {
	return &packing{
		dictionaries: recent.NewSizedCache[uint32](mostCertificates, func(d *packed.Dictionary) int {
			return max(d.Certificates(), mostCertificates/mostDictionaries)
		}),
		ids: recent.NewCache[[sha256.Size]byte, uint32](mostDictionaries),
	}
}

// Pack is how a document is stored. It may read the database, so it comes before a transaction.
func (s *DB) Pack(ctx context.Context, plain []byte) ([]byte, error) {
	if len(plain) == 0 {
		return plain, nil
	}
	dictionary, err := s.dictionaryFor(ctx, packed.Certificates(plain))
	if err != nil {
		return nil, err
	}
	return dictionary.Pack(plain)
}

// PackEvent is how the body of an event is stored. It reads nothing.
func PackEvent(body []byte) ([]byte, error) {
	dictionary, err := packed.Version(packed.Latest)
	if err != nil {
		return nil, err
	}
	return dictionary.Pack(body)
}

// Unpack returns the plain bytes of what is stored.
func (s *DB) Unpack(ctx context.Context, stored []byte) ([]byte, error) {
	return s.UnpackDocument(ctx, stored, nil)
}

// UnpackDocument unpacks the document of a note, which must have the digest that was stored with it. The database may
// have been restored since this process read a dictionary, so that its number now belongs to another one: what the
// remembered dictionary cannot read is read with the one on record.
func (s *DB) UnpackDocument(ctx context.Context, stored, digest []byte) ([]byte, error) {
	plain, err := s.unpackOnce(ctx, stored, digest)
	if err != nil && packed.Is(stored) {
		if id, named := packed.DictionaryOf(stored); named == nil && s.packing.dictionaries.Remove(id) {
			if plain, err = s.unpackOnce(ctx, stored, digest); err == nil {
				s.packing.forget() // the others as well, before something is packed with them
			}
		}
	}
	return plain, err
}

func (s *DB) unpackOnce(ctx context.Context, stored, digest []byte) (plain []byte, err error) {
	plain = stored
	if packed.Is(stored) {
		id, err := packed.DictionaryOf(stored)
		if err != nil {
			return nil, err
		}
		dictionary, err := s.Dictionary(ctx, id)
		if err != nil {
			return nil, err
		}
		if plain, err = dictionary.Unpack(stored); err != nil {
			return nil, err
		}
	}
	if sum := sha256.Sum256(plain); digest != nil && !bytes.Equal(sum[:], digest) {
		return nil, errors.New("store: a document is not the one that was stored: its digest is another")
	}
	return plain, nil
}

// UnpackAll is unpack of each, in place.
func (s *DB) UnpackAll(ctx context.Context, stored [][]byte) (err error) {
	for i := range stored {
		if stored[i], err = s.Unpack(ctx, stored[i]); err != nil {
			return err
		}
	}
	return nil
}

// dictionaryFor is the dictionary of certificates, which is made where they are new.
func (s *DB) dictionaryFor(ctx context.Context, certificates []byte) (*packed.Dictionary, error) {
	if len(certificates) == 0 {
		return s.Dictionary(ctx, packed.Latest)
	}
	digest := sha256.Sum256(append([]byte{packed.Latest}, certificates...))
	if id, found := s.packing.ids.Get(digest); found {
		if known, found := s.packing.dictionaries.Get(id); found {
			return known, nil
		}
	}
	var id uint32
	for id == 0 { // where another process has just added it, the next statement sees it
		err := s.pool.GetContext(ctx, &id, `
			WITH added AS (
				INSERT INTO document_dictionaries (version, certificates, digest)
				SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM document_dictionaries WHERE digest = $3)
				ON CONFLICT (digest) DO NOTHING RETURNING id
			)
			SELECT id FROM added UNION ALL SELECT id FROM document_dictionaries WHERE digest = $3`,
			packed.Latest, certificates, digest[:])
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
	}
	dictionary, err := packed.NewDictionary(id, packed.Latest, certificates)
	if err != nil {
		return nil, err
	}
	s.packing.remember(id, digest, dictionary)
	return dictionary, nil
}

// Dictionary reads the dictionary that a frame names.
func (s *DB) Dictionary(ctx context.Context, id uint32) (*packed.Dictionary, error) {
	if known, found := s.packing.dictionaries.Get(id); found {
		return known, nil
	}
	row := struct {
		Version      int    `db:"version"`
		Certificates []byte `db:"certificates"`
		Digest       []byte `db:"digest"`
	}{Version: int(id)}
	if id >= packed.FirstOwnID {
		err := s.pool.GetContext(ctx, &row, `SELECT version, certificates, digest FROM document_dictionaries WHERE id = $1`,
			int64(id))
		if err != nil {
			return nil, NoRow(err,
				fmt.Errorf("store: a document is packed with dictionary %d, which is not on record", id))
		}
	}
	dictionary, err := packed.NewDictionary(id, row.Version, row.Certificates)
	if err != nil {
		return nil, err
	}
	var digest [sha256.Size]byte
	copy(digest[:], row.Digest)
	s.packing.remember(id, digest, dictionary)
	return dictionary, nil
}

func (p *packing) remember(id uint32, digest [sha256.Size]byte, dictionary *packed.Dictionary) {
	p.dictionaries.Put(id, dictionary)
	p.ids.Put(digest, id)
}

// forget empties the cache, so that every dictionary is read or made again.
func (p *packing) forget() {
	p.dictionaries.Clear()
	p.ids.Clear()
}
