package sefin

import (
	"mime"
	"net/http"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/nfse/fact"
)

// saysNothingExists reports whether a reply is a 404 by which the authority
// itself says that what was asked for does not exist.
func (r reply) saysNothingExists(body body) bool {
	if r.Status != http.StatusNotFound || !r.authentic(body) {
		return false
	}
	// A code of something else may come with it, such as a pause for maintenance.
	return !slices.ContainsFunc(body.errors, func(e answerError) bool {
		handling := r.dialect.rules().Handling(e.code, e.complement)
		return handling == fiscal.TryLater || handling == fiscal.CertificateRefused ||
			slices.Contains(r.dialect.rules().Failures, e.code)
	})
}

// authentic reports whether a 404 is plausibly the authority's own: JSON with
// what its answers carry, and at SEFIN the problem details of its framework, or no
// body at all. The page of a proxy or the words of a gateway are not: they say
// nothing of what exists.
func (r reply) authentic(body body) bool {
	if len(r.Body) == 0 && r.dialect == nil {
		media, _, _ := mime.ParseMediaType(r.ContentType)
		return media != "text/html"
	}
	for _, name := range []string{"tipoAmbiente", "versaoAplicativo", "dataHoraProcessamento", "idDps", "chaveAcesso"} {
		if value := body.text(name); value != "" {
			return true
		}
	}
	title := body.text("title")
	if status := body.text("status"); title != "" && status == "404" && r.dialect == nil {
		return true
	}
	return slices.ContainsFunc(body.errors, func(e answerError) bool { return rules.IsCode(e.code) })
}

// shutsOut reports whether a reply says that the certificate is not let in, and nothing more. What stands
// before the server of a city answers by pages of any status, so that there only its own 401 says so.
func (r reply) shutsOut(body body) bool {
	if r.dialect != nil {
		return r.Status == http.StatusUnauthorized && body.read
	}
	return r.ShutOut() && !slices.ContainsFunc(body.errors, func(e answerError) bool { return e.code != "" })
}

// needsPerson says what a person has to do before a city's server can answer; none where it may by itself.
func (r reply) needsPerson(body body) fact.Fact {
	switch {
	case r.dialect == nil:
	case r.Status >= 300 && r.Status < 400, r.Status == http.StatusNotFound && !r.authentic(body):
		return fact.CityServerMoved.With("status", r.Status)
	}
	return fact.Fact{}
}

// otherEnvironment says so when the answer is from another environment than the
// one asked.
func (r reply) otherEnvironment(body body) fact.Fact {
	environment := body.text("tipoAmbiente")
	if r.production && environment == "2" || !r.production && environment == "1" {
		return fact.SefinOtherEnvironment.With("environment", environment)
	}
	return fact.Fact{}
}

// unexpected returns the reason when an answer proves nothing.
func (r reply) unexpected(body body) fact.Fact {
	switch {
	case len(body.errors) > 0 && body.errors[0].code != "":
		return fact.SefinAnsweredCode.With("status", r.Status, "code", body.errors[0].code)
	case r.Status >= http.StatusBadGateway && r.Status <= http.StatusGatewayTimeout:
		return fact.SefinUnavailable.With("status", r.Status)
	case r.Status >= 300 && r.Status < 400:
		return fact.SefinAnsweredElsewhere.With("status", r.Status)
	case body.read:
		return fact.SefinAnsweredUnclearly.With("status", r.Status)
	case len(r.Body) == 0:
		return fact.SefinAnsweredNothing.With("status", r.Status)
	}
	return fact.SefinAnsweredNoJSON.With("status", r.Status)
}
