package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/store"
)

// classificationParts are the parts of a classification: each is a flag, and a
// column of a CSV file.
var classificationParts = []struct{ name, usage string }{
	{"nbs", "cNBS, 9 digits (with or without dots)"},
	{"cindop", "cIndOp, 6 digits: where the operation takes place, by Annex C"},
	{"cst", "CST, 3 digits; without it the first three of the cClassTrib"},
	{"cclasstrib", "cClassTrib, 6 digits"},
	{"indfinal", "whether it is for personal use or consumption: true or false; without it nothing is said"},
	{"cst-reg", "CSTReg, 3 digits; without it the first three of the cClassTribReg"},
	{"cclasstrib-reg", "cClassTribReg, 6 digits: the regular taxation, where the cClassTrib requires it"},
	{"pdif-uf", "deferred part of the state's IBS in percent, as 40.00, where the CST requires it"},
	{"pdif-mun", "deferred part of the city's IBS, likewise"},
	{"pdif-cbs", "deferred part of the CBS, likewise"},
	{"ccredpres", "cCredPres, 2 digits, where the cClassTrib allows it"},
	{"tp-ente-gov", "government that buys: 1 union, 2 state, 3 federal district, 4 city"},
	{"tp-oper", "order of supply and payment: 1 paid later, 4 paid before, 5 at once"},
	{"property-registration", "the property's registration with the city (inscImobFisc)"},
	{"property-cib", "its number in the Brazilian register (cCIB), 8 characters; or else its address:"},
	{"property-zip-code", "zip code, 8 digits"},
	{"property-street", "kind and name of the street"},
	{"property-number", "number"},
	{"property-complement", "complement"},
	{"property-district", "district"},
}

// partFault is what is wrong with one part of a classification.
type partFault struct{ part, message string }

func (f *partFault) Error() string { return f.part + " " + f.message }

// atPartFlag names the flag of a part that is wrong.
func atPartFlag(err error) error {
	var wrong *partFault
	if errors.As(err, &wrong) {
		return errors.New("--" + wrong.Error())
	}
	return err
}

// parseClassification reads a classification from its parts; an empty one is not
// given.
func parseClassification(part func(name string) string) (c nfse.Classification, err error) {
	given := func(names ...string) bool {
		for _, name := range names {
			if part(name) != "" {
				return true
			}
		}
		return false
	}
	p := partReader{part: part}
	c = nfse.Classification{NBS: strings.ReplaceAll(part("nbs"), ".", ""), CIndOp: part("cindop"),
		CClassTrib: part("cclasstrib"), CST: p.cst("cst", "cclasstrib"),
		IndFinal: p.boolean("indfinal"), CCredPres: orNone(part("ccredpres")),
		TpEnteGov: p.digit("tp-ente-gov"), TpOper: p.digit("tp-oper")}
	if given("cst-reg", "cclasstrib-reg") {
		c.RegularTaxation = &nfse.RegularTaxation{CST: p.cst("cst-reg", "cclasstrib-reg"),
			CClassTrib: part("cclasstrib-reg")}
	}
	if given("pdif-uf", "pdif-mun", "pdif-cbs") {
		c.Deferral = &nfse.Deferral{State: p.percent("pdif-uf"), Municipal: p.percent("pdif-mun"),
			Federal: p.percent("pdif-cbs")}
	}
	address := []string{"property-zip-code", "property-street", "property-number", "property-complement",
		"property-district"}
	if given("property-registration", "property-cib") || given(address...) {
		c.Property = &nfse.Property{Registration: orNone(part("property-registration")),
			CIB: orNone(part("property-cib"))}
	}
	if given(address...) {
		c.Property.Address = &nfse.PropertyAddress{ZipCode: strings.Replace(part("property-zip-code"), "-", "", 1),
			Street: part("property-street"), Number: part("property-number"),
			Complement: orNone(part("property-complement")), District: part("property-district")}
	}
	return c, p.err
}

// partReader reads parts; the first that is wrong is its error.
type partReader struct {
	part func(name string) string
	err  error
}

func (p *partReader) fail(name, message string) {
	if p.err == nil {
		p.err = &partFault{name, message}
	}
}

func (p *partReader) cst(name, classTrib string) string {
	if given := p.part(name); given != "" {
		return given
	}
	code := p.part(classTrib)
	return code[:min(3, len(code))]
}

func (p *partReader) boolean(name string) *bool {
	switch p.part(name) {
	case "":
		return nil
	case "true":
		return new(true)
	case "false":
		return new(false)
	}
	p.fail(name, "must be true or false")
	return nil
}

func (p *partReader) digit(name string) *int {
	text := p.part(name)
	if text == "" {
		return nil
	}
	value, err := strconv.Atoi(text)
	if err != nil || len(text) != 1 {
		p.fail(name, "must be a digit")
	}
	return &value
}

func (p *partReader) percent(name string) nfse.Percent {
	var value percentFlag
	if p.part(name) == "" {
		p.fail(name, "must be given with the other percentages")
	} else if err := value.Set(p.part(name)); err != nil {
		p.fail(name, err.Error())
	}
	return nfse.Percent(value)
}

// checkClassification refuses what the authority would refuse.
func checkClassification(tables classification.Tables, c nfse.Classification, nationalTaxCode string) error {
	if fault := tables.Fault(c, nationalTaxCode); fault != nil {
		return &partFault{fault.Field, fmt.Sprintf("%s (%s)", fault.Message, fault.Rule)}
	}
	return nil
}

func serviceClassifyCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "classify SERVICE --organization ORG --nbs CODE --cindop CODE --cclasstrib CODE | " +
			"classify --organization ORG --csv FILE",
		Short: "Classify services for IBS and CBS; live notes that wait for it continue at once",
		Long: `Classify a service for IBS and CBS, in the place of how it was classified before, or those of a CSV file, all
or none; live notes that wait for it continue at once.

What is given is checked by the tables in force today, and refused with the authority's code of the rule that it
breaks. The file has a first line of column names: service, and the names of the flags (nbs, cindop, ...); "-" is the
standard input.`,
		Args: cobra.MaximumNArgs(1),
	}
	organization := organizationFlag(command)
	environment := liveUnlessSaid(command)
	parts := map[string]*string{}
	for _, part := range classificationParts {
		parts[part.name] = command.Flags().String(part.name, "", part.usage)
	}
	file := command.Flags().String("csv", "", "file of services and how they are classified")
	remove := command.Flags().Bool("remove", false, "take the service's classification away")
	partsGiven := func() bool {
		for _, part := range classificationParts {
			if command.Flags().Changed(part.name) {
				return true
			}
		}
		return false
	}
	return checkedCommand(command, func(args []string) error {
		switch {
		case (len(args) == 1) == (*file != ""):
			return errors.New("say which service, or --csv")
		case partsGiven() && (*file != "" || *remove):
			return errors.New("the parts of a classification are for one service that is classified: " +
				"neither --csv nor --remove goes with them")
		case *file != "" && *remove:
			return errors.New("--remove is for one service")
		}
		return nil
	}, func(ctx context.Context, s *session) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		switch {
		case *file != "":
			return classifyFromFile(ctx, s, scope, *file)
		case *remove:
			if err := s.changes.RemoveClassification(ctx, scope, s.args[0]); err != nil {
				return err
			}
			return s.printf("%s is no longer classified\n", s.args[0])
		}
		return atPartFlag(classifyOne(ctx, s, scope, s.args[0], func(name string) string { return *parts[name] }))
	})
}

// classifiedService is what is printed of a service that was classified.
type classifiedService struct {
	printedService
	Warnings []string `json:"warnings"`
}

func classifyOne(
	ctx context.Context, s *session, scope nfse.Scope, serviceID string, part func(name string) string,
) error {
	service, err := serviceOf(ctx, s, scope, serviceID)
	if err != nil {
		return err
	}
	c, err := parseClassification(part)
	if err != nil {
		return err
	}
	editions, err := s.editions(ctx)
	if err != nil {
		return err
	}
	tables := editions.On(classification.Day(time.Now()))
	if err := checkClassification(tables, c, orNothing(service.NationalTaxCode)); err != nil {
		return err
	}
	_, err = s.changes.ClassifyServices(ctx, scope, []store.ServiceClassification{
		{ServiceID: serviceID, Classification: c}})
	if err != nil {
		return err
	}
	printed := classifiedService{
		printedService: newPrintedService(store.ClassifiedService{Service: service, Classification: &c}, tables),
		Warnings:       append([]string{}, tables.Warnings(c)...),
	}
	if err := s.print(printed, serviceTable.header, [][]any{serviceTable.row(printed.printedService)}); err != nil {
		return err
	}
	for _, warning := range printed.Warnings {
		if err := s.printf("\nWARNING: %s.\n", warning); err != nil {
			return err
		}
	}
	return nil
}
