// Package description is the form in which an authority is described to the rest of the
// program, once: pages, commands and rules ask the description, and none of them knows an
// authority by its name. Each authority's package of rules has one; package authorities
// lists them.
package description

import (
	"emissor/fiscal"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Authority describes an authority by which notes are issued.
type Authority struct {
	Name                string // in fiscal profiles, task queues and metrics
	English, Portuguese string // what people call it

	// Municipality is the IBGE code of the city whose own service it is; empty for others.
	Municipality string
	// Off says why no notes are issued by it before an operator turns it on; empty: they are.
	Off string
	// WhyOff is the same as a fact, which has both languages where the program knows the reason.
	WhyOff fact.Fact

	// ValidateProfile refuses a fiscal profile that no note could be issued with: the error is
	// an *nfse.Error that names the field.
	ValidateProfile func(nfse.FiscalProfile) error
	// ProfileFields are the fields of a fiscal profile that only this authority asks for.
	ProfileFields []string
	// GreatestNumber is the greatest that a note of a series can have.
	GreatestNumber int64
	// ExactHolder says that a certificate signs only for the very establishment that it names:
	// see fiscal.Holder.
	ExactHolder bool
	// TakesTurns says that what is sent under a series goes one at a time, and that numbers are
	// asked about before: see fiscal.Capabilities.
	TakesTurns bool
	// TakesLogin says that companies may have a user and a password there, which are sent beside the certificate.
	TakesLogin bool
	// TellsOfAll says that it distributes to an issuer what happens to its documents, whichever
	// authority they were issued by.
	TellsOfAll bool

	// CityRefuses says what the parameters that cities have set there hold against the issuer
	// of a declaration; none where nothing does. Nil: cities are not asked.
	CityRefuses func(fiscal.Declaration) fact.Fact

	// GroupsObjection says what is wrong with what a declaration has beyond the API, or what it lacks
	// of that, as far as it can be told without cities and tables; none where nothing is.
	GroupsObjection func(fiscal.Declaration) fact.Fact

	// Sites are the construction work and the event that its document of a declaration names; nil
	// where it names none.
	Sites func(fiscal.Declaration) (*nfse.Work, *nfse.CulturalEvent)

	// LikelyRate is the ISS rate by which a note's totals are estimated before it is issued; nil
	// where nothing is known of it. What the authority applies is its own word.
	LikelyRate func(fiscal.Declaration) *nfse.Rate

	// CityRate names the city whose rate of ISS the authority applies to a declaration, regardless of what the service
	// says, and the service by the name that the city's parameters have for it; empty where it applies no city's. Nil:
	// it never does.
	CityRate func(fiscal.Declaration) (municipalityCode, service string)

	// MunicipalCodeDefect says why notes of a service of a day of competence wait for the city's own
	// code of it (nfse.ServiceTaxation.MunicipalCode); none where they do not. Nil: it wants none.
	MunicipalCodeDefect func(serviceID, code string, day nfse.Day) fact.Fact
	// ClassifiedFrom is the first day of competence of which every note needs a classification of its service,
	// regardless of the installation's setting; empty: the setting alone decides.
	ClassifiedFrom nfse.Day
	// ServiceDefect is the code of what notes of a service would be refused for; empty for none.
	ServiceDefect func(nfse.ServiceSnapshot) (code string)
	// Tables are the classification tables of a day as the authority applies them.
	Tables func(classification.Tables) classification.Tables
	// ClassificationDefect is the first reason why the authority would refuse a classification
	// of a service with this national tax code; nil for none.
	ClassificationDefect func(tables classification.Tables, classified nfse.Classification,
		nationalTaxCode string) *classification.Defect
	// Misclassified reports whether notes of a service classified so are refused or held today.
	Misclassified func(tables classification.Tables, classified nfse.Classification, nationalTaxCode string) bool

	// Catalogue is what is known of its rules: what codes of rejections mean and what to do
	// about them.
	Catalogue *rulecatalogue.Catalogue

	// RepairOf is what is known of a code by which the authority refuses documents.
	RepairOf func(code string) fiscal.Repair

	// Replacement is how a note is replaced by another; nil: it is not, by this program.
	Replacement *Replacement

	// Limits are what is not done for a note that it issued to an issuer: that it takes no cancellation
	// from programs on a day, that it replaces none, that its server does not tell of cancellations by
	// others. Nil: there is nothing of it to say.
	Limits func(on nfse.Day) Limits

	// PublicURL is where anybody can see the note of an access key; nil: there is none.
	PublicURL func(accessKey string) string
	// OwnURL is where the authority shows, and prints, a note itself: it has no DANFSe then.
	// Nil: it has one.
	OwnURL func(issuer nfse.FiscalProfile, number, verificationCode string) string
}

// Limits are what an authority does not do for notes that it issued, each as why; none where it does.
type Limits struct {
	Cancelling fact.Fact // it takes no cancellation from programs: one ends refused, and nothing is sent
	Replacing  fact.Fact // notes are not replaced through it
	Telling    fact.Fact // its own server does not tell of cancellations by others
}
