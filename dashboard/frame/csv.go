package frame

import (
	"context"
	"encoding/csv"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"time"

	"emissor/dashboard/words"
	"emissor/nfse"
)

const (
	// DownloadLimit is how long a download may take in all, and DownloadStall how long its
	// reader may take for a piece: longer than for a page.
	DownloadLimit = 30 * time.Minute
	DownloadStall = time.Minute
)

// nextPiece reads the next rows of a table, and reports whether there are more.
type nextPiece func(context.Context) (rows [][]string, more bool, err error)

// Download sends a table of any length as a file: it is written while it is read, and goes on only while the person
// who asked for it may see it. columns are the keys of their names. Spreadsheets of Brazil separate by semicolons,
// because numbers have commas.
func (r *Request) Download(name string, columns []string, next nextPiece) error {
	ctx, end := context.WithTimeout(r.Context(), DownloadLimit)
	defer end()
	rows, more, err := next(ctx) // before the answer begins: an error here can still be answered with a page
	if err != nil {
		return err
	}
	r.W.Header().Set("Content-Type", "text/csv; charset=utf-8")
	r.W.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	if r.Method == http.MethodHead {
		return nil
	}
	head := make([]string, len(columns))
	for i, key := range columns {
		head[i] = r.Language.Say(key)
	}
	if err := r.sendPieces(ctx, append([][]string{head}, rows...), more, next); err != nil {
		r.D.Logger.WarnContext(ctx, "a download broke off", "request_id", r.ID, "error", err)
		panic(http.ErrAbortHandler) // so that the file is not taken for complete
	}
	return nil
}

// sendPieces sends these rows and those that come next, with a deadline for each piece.
func (r *Request) sendPieces(ctx context.Context, rows [][]string, more bool, next nextPiece) error {
	control, out := http.NewResponseController(r.W), csv.NewWriter(r.W)
	if r.Language == words.Portuguese {
		out.Comma = ';'
	}
	if _, err := r.W.Write([]byte("\ufeff")); err != nil { // by which spreadsheets recognize UTF-8
		return err
	}
	for {
		if err := control.SetWriteDeadline(time.Now().Add(DownloadStall)); err != nil {
			return err
		}
		for _, row := range rows {
			for i, cell := range row {
				row[i] = PlainCell(cell)
			}
			if err := out.Write(row); err != nil {
				return err
			}
		}
		if out.Flush(); out.Error() != nil || !more {
			return out.Error()
		}
		if err := control.Flush(); err != nil { // even a small piece: the next one may take long
			return err
		}
		if err := r.StillMay(ctx); err != nil {
			return err
		}
		var err error
		if rows, more, err = next(ctx); err != nil {
			return err
		}
	}
}

var errNoLonger = errors.New("dashboard: who asked for it may not see it any longer")

// StillMay checks again that the user is signed in and has the role that the route asks
// for: both can end while a download goes on.
func (r *Request) StillMay(ctx context.Context) error {
	open, err := r.D.Store.Access.SessionOpen(ctx, r.TokenHash())
	if err != nil {
		return err
	}
	user, err := r.D.Store.Access.User(ctx, r.User.ID)
	if err != nil {
		return err
	}
	memberships, err := r.D.Store.Access.MembershipsOf(ctx, r.User.ID)
	if err != nil {
		return err
	}
	var role nfse.Role
	for _, membership := range memberships {
		if membership.OrganizationID == r.Scope.OrganizationID {
			role = membership.Role
		}
	}
	if user.Operator {
		role = nfse.RoleOperator
	}
	if !open || !role.May(r.Route.Who.Permission()) {
		return errNoLonger
	}
	return nil
}

var (
	// formula is a sign that begins a cell, which a spreadsheet could take for a formula.
	// Where a file is opened with another separator, cells are split there and quotes do not
	// count, so that a cell can begin within a text too.
	formula = regexp.MustCompile(`(?:^|[;,\t\r\n])[\s"']*[=+\-@|＝＋－＠]`)
	// number is a cell that may begin with a sign and is no formula.
	number = regexp.MustCompile(`^-?[0-9]+([.,][0-9]+)?$`)
)

// isSign reports whether a letter is one of the signs of formula.
func isSign(r rune) bool {
	switch r {
	case '=', '+', '-', '@', '|', '＝', '＋', '－', '＠':
		return true
	}
	return false
}

// PlainCell makes a text a cell that no spreadsheet takes for a formula: it puts an
// apostrophe before what would begin one.
func PlainCell(text string) string {
	if number.MatchString(text) {
		return text
	}
	plain := text
	if strings.ContainsFunc(text, isSign) { // which is far cheaper to look for than a formula
		plain = formula.ReplaceAllStringFunc(text, func(found string) string {
			sign := strings.LastIndexFunc(found, isSign)
			return found[:sign] + "'" + found[sign:]
		})
	}
	if plain != "" && strings.ContainsRune("\t\r\n", rune(plain[0])) {
		return "'" + plain
	}
	return plain
}

// Joined writes texts behind each other, without those that are empty.
func Joined(parts ...string) string {
	written := []string{}
	for _, part := range parts {
		if part != "" {
			written = append(written, part)
		}
	}
	return strings.Join(written, " · ")
}
