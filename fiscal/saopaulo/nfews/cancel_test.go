package nfews

import (
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rps"
	"emissor/nfse/fact"
)

func TestCancelled(t *testing.T) {
	read := func(signings int, parts ...string) fiscal.Answer {
		return interpretCancelled(answered(cancelNFe, retornoOf(cancelNFe, parts...)), signings)
	}
	for name, answer := range map[string]fiscal.Answer{
		"done":           read(1, okHeader),
		"done before":    read(1, okHeader, alert("1301", "x")),
		"done, as a no":  read(1, noHeader, alert("1301", "x")),
		"done, as error": read(1, noHeader, failure("1301", "x")),
		"twice in it":    read(1, okHeader, alert("1302", "x")),
		"in another form": interpretCancelled(answered(cancelNFe,
			`<a:RetornoCancelamentoNFe xmlns:a="b"><a:Cabecalho><a:Sucesso>1</a:Sucesso></a:Cabecalho>`+
				`</a:RetornoCancelamentoNFe>`), 1),
	} {
		expect(t, name, answer, accepted, fact.Fact{})
		if answer.Match != fiscal.MatchOurs || answer.Document != nil || answer.EventXML != nil {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	for code, want := range map[string]fiscal.Handling{
		"1305": fiscal.SignAgain, "1304": fiscal.NeedsConfirmation, "1051": fiscal.CertificateRefused,
		"1306": fiscal.Final, "323": fiscal.Final, "324": fiscal.Final, "386": fiscal.Final, "218": fiscal.Final,
		"4711": fiscal.Uncatalogued,
	} {
		answer := read(1, noHeader, failure(code, "x"))
		expect(t, code, answer, rejectedWord, fact.Fact{})
		if answer.Handling != want || answer.Rejection.Action == "" || answer.Rejection.Field != nil ||
			strings.Contains(answer.Rejection.Action, "new reference") && code != "324" {
			t.Errorf("%s: %s %+v", code, answer.Handling, answer.Rejection)
		}
	}
	if second := read(2, noHeader, failure("1305", "x")); second.Handling != fiscal.Final {
		t.Errorf("both widths were tried: %+v", second)
	}
	expect(t, "nothing", read(1), unknownWord, fact.CityUnclear.Fact())
	expect(t, "a no alone", read(1, noHeader), unknownWord, fact.CityUnclear.Fact())
	expect(t, "both", read(1, okHeader, failure("1304", "x")), unknownWord,
		fact.CitySuccessAndErrors.With("codes", "1304"))
}

func TestStanding(t *testing.T) {
	nine := rps.NoteKey{Registration: "31000000", Number: 9}
	read := func(parts ...string) fiscal.Answer {
		return interpretStanding(answered(findNFe, retornoOf(findNFe, parts...)), nine)
	}
	expect(t, "stands", read(okHeader, noteOf(9, "N")), notFoundWord, fact.Fact{})
	expect(t, "cancelled", read(okHeader, noteOf(9, "C")), accepted, fact.Fact{})
	expect(t, "lost", read(okHeader, noteOf(9, "E")), unknownWord, fact.CityNoteStatusUnknown.Fact())
	expect(t, "another", read(okHeader, noteOf(8, "C")), unknownWord, fact.CityAboutAnotherNote.Fact())
	expect(t, "several", read(okHeader, noteOf(9, "C"), noteOf(9, "N")), unknownWord, fact.CityAboutSeveralNotes.Fact())
	expect(t, "not there", read(noHeader, failure("1106", "x")), unknownWord,
		fact.CityAnsweredCodes.With("codes", "1106"))
	expect(t, "unreadable", read(okHeader, noteOf(9, "C", "T10:00", "")), unknownWord,
		fact.CityNoteWrong.With("why", fact.CityNoteWithoutMoment.Fact()))
}
