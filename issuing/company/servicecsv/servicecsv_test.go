package servicecsv

import (
	"strings"
	"testing"

	"emissor/fiscal/authorities"
	"emissor/fiscal/national/classification"
	"emissor/issuing/company"
)

const header = "service,nbs,cindop,cclasstrib,indfinal\n"

// checked reads a file of an organization that has the services srv_1 (of a code) and srv_2 (of none).
func checked(content string) (services []string, warnings []string, err error) {
	lines, err := parse([]byte(content))
	if err != nil {
		return nil, nil, err
	}
	classifier := company.NewClassifier(authorities.Default, classification.NewEditions().On("2026-11-22"))
	classifications, warnings, err := checkLines(lines, map[string]string{"srv_1": "010101", "srv_2": ""}, classifier)
	for _, one := range classifications {
		services = append(services, one.ServiceID+" "+one.Classification.CClassTrib)
	}
	return services, warnings, err
}

func TestFile_Separators(t *testing.T) {
	t.Parallel()
	content := header + "srv_1,115021000,100301,000001,true\nsrv_2,1.1502.10.00,100301,000006,\n"
	for name, content := range map[string]string{
		"commas":     content,
		"semicolons": "\ufeff" + strings.NewReplacer(",", ";", "\n", "\r\n").Replace(content), // as Excel writes
		"tabs":       strings.ReplaceAll(content, ",", "\t"),
	} {
		services, warnings, err := checked(content)
		if err != nil || strings.Join(services, ", ") != "srv_1 000001, srv_2 000006" {
			t.Errorf("%s: %q, %v", name, services, err)
		}
		if len(warnings) != 1 || !strings.HasPrefix(warnings[0], "line 3, 1 in all: ") {
			t.Errorf("%s: the warnings are %q", name, warnings)
		}
	}
}

func TestFile_Refused(t *testing.T) {
	t.Parallel()
	const good = ",115021000,100301,000001,\n"
	for why, content := range map[string]string{
		"the file has no line of column names":                      "",
		"there is no column service":                                "nbs\n115021000\n",
		`there is no column "cst_reg"`:                              "service,cst_reg\n",
		"the column nbs is there twice":                             "service,nbs,NBS\n",
		"the file has no service":                                   header,
		"wrong number of fields":                                    header + "srv_1,1\n",
		"line 3: service must be given":                             header + "srv_1" + good + good,
		"the organization has no service srv_9 in this environment": header + "srv_9" + good,
		"line 2: indfinal must be true or false":                    header + "srv_1,115021000,100301,000001,1\n",
		"line 2: cclasstrib 000002 is not for NFS-e (E0958)": header + "srv_1,115021000,100301,000002,\nsrv_2" +
			good,
		"line 3: the service srv_1 is in line 2, too": header + strings.Repeat("srv_1"+good, 2),
	} {
		if services, _, err := checked(content); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q and %v, expected that %s", services, err, why)
		}
	}
	// All that is wrong at once, up to a number.
	_, _, err := checked(header + strings.Repeat("srv_1,1,100301,000001,\n", 30))
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 21 || lines[20] != "and 10 more lines are wrong" {
		t.Errorf("thirty wrong lines are answered %v", err)
	}
}
