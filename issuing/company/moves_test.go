package company_test

import (
	"reflect"
	"strings"
	"testing"

	"emissor/issuing/company"
	"emissor/nfse"
)

func TestParseMoves(t *testing.T) {
	moves, err := company.ParseMoves([]string{" 2027-06-01=national:2 ", "2027-01-01=sao-paulo:7:1-500"})
	expected := []nfse.Move{
		{From: "2027-01-01", Authority: "sao-paulo", Series: 7, GrantedNumbers: &nfse.NumberRange{First: 1, Last: 500}},
		{From: "2027-06-01", Authority: "national", Series: 2},
	}
	if err != nil || !reflect.DeepEqual(moves, expected) {
		t.Errorf("read are %+v, %v", moves, err)
	}
	for i, words := range []string{"2027-01-01=sao-paulo:7:1-500", "2027-06-01=national:2"} {
		if written := company.MoveWords(expected[i]); written != words {
			t.Errorf("%s is written as %s", words, written)
		}
	}
	for _, none := range [][]string{nil, {}, {"none"}} {
		if moves, err := company.ParseMoves(none); err != nil || moves != nil {
			t.Errorf("%q are %v, %v", none, moves, err)
		}
	}
	for _, wrong := range []string{"", "none:1", "2027-01-01", "2027-01-01=national", "2027-01-01=national:", "national:2",
		"2027-02-30=national:2", "2027-01-01=national:x", "2027-01-01=national:2:", "2027-01-01=national:2:9-1"} {
		if moves, err := company.ParseMoves([]string{wrong}); err == nil {
			t.Errorf("%q is read as %+v", wrong, moves)
		}
	}
}

// Each move must be right by the rules of its own authority, and of a day of its own.
func TestCheckProfile_Moves(t *testing.T) {
	profile := func(moves ...nfse.Move) nfse.FiscalProfile {
		return nfse.FiscalProfile{OrganizationID: "org_1", Authority: "sao-paulo", TaxID: "11222333000181",
			MunicipalityCode: "3550308", MunicipalRegistration: new("31000000"), Simples: nfse.SimplesNone, Series: 99999,
			Moves: moves}
	}
	national := nfse.Move{From: "2027-01-01", Authority: "national", Series: 2}
	if err := company.CheckProfile(profile(national)); err != nil {
		t.Error(err)
	}
	for words, moves := range map[string][]nfse.Move{
		"distinct days":                 {national, national},
		"in their order":                {national, {From: "2026-12-01", Authority: "sao-paulo", Series: 1}},
		"authority: must be":            {{From: "2027-01-01", Authority: "atlantis", Series: 1}},
		"from 2027-01-01 on, series":    {{From: "2027-01-01", Authority: "national", Series: 50000}},
		"has a day that must be":        {{From: "1999-01-01", Authority: "national", Series: 1}},
		"from 2027-01-01 on, municipal": {{From: "2027-01-01", Authority: "campinas", Series: 1}},
		"granted_numbers: must be from 1": {{From: "2027-01-01", Authority: "national", Series: 1,
			GrantedNumbers: &nfse.NumberRange{First: 5, Last: 4}}},
	} {
		err := company.CheckProfile(profile(moves...))
		if err == nil || !strings.Contains(err.Error(), words) || !strings.Contains(err.Error(), "(moves)") {
			t.Errorf("%q: %v", words, err)
		}
	}
}

// A next number is one that is granted.
func TestCheckNextNumber_Granted(t *testing.T) {
	profile := company.NewProfile("org_1")
	profile.Series, profile.GrantedNumbers = 1, &nfse.NumberRange{First: 101, Last: 200}
	for number, right := range map[int64]bool{100: false, 101: true, 200: true, 201: false} {
		if err := company.CheckNextNumber(profile, number); (err == nil) != right {
			t.Errorf("%d: %v", number, err)
		}
	}
}
