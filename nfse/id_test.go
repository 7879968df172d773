package nfse_test

import (
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/nfse"
)

const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

func TestID_Form(t *testing.T) {
	before := time.Now().UnixMilli()
	id := nfse.NewID(nfse.PrefixNote)
	after := time.Now().UnixMilli()

	body, ok := strings.CutPrefix(id, "nfse_")
	if !ok || len(body) != 26 {
		t.Fatalf("%q is not nfse_ and 26 characters", id)
	}
	bits := new(big.Int)
	for _, c := range body {
		value := strings.IndexRune(crockford, c)
		if value < 0 {
			t.Fatalf("%q holds %q", id, c)
		}
		bits.Or(bits.Lsh(bits, 5), big.NewInt(int64(value)))
	}
	if bits.BitLen() > 128 {
		t.Fatalf("%q holds more than 128 bits", id)
	}
	uuid := bits.FillBytes(make([]byte, 16))
	if version, variant := uuid[6]>>4, uuid[8]>>6; version != 7 || variant != 2 {
		t.Errorf("%q has version %d and variant %d", id, version, variant)
	}
	if made := new(big.Int).Rsh(bits, 80).Int64(); made < before || made > after {
		t.Errorf("%q says it was made at %d, not from %d to %d", id, made, before, after)
	}
}

func TestID_SortsByCreation(t *testing.T) {
	ids := make([]string, 20_000)
	for i := range ids {
		ids[i] = nfse.NewID(nfse.PrefixService)
	}
	for i := range ids[1:] {
		if ids[i] >= ids[i+1] {
			t.Fatalf("%q was made before %q", ids[i], ids[i+1])
		}
	}
}

func TestFirstID_DividesTime(t *testing.T) {
	early := nfse.NewID(nfse.PrefixNote)
	moment := time.Now().Add(time.Millisecond).Truncate(time.Millisecond)
	for time.Now().Before(moment) {
		time.Sleep(time.Until(moment))
	}
	first, late := nfse.FirstID(nfse.PrefixNote, moment), nfse.NewID(nfse.PrefixNote)
	if early >= first || first > late || !nfse.IsID(nfse.PrefixNote, first) {
		t.Errorf("of the moment between %s and %s the first id is %s", early, late, first)
	}
}

func TestID_Unique(t *testing.T) {
	const each = 5_000
	made := make([][]string, 8)
	var group sync.WaitGroup
	for i := range made {
		group.Go(func() {
			for range each {
				made[i] = append(made[i], nfse.NewID(nfse.PrefixEvent))
			}
		})
	}
	group.Wait()
	all := slices.Concat(made...)
	slices.Sort(all)
	if distinct := len(slices.Compact(all)); distinct != len(made)*each {
		t.Errorf("%d ids, %d of them distinct", len(made)*each, distinct)
	}
}

func TestID_OwnKindOnly(t *testing.T) {
	prefixes := []nfse.Prefix{
		nfse.PrefixOrganization, nfse.PrefixAPIKey, nfse.PrefixService, nfse.PrefixCustomer,
		nfse.PrefixNote, nfse.PrefixEvent, nfse.PrefixRequest,
	}
	for _, made := range prefixes {
		id := nfse.NewID(made)
		for _, asked := range prefixes {
			if nfse.IsID(asked, id) != (asked == made) {
				t.Errorf("IsID(%q, %q) is %v", asked, id, asked != made)
			}
		}
	}
}

func TestID_Refused(t *testing.T) {
	id := nfse.NewID(nfse.PrefixNote)
	for _, wrong := range []string{
		"", "nfse_", id[:len(id)-1], id + "0", " " + id, id + "\n", strings.ToUpper(id),
		strings.TrimPrefix(id, "nfse_"), "nfse" + id[5:] + "0", "nfse_" + id,
	} {
		if nfse.IsID(nfse.PrefixNote, wrong) {
			t.Errorf("%q is taken for an id", wrong)
		}
	}
	for c := range rune(0x100) {
		wrong := id[:10] + string(c) + id[11:]
		if nfse.IsID(nfse.PrefixNote, wrong) != strings.ContainsRune(crockford, c) {
			t.Errorf("IsID(%q) is %v", wrong, !strings.ContainsRune(crockford, c))
		}
	}
}
