package accesskey

import (
	"testing"
	"time"
)

// sample is the key of an official sample.
const sample = "33045572211222333000181000000000001226111234567894"

func TestValid(t *testing.T) {
	for key, valid := range map[string]bool{
		sample: true, sample[:49] + "5": false, sample[:49]: false, "X" + sample[1:]: false, "": false,
	} {
		if Valid(key) != valid {
			t.Errorf("%s: %t", key, !valid)
		}
	}
}

func TestNew(t *testing.T) {
	note := Note{
		Municipality: "3304557", Generator: OfNation, Issuer: "11222333000181", Number: 12,
		IssuedAt: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Random: 123456789,
	}
	if key := New(note); key != sample {
		t.Errorf("it is %s", key)
	}
	note.Issuer = "52998224725"
	if key := New(note); key[8:23] != "100052998224725" || !Valid(key) {
		t.Errorf("of a person: %s", key)
	}
}

func TestNeighbour(t *testing.T) {
	next := Neighbour(sample)
	if next == sample || !Valid(next) || !Valid(Neighbour(next)) || Neighbour(next) == next {
		t.Errorf("beside %s: %s", sample, next)
	}
}
