package operate

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/national/classification"
)

// ListedCode is a code of one of the tables.
type ListedCode struct {
	Table   classification.Table `json:"table"`
	Code    string               `json:"code"`
	Name    string               `json:"name"`
	Details string               `json:"details"`
	Edition string               `json:"edition"`
}

var codeTable = cli.Table[ListedCode]{
	Header: "TABLE\tCODE\tNAME\tDETAILS\tEDITION",
	Row:    func(c ListedCode) []any { return []any{c.Table, c.Code, cli.Shorten(c.Name), c.Details, c.Edition} },
}

func classificationShowCommand() *cobra.Command {
	command := cli.NewCommand("show [CODE]",
		"Show what a code means on a day, or without one the codes for NFS-e: CST, cClassTrib and cIndOp",
		"emissor classification show 200029 --on 2027-01-01", cobra.MaximumNArgs(1))
	on := cli.AddDayFlag(command, "on", "day of competence")
	return cli.CheckedCommand(command, on.Check, func(ctx context.Context, s *cli.CommandRun) error {
		day := on.OrToday()
		editions, err := Editions(ctx, s)
		if err != nil {
			return err
		}
		tables := editions.On(day)
		if len(s.Args) == 0 {
			return codeTable.Print(s, codesForNFSe(tables))
		}
		found := codesLike(tables, strings.ReplaceAll(s.Args[0], ".", ""))
		if len(found) == 0 {
			return errors.New("no table in force on " + day + " lists " + s.Args[0])
		}
		return codeTable.Print(s, found)
	})
}

// codesForNFSe are the codes that a service may be classified with, except those of the NBS.
func codesForNFSe(tables classification.Tables) (codes []ListedCode) {
	for _, row := range tables.CSTs() {
		codes = append(codes, cstListed(tables, row))
	}
	for _, row := range tables.ClassTribs() {
		if row.NFSe {
			codes = append(codes, classTribListed(tables, row))
		}
	}
	for _, row := range tables.IndOps() {
		codes = append(codes, indOpListed(tables, classification.TableIndOp, row))
	}
	return codes
}

// codesLike are the entries of all tables that have a code: several can have the same one.
func codesLike(tables classification.Tables, code string) (codes []ListedCode) {
	if row, ok := tables.CST(code); ok {
		codes = append(codes, cstListed(tables, row))
		for _, row := range tables.ClassTribs() {
			if strings.HasPrefix(row.Code, code) {
				codes = append(codes, classTribListed(tables, row))
			}
		}
	}
	if row, ok := tables.ClassTrib(code); ok {
		codes = append(codes, classTribListed(tables, row))
	}
	for _, in := range []classification.Table{classification.TableIndOp, classification.TableIndOpNT009,
		classification.TableIndOpSaoPaulo} {
		if row, ok := tables.WithIndOps(in).IndOp(code); ok {
			codes = append(codes, indOpListed(tables, in, row))
		}
	}
	if row, ok := tables.CredPres(code); ok {
		codes = append(codes, listed(tables, classification.TableCredPres, code, row.Name, "from "+row.From))
	}
	if name, ok := tables.NBS(code); ok {
		codes = append(codes, listed(tables, classification.TableNBS, code, name, ""))
	}
	if name, ok := tables.ServiceCode(code); ok {
		codes = append(codes, listed(tables, classification.TableServiceCode, code, name, ""))
	}
	return codes
}

func listed(tables classification.Tables, in classification.Table, code, name, details string) ListedCode {
	return ListedCode{Table: in, Code: code, Name: name, Details: details, Edition: tables.Edition(in).Name}
}

func cstListed(tables classification.Tables, row classification.CST) ListedCode {
	details := said(
		detail{row.GIBSCBS, "is computed"}, detail{row.GRed, "reduced"}, detail{row.GDif, "requires a deferral"})
	return listed(tables, classification.TableCST, row.Code, row.Name, details)
}

func classTribListed(tables classification.Tables, row classification.ClassTrib) ListedCode {
	reduced := row.PRedIBS + row.PRedCBS
	details := said(
		detail{!row.NFSe, "not for NFS-e"},
		detail{strings.Trim(reduced, "0") != "", "reduction IBS " + row.PRedIBS + " %, CBS " + row.PRedCBS + " %"},
		detail{row.GTribRegular, "requires the regular taxation"},
		detail{row.GCredPresOper, "allows a presumed credit"},
		detail{row.From != "", "from " + row.From}, detail{row.Until != "", "until " + row.Until})
	return listed(tables, classification.TableClassTrib, row.Code, row.Name, details)
}

func indOpListed(tables classification.Tables, in classification.Table, row classification.IndOp) ListedCode {
	return listed(tables, in, row.Code, row.Name, "takes place: "+row.Place)
}

// detail is a word that is printed where so is true.
type detail struct {
	so   bool
	word string
}

func said(details ...detail) string {
	var words []string
	for _, one := range details {
		if one.so {
			words = append(words, one.word)
		}
	}
	return strings.Join(words, "; ")
}
