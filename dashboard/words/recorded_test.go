package words

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A text that the sources record and that is not here would be read in English by
// somebody who reads Portuguese.
func TestRecorded_KnowsWhatTheSourcesRecord(t *testing.T) {
	letters := regexp.MustCompile(`[a-z]{3}`)
	verb := regexp.MustCompile(`%[a-z]`)
	sample := strings.NewReplacer("%s", "x9", "%q", `"x9"`, "%d", "7", "%w", "x9", "%n", "x9")
	said := 0
	for _, room := range []string{
		"activities", "dispatch", "fiscal", "fiscal/national/adn", "fiscal/national/classification",
		"fiscal/national/rules", "fiscal/national/sefin", "fiscal/saopaulo", "fiscal/saopaulo/nfews",
		"fiscal/saopaulo/rps", "fiscal/saopaulo/rules", "mail", "store", "webhook", "dashboard",
	} {
		for _, written := range parseSource(t, room).recordedTexts() {
			plain := strings.TrimSpace(verb.ReplaceAllString(written, ""))
			if !letters.MatchString(plain) || !strings.Contains(plain, " ") || strings.Contains(plain, "SELECT") ||
				notRecorded[written] {
				continue
			}
			said++
			text := sample.Replace(written)
			if _, known := inPortuguese(text); !known {
				t.Errorf("%s records %q, which recorded_texts.go does not have in Portuguese", room, written)
			}
		}
	}
	if said < 160 {
		t.Errorf("only %d texts were found", said)
	}
}

// notRecorded are texts of the same places that no note is recorded with.
var notRecorded = map[string]bool{
	// Parts, which are put together to texts that are known.
	"rejected by the %s: %s": true, "delivery %s %s: %s": true,
	", and the address lacks %s.": true, "The customer withholds the ISS%s": true,
	"The ISS is due to the customer's city%s": true, "the answer %s": true, " (alerts %s)": true,
	"%s failed with %d": true, "the document in the answer ": true,
	"the event in the answer ": true, "%w: %s; add one with `emissor certificate add`": true,
	// Of the engine, and of what belongs to no note.
	"another issuer is asked about: one at a time": true, "the lease of the exchange was lost": true,
	"the worker stops": true, "there is more to do than one attempt does": true,
	"another worker is at this exchange, or was cut off": true,
	"the worker has no address of the ADN for this environment: EMISSOR_NATIONAL_PRODUCTION_ADN_URL, " +
		"EMISSOR_NATIONAL_RESTRICTED_ADN_URL": true,
	// Within facts.
	"aderenteEmissorNacional 0": true, "situacaoEmissaoPadraoContribuintesRFB 0": true,
}

// The steps that the database puts together are made of known parts.
func TestRecorded_KnowsWhatSQLRecords(t *testing.T) {
	var known []string
	for _, table := range recordedTables {
		for _, text := range table {
			known = append(known, strings.ReplaceAll(text.written, "|", ""))
		}
	}
	found := parseSource(t, "store").quoted()
	if len(found) < 6 { // MERGE: the others are facts by now
		t.Errorf("only %d texts were found: %q", len(found), found)
	}
	for _, part := range found {
		part = strings.TrimSpace(part)
		if !slices.ContainsFunc(known, func(text string) bool { return strings.Contains(text, part) }) {
			t.Errorf("the store writes %q, which recorded_texts.go does not have in Portuguese", part)
		}
	}
}

// What is filled in into the one text is filled in into the other.
func TestRecorded_TextsAgree(t *testing.T) {
	verb := regexp.MustCompile(`%[swdnq]`)
	command := regexp.MustCompile("`[^`]*`")
	english := regexp.MustCompile(`(?i)\b(the|is|are|was|with|not|that|has|must|which|and)\b`)
	seen := map[string]bool{}
	for _, table := range recordedTables {
		for _, text := range table {
			if seen[text.written] {
				t.Errorf("%q is there twice", text.written)
			}
			seen[text.written] = true
			want := len(verb.FindAllString(text.written, -1))
			if strings.Count(text.portuguese, "%s") != want ||
				strings.Count(text.written, "|") != strings.Count(text.portuguese, "|") {
				t.Errorf("%q and %q do not agree", text.written, text.portuguese)
			}
			if english.MatchString(command.ReplaceAllString(text.portuguese, "")) {
				t.Errorf("%q is no Portuguese", text.portuguese)
			}
			if strings.HasSuffix(text.written, ".") != strings.HasSuffix(text.portuguese, ".") {
				t.Errorf("%q and %q do not end alike", text.written, text.portuguese)
			}
		}
	}
}

func TestRecorded(t *testing.T) {
	for _, one := range []struct{ written, said string }{
		{
			"the organization has no fiscal profile: set one with `emissor fiscal-profile set`",
			"a empresa não tem perfil fiscal: preencha-o em Empresa › Perfil fiscal",
		},
		{ // the reason of a refusal is the authority's
			"no certificate is usable: the authority refused crt_1: revoked (E1207); add one with " +
				"`emissor certificate add`",
			"nenhum certificado pode ser usado: a autoridade recusou crt_1: revoked (E1207); inclua um em " +
				"Empresa › Certificados",
		},
		{
			"E0038: by its parameters (convênio not active) the issuer's city, 3550308, has no active agreement with " +
				"the national system. The note goes on by itself when they change. If the parameters are wrong: " +
				"emissor municipality show 3550308 says what is known since when, emissor municipality refresh " +
				"3550308 --environment production has them fetched again, and emissor fiscal-profile set " +
				"--ignore-municipal-parameters goes on without them.",
			"E0038: pelos parâmetros (convênio não ativo), o município do emitente, 3550308, não tem convênio ativo " +
				"com o sistema nacional. A nota continua sozinha quando eles mudarem. Se os parâmetros estiverem " +
				"errados: `emissor municipality show 3550308` diz o que se sabe desde quando, `emissor municipality " +
				"refresh 3550308 --environment production` os busca de novo, e Empresa › Perfil fiscal permite " +
				"seguir sem eles.",
		},
		{
			"the authority would not take the note any more (E0310): The national tax code 010101 is not on the " +
				"national list of services.",
			"a autoridade não aceitaria mais a nota (E0310): O código de tributação nacional 010101 não está na " +
				"lista nacional de serviços.",
		},
		{
			"the series is held: the city cancelled the note 8, which was made of the RPS 3 of series 7 " +
				"before, and issued the note 9 in its place; emissor series says what to do",
			"a série está retida: a prefeitura cancelou a nota 8, feita antes do RPS 3 da série 7, e emitiu " +
				"a nota 9 no lugar dela; Empresa › Numeração diz a quem pedir a liberação",
		},
		{
			"the city refuses the certificate (1054): add one that it takes by emissor certificate add; it is tried " +
				"again every hour",
			"a prefeitura recusa o certificado (1054): inclua em Empresa › Certificados um que ela aceite; tenta-se " +
				"de novo a cada hora",
		},
		{
			"the service has no classification for IBS and CBS, which layout 2 requires: give it by emissor service " +
				"classify",
			"o serviço não tem classificação de IBS e CBS, que o leiaute 2 exige: informe em Serviços",
		},
		{
			"the classification of the service cannot be sent: nbs must be 9 digits (268): give it by emissor " +
				"service classify",
			"a classificação do serviço não pode ser enviada: nbs deve ter 9 dígitos (268): corrija-a em Serviços",
		},
		{
			"connecting to the mail server failed: dial tcp 10.0.0.7:587: connect: connection refused",
			"falha em conectar ao servidor de e-mail: conexão recusada por 10.0.0.7:587",
		},
		{
			"securing the connection to the mail server failed: tls: failed to verify certificate: x509: certificate " +
				"is valid for a.example, not b.example",
			"falha em proteger a conexão com o servidor de e-mail: o certificado TLS não pôde ser verificado: vale " +
				"para a.example, e não para b.example",
		},
		{ // the server's words are quoted
			"naming the recipient failed: 550 5.1.1 no such user here",
			"falha em informar o destinatário: “550 5.1.1 no such user here”",
		},
		// What is unknown, and what is hostile.
		{"something else went wrong", "something else went wrong"},
		{"<b>100% {{.}} waits</b>", "<b>100% {{.}} waits</b>"},
		{"the city answered 100%d of it", "a prefeitura respondeu 100%d of it"},
		{"", ""},
	} {
		if found := Portuguese.Recorded(one.written); found != one.said {
			t.Errorf("%q is %q, not %q", one.written, found, one.said)
		}
		if found := English.Recorded(one.written); found != one.written {
			t.Errorf("%q is %q in English", one.written, found)
		}
	}
}

// What may be somebody else's words is quoted, in both languages.
func TestTold(t *testing.T) {
	for _, one := range []struct{ written, portuguese, english string }{
		{"no SMTP server is configured", "nenhum servidor SMTP está configurado", "no SMTP server is configured"},
		{"maintenance until monday", "“maintenance until monday”", "“maintenance until monday”"},
		{"the endpoint is disabled: disabled in the dashboard", "o endpoint está desativado: desativado no painel",
			"the endpoint is disabled: disabled in the dashboard"},
	} {
		if found := Portuguese.Told(one.written); found != one.portuguese {
			t.Errorf("%q is %q, not %q", one.written, found, one.portuguese)
		}
		if found := English.Told(one.written); found != one.english {
			t.Errorf("%q is %q in English, not %q", one.written, found, one.english)
		}
	}
}
