package dashboard

import (
	"context"
	"encoding/csv"
	"net/http"
	"strings"
	"time"

	"emissor/dashboard/words"
)

const (
	// downloadLimit is how long a download may take in all, and downloadStall how long
	// its reader may take for a piece: longer than a page's.
	downloadLimit = 15 * time.Minute
	downloadStall = time.Minute
)

// download is a table that is written while it is read, whatever its length.
type download struct {
	r       *request
	ctx     context.Context // of everything that is read for it
	control *http.ResponseController
	csv     *csv.Writer
	end     context.CancelFunc
	err     error
}

// newDownload begins the answer with a file of this name. Spreadsheets of Brazil
// separate by semicolons, because numbers have commas.
func (r *request) newDownload(name string) *download {
	ctx, end := context.WithTimeout(r.Context(), downloadLimit)
	d := &download{r: r, ctx: ctx, end: end, control: http.NewResponseController(r.w), csv: csv.NewWriter(r.w)}
	if r.language == words.Portuguese {
		d.csv.Comma = ';'
	}
	r.w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	r.w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	d.extend()
	_, d.err = r.w.Write([]byte("\ufeff")) // by which spreadsheets know UTF-8
	return d
}

func (d *download) extend() {
	if err := d.control.SetWriteDeadline(time.Now().Add(downloadStall)); err != nil {
		d.r.d.Logger.WarnContext(d.ctx, "a download has the deadline of a page", "error", err)
	}
}

// row writes a row.
func (d *download) row(cells ...string) {
	if d.err != nil {
		return
	}
	for i, cell := range cells {
		cells[i] = plainCell(cell)
	}
	d.err = d.csv.Write(cells)
}

// flush sends what was written so far, however little, and gives the next piece its
// time.
func (d *download) flush() error {
	if d.csv.Flush(); d.err == nil {
		d.err = d.csv.Error()
	}
	if d.err == nil {
		d.err = d.control.Flush()
	}
	if d.err == nil {
		d.extend()
	}
	return d.err
}

// close ends the file. One that broke off in its middle is cut off, so that nobody
// takes it for the whole.
func (d *download) close(err error) {
	d.end()
	if err == nil {
		err = d.flush()
	}
	if err != nil {
		d.r.d.Logger.WarnContext(d.r.Context(), "a download broke off", "request_id", d.r.id, "error", err)
		panic(http.ErrAbortHandler)
	}
}

// plainCell makes a text a cell that no spreadsheet takes for a formula.
func plainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(text)[0]) {
		return "'" + text
	}
	return text
}
