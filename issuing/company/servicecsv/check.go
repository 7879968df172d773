package servicecsv

import (
	"errors"
	"fmt"

	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/catalogues"
)

// maxDefects is how many defects of a file are reported at once.
const maxDefects = 20

// checkLines checks every line. Its error names each that is wrong, up to a
// number; warnings name the first line that they are about.
func checkLines(
	lines []line, codes map[string]string, classifier company.Classifier,
) (checked []catalogues.ServiceClassification, warnings []string, err error) {
	var defects []error
	wrong := 0
	at := make(map[string]int, len(lines)) // line of each service
	warned := map[string][]int{}
	var order []string
	for _, line := range lines {
		c, err := line.check(codes, classifier)
		if before, twice := at[line.serviceID]; err == nil && twice {
			err = fmt.Errorf("the service %s is in line %d, too", line.serviceID, before)
		}
		at[line.serviceID] = line.number
		if err != nil {
			if wrong++; wrong <= maxDefects {
				defects = append(defects, fmt.Errorf("line %d: %w", line.number, err))
			}
			continue
		}
		for _, warning := range classifier.Warnings(c) {
			if warned[warning] == nil {
				order = append(order, warning)
			}
			warned[warning] = append(warned[warning], line.number)
		}
		checked = append(checked, catalogues.ServiceClassification{ServiceID: line.serviceID, Classification: c})
	}
	if wrong > maxDefects {
		defects = append(defects, fmt.Errorf("and %d more lines are wrong", wrong-maxDefects))
	}
	warnings = []string{}
	for _, warning := range order {
		numbers := warned[warning]
		warnings = append(warnings, fmt.Sprintf("line %d, %d in all: %s", numbers[0], len(numbers), warning))
	}
	return checked, warnings, errors.Join(defects...)
}

func (l line) check(
	codes map[string]string, classifier company.Classifier,
) (c nfse.Classification, err error) {
	if l.serviceID == "" {
		return c, errors.New("service must be given")
	}
	code, known := codes[l.serviceID]
	if !known {
		return c, fmt.Errorf("the organization has no service %s in this environment", l.serviceID)
	}
	c, defect := classifier.Read(l.part, code)
	if defect != nil {
		return c, defect
	}
	return c, nil
}
