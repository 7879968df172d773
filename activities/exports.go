package activities

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"emissor/fiscal/danfse"
	"emissor/internal/zipparts"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/books"
	"emissor/store/notes"
	"emissor/store/postgres"
	"emissor/workflows"
)

// Exports make the ZIPs of months.
type Exports struct {
	Store  *store.Store
	Logo   *danfse.Logo // of the printed form; nil is none
	Logger *slog.Logger
}

const (
	// exportAttempt is after how long an attempt begins no further part.
	exportAttempt = time.Minute

	notesInPart = 50      // at most
	bytesInPart = 4 << 20 // after which a part has no further note
)

// The files of a ZIP, by what the index calls them.
const (
	indexName   = "indice.csv"
	kindXML     = "xml"
	kindEvent   = "evento"
	kindPrinted = "danfse"
)

// indexColumns are the columns of the index, which is in Portuguese, as it is kept with the books.
var indexColumns = []string{"arquivo", "sha256", "bytes", "tipo", "nota", "referencia", "numero", "chave_de_acesso",
	"competencia", "situacao", "problema"}

// MakeArchive adds parts to a ZIP for a minute, each of which is stored before the next is begun,
// and then its index. It reads where the ZIP stands first, so any run does only what is left; of two
// at once one adds nothing.
func (a *Exports) MakeArchive(ctx context.Context, id string) (workflows.ExportResult, error) {
	defer Heartbeat(ctx)()
	for began := time.Now(); time.Since(began) < exportAttempt && !Stopping(ctx); {
		archive, err := a.Store.Books.ArchiveToMake(ctx, id)
		if errors.Is(err, books.ErrNoArchive) || err == nil && archive.Status != books.ArchivePending {
			return workflows.ExportResult{Ended: true}, nil
		}
		if err == nil {
			err = a.next(ctx, archive)
		}
		if err != nil {
			return workflows.ExportResult{}, Failure(ctx, a.Logger.With("archive_id", id), err)
		}
	}
	return workflows.ExportResult{}, nil
}

// next adds the next part, or the index after the last one.
func (a *Exports) next(ctx context.Context, archive books.Archive) error {
	notes, err := a.Store.Books.NotesToArchive(ctx, archive, notesInPart)
	if err != nil {
		return err
	}
	if len(notes) == 0 && archive.Parts > 0 {
		return a.Store.Books.FinishArchive(ctx, archive, indexName, timeOfFiles(archive))
	}
	part, err := a.part(ctx, archive, notes)
	if err != nil {
		return err
	}
	return a.Store.Books.AddToArchive(ctx, archive, part)
}

// timeOfFiles is the time of all files of a ZIP: the beginning of its month.
func timeOfFiles(archive books.Archive) time.Time {
	return nfse.Day(archive.Month + "-01").Begin()
}

// part makes the files of notes. A file that cannot be made is named in the index; only a database
// that is away stops the others.
func (a *Exports) part(ctx context.Context, archive books.Archive, notes []books.ArchivedNote) (part books.ArchivePart,
	err error) {
	var files []zipparts.File
	lines, size := newIndex(archive.Parts == 0), 0
	part.UpTo = archive.UpTo
	for _, note := range notes {
		made, problems, err := a.files(ctx, note)
		if err != nil {
			return part, err
		}
		for _, file := range made {
			lines.add(note, file)
			size += len(file.Content)
			if file.problem == "" {
				files = append(files, file.File)
			}
		}
		part.Notes, part.Problems = part.Notes+1, part.Problems+problems
		part.UpTo = books.MonthPlace{Day: note.Competence, ID: note.ID}
		if size > bytesInPart {
			break
		}
	}
	part.Part, err = zipparts.New(archive.Size, timeOfFiles(archive), files...)
	if err == nil {
		part.Lines, err = lines.bytes()
	}
	return part, err
}

// archived is a file of a note, or why there is none.
type archived struct {
	zipparts.File
	kind    string
	problem string // in the index's language
}

// files makes the files of one note: its XML, its events and its printed form.
func (a *Exports) files(ctx context.Context, note books.ArchivedNote) (made []archived, problems int, err error) {
	folder := note.ID + "/"
	missing := func(kind, problem string) {
		made, problems = append(made, archived{kind: kind, problem: problem}), problems+1
	}
	document, err := a.Store.Notes.NoteDocument(ctx, note.ID)
	switch {
	case nfse.IsCode(err, nfse.CodeXMLNotAvailable):
		missing(kindXML, "o XML não é mais guardado")
		return made, problems, nil
	case postgres.IsArchiveAway(err): // the ZIP goes on once the archive answers
		return nil, 0, RetryAfter("archive_away", "a document is in the archive, which does not answer now",
			missingSetting.After(attempt(ctx)))
	case err != nil && (postgres.IsUnavailable(err) || ctx.Err() != nil):
		return nil, 0, err
	case err != nil:
		a.Logger.ErrorContext(ctx, "a note's document cannot be read for the ZIP of its month",
			"note_id", note.ID, "error", err)
		missing(kindXML, "o documento não pode ser lido")
		return made, problems, nil
	}
	add := func(kind, name string, content []byte) {
		made = append(made, archived{File: zipparts.File{Name: folder + name, Content: content}, kind: kind})
	}
	add(kindXML, "nfse.xml", document.XML)
	for i, event := range document.Events {
		add(kindEvent, fmt.Sprintf("evento-%d.xml", i+1), event)
	}
	if company.OwnURL(document.IssuedBy.FiscalProfile, document.Number, document.VerificationCode) != "" {
		return made, problems, nil // its city prints it
	}
	page, err := drawn(ctx, document, a.Logo)
	if err != nil {
		a.Logger.WarnContext(ctx, "a note's printed form cannot be drawn for the ZIP of its month",
			"note_id", note.ID, "error", err)
		missing(kindPrinted, "o DANFSe não pode ser desenhado a partir do XML")
		return made, problems, nil
	}
	add(kindPrinted, "danfse.pdf", page)
	return made, problems, nil
}

// drawn draws the printed form of a note, within the time for a page.
func drawn(ctx context.Context, note notes.NoteDocument, logo *danfse.Logo) ([]byte, error) {
	within, cancel := context.WithTimeout(ctx, drawingTime)
	defer cancel()
	type drawing struct {
		page []byte
		err  error
	}
	done, err := Guarded(within, func(context.Context) drawing {
		var page bytes.Buffer
		err := danfse.Draw(&page, danfse.Document{
			XML: note.XML, Events: note.Events, Cancelled: note.Status == nfse.StatusCancelled,
			Replaced: note.Replaced, Logo: logo,
		})
		return drawing{page.Bytes(), err}
	})
	return done.page, cmp.Or(err, done.err)
}

// index are lines of the index of a ZIP.
type index struct {
	buffer bytes.Buffer
	writer *csv.Writer
}

// newIndex begins lines; the first of a ZIP are the columns, after the sign by which spreadsheets
// recognize UTF-8.
func newIndex(first bool) *index {
	lines := &index{}
	if first {
		lines.buffer.WriteString("\ufeff")
	}
	lines.writer = csv.NewWriter(&lines.buffer)
	lines.writer.Comma, lines.writer.UseCRLF = ';', true
	if first {
		_ = lines.writer.Write(indexColumns) // into memory; an error is kept for bytes
	}
	return lines
}

func (i *index) add(note books.ArchivedNote, file archived) {
	sum, size := "", ""
	if file.problem == "" {
		digest := sha256.Sum256(file.Content)
		sum, size = hex.EncodeToString(digest[:]), strconv.Itoa(len(file.Content))
	}
	_ = i.writer.Write([]string{file.Name, sum, size, file.kind, note.ID, asText(note.Reference), note.Number,
		asText(note.AccessKey), string(note.Competence), string(note.Status), file.problem})
}

func (i *index) bytes() ([]byte, error) {
	i.writer.Flush()
	return i.buffer.Bytes(), i.writer.Error()
}

// asText makes a cell that no spreadsheet takes for a number, which it would round, or a formula.
func asText(cell string) string {
	if cell == "" {
		return ""
	}
	return "'" + cell
}
