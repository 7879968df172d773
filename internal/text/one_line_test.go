package text_test

import (
	"testing"

	"emissor/internal/text"
)

func TestShown(t *testing.T) {
	for given, want := range map[string]string{
		"Código  não\r\n\tencontrado ": "Código não encontrado",
		"a\x00b\x1bc\u009bd":           "abcd", // no command of a terminal
		"a\xffb\ufffdc":                "abc",  // no UTF-8
		"a\u202eb\u200bc":              "abc",  // nothing that turns the direction
		"a\u00a0b\u2028c":              "a b c",
		"\u6f22 \U0001F600":            "\u6f22 \U0001F600",
		" \x00 ":                       "",
	} {
		if got := text.Shown(given); got != want {
			t.Errorf("%q is shown as %q, want %q", given, got, want)
		}
	}
}

func TestShortened(t *testing.T) {
	for given, want := range map[string]string{"": "", "ação": "ação", "ações": "açõ…", "abcdefgh": "abc…"} {
		if got := text.Shortened(given, 4); got != want {
			t.Errorf("%q is shortened to %q, want %q", given, got, want)
		}
	}
}
