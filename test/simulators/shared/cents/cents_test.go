package cents

import "testing"

func TestRead(t *testing.T) {
	for text, cents := range map[string]int64{
		"0": 0, "0.05": 5, "1": 100, "1.": 100, "1.5": 150, "12.34": 1234, "1500.00": 150000,
	} {
		if Read(text) != cents {
			t.Errorf("%s is %d", text, Read(text))
		}
	}
}

func TestShare(t *testing.T) {
	for _, test := range []struct{ amount, percent, share int64 }{
		{150000, 200, 3000}, {1, 5000, 1}, {1, 4999, 0}, {333, 1000, 33}, {335, 1000, 34}, {100, 0, 0},
	} {
		if share := Share(test.amount, test.percent); share != test.share {
			t.Errorf("%d of %d is %d", test.percent, test.amount, share)
		}
	}
}

func TestShareEven(t *testing.T) {
	for _, test := range []struct{ amount, percent, share int64 }{
		{150000, 200, 3000}, {1, 5000, 0}, {3, 5000, 2}, {1, 5001, 1}, {66700, 150, 1000}, {66701, 150, 1001},
		{100011, 465, 4651}, {99_999_999_999_999_999, 10000, 99_999_999_999_999_999}, {100, 0, 0},
	} {
		if share := ShareEven(test.amount, test.percent); share != test.share {
			t.Errorf("%d of %d is %d", test.percent, test.amount, share)
		}
	}
}
