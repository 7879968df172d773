package api

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"emissor/municipality"
	"emissor/nfse"
)

// rule checks a text and returns it as it is kept. Its error reads after the
// name of the field: "must be ...".
type rule func(string) (string, error)

// line is a text of one line, its length counted in characters as people see
// them: composed or not, an é is one.
func line(least, most int) rule { return text(least, most, "") }

// lines is a text that may have several lines.
func lines(least, most int) rule { return text(least, most, "\r\n\t") }

func text(least, most int, allowedControls string) rule {
	return func(s string) (string, error) {
		for _, r := range s {
			if unicode.IsControl(r) && !strings.ContainsRune(allowedControls, r) {
				return "", errors.New("must not hold control characters")
			}
		}
		if length := utf8.RuneCountInString(norm.NFC.String(s)); length < least || length > most {
			return "", fmt.Errorf("must have %d to %d characters", least, most)
		}
		if strings.TrimSpace(s) == "" {
			return "", errors.New("must not be blank")
		}
		return s, nil
	}
}

// anyText is for ids: a malformed one names nothing, which is found out where
// the others that name nothing are.
func anyText(s string) (string, error) { return s, nil }

// reference is the caller's name for a charge: stable, so nothing in it may be
// invisible.
func reference(s string) (string, error) {
	if strings.TrimSpace(s) != s {
		return "", errors.New("must not begin or end with a space")
	}
	return line(1, 200)(s)
}

func document(s string) (string, error) {
	parsed, err := nfse.ParseTaxID(s)
	return string(parsed), err
}

// pattern is a text of one form, kept without the characters in drop.
func pattern(form, drop, problem string) rule {
	compiled := regexp.MustCompile("^(?:" + form + ")$")
	return func(s string) (string, error) {
		if !compiled.MatchString(s) {
			return "", errors.New(problem)
		}
		return strings.ReplaceAll(s, drop, ""), nil
	}
}

var (
	zipCode          = pattern(`[0-9]{5}-?[0-9]{3}`, "-", "must be a zip code of 8 digits")
	nationalTaxCode  = pattern(`[0-9]{6}|[0-9]{2}\.[0-9]{2}\.[0-9]{2}`, ".", "must be 6 digits, as 010701 or 01.07.01")
	municipalTaxCode = pattern(`[0-9]{4,5}`, "-", "must be 4 or 5 digits")
	ibgeForm         = pattern(`[0-9]{7}`, "-", "must be an IBGE code of 7 digits")
	emailForm        = pattern(`[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+`,
		" ", "must be an e-mail address")
)

func email(s string) (string, error) {
	if _, err := line(1, 80)(s); err != nil {
		return "", err
	}
	return emailForm(s)
}

// municipalityCode is the code of a municipality that exists.
func municipalityCode(s string) (string, error) {
	code, err := ibgeForm(s)
	if err == nil && !municipality.Exists(code) {
		err = errors.New("is not the IBGE code of a municipality")
	}
	return code, err
}

// oneOf is one of a few words.
func oneOf(words ...string) rule {
	return func(s string) (string, error) {
		if !slices.Contains(words, s) {
			return "", fmt.Errorf("must be one of: %s", strings.Join(words, ", "))
		}
		return s, nil
	}
}
