package batch

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"emissor/internal/xmlread"
)

// The bounds of a workbook, of which a few bytes can stand for more than fits into memory: together they keep
// its reading below 64 MB and about 2 s. 10,000 lines unpack to about 10 MB, and take 700,000 steps.
const (
	maxUnpacked = 32 << 20  // bytes, of all parts
	maxSteps    = 1_500_000 // tags and texts, of all parts
	maxParts    = 1000      // that are in the file, and that a part refers to
	maxKept     = 24 << 20  // bytes of strings and cells, which may refer to the same string many times
	maxText     = 1 << 20   // bytes of one of them
)

// stringBytes and cellBytes are what a string takes beside its text, and a cell: thousands that are empty take
// memory too.
const (
	stringBytes = 64
	cellBytes   = 20
)

// workbook is an XLSX file, of which parts are gone through step by step: a few bytes of one can
// stand for more cells than fit into memory.
type workbook struct {
	ctx   context.Context
	parts map[string]*zip.File // by partName
	left  int                  // bytes that may still be unpacked
	steps int                  // that may still be gone through
	kept  int                  // bytes that may still be kept
}

func openWorkbook(ctx context.Context, content []byte) (*workbook, error) {
	if bytes.Count(content, []byte("PK\x01\x02")) > maxParts { // before there is an entry for each
		return nil, FileTooLarge
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, FileUnreadable
	}
	book := &workbook{ctx, map[string]*zip.File{}, maxUnpacked, maxSteps, maxKept}
	for _, part := range archive.File {
		book.parts[partName(part.Name)] = part
	}
	return book, nil
}

// partName is a name as it is compared: programs differ in its letters and strokes.
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// walk goes through a part until see returns io.EOF.
func (b *workbook) walk(name string, see func(xmlread.Step) error) error {
	part := b.parts[partName(name)]
	if part == nil {
		return FileUnreadable
	}
	reader, err := part.Open()
	if err != nil {
		return FileUnreadable
	}
	defer reader.Close()
	stream := xmlread.NewStream(b.ctx, unpacking{b, reader}, &b.steps)
	for {
		step, err := stream.Next()
		if err == nil {
			err = see(step)
		}
		if err != nil {
			return b.problem(err)
		}
	}
}

// problem is what is wrong with the file where a part ended with an error.
func (b *workbook) problem(err error) error {
	_, known := IsFileProblem(err)
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case known, b.ctx.Err() != nil:
		return err
	case errors.Is(err, xmlread.ErrExceeded):
		return FileTooLarge
	}
	return FileUnreadable
}

// unpacking counts what is read of all parts, regardless of the sizes that they state.
type unpacking struct {
	book *workbook
	io.Reader
}

// Read implements io.Reader.
func (u unpacking) Read(into []byte) (n int, err error) {
	n, err = u.Reader.Read(into)
	if u.book.left -= n; u.book.left < 0 {
		return 0, FileTooLarge
	}
	return n, err
}

// relations are the parts that a part refers to: by ids, and by the last words of their types.
func (b *workbook) relations(of string) (byID, byType map[string]string, err error) {
	byID, byType = map[string]string{}, map[string]string{}
	folder, name := path.Split(of)
	err = b.walk(folder+"_rels/"+name+".rels", func(step xmlread.Step) error {
		if step.Begins != "Relationship" {
			return nil
		}
		target := step.Attribute("Target")
		if !strings.HasPrefix(target, "/") {
			target = path.Join(folder, target)
		}
		if len(byID) == maxParts {
			return FileTooLarge
		}
		byID[step.Attribute("Id")], byType[path.Base(step.Attribute("Type"))] = target, target
		return nil
	})
	return byID, byType, err
}

// rows are the rows of the first sheet.
func (b *workbook) rows() ([]row, error) {
	_, root, err := b.relations("")
	if err != nil {
		return nil, err
	}
	main := strings.TrimPrefix(root["officeDocument"], "/")
	parts, kinds, err := b.relations(main)
	if err != nil {
		return nil, err
	}
	first := ""
	if err := b.walk(main, func(step xmlread.Step) error {
		if step.Begins != "sheet" {
			return nil
		}
		first = parts[step.Attribute("id")]
		return io.EOF
	}); err != nil {
		return nil, err
	}
	read := sheet{keep: b.keep}
	if shared := kinds["sharedStrings"]; shared != "" {
		if read.shared, err = b.strings(shared); err != nil {
			return nil, err
		}
	}
	err = b.walk(first, read.see)
	return read.rows, err
}

// keep counts bytes that are to be kept, before they are.
func (b *workbook) keep(bytes int) error {
	if b.kept -= bytes; b.kept < 0 {
		return FileTooLarge
	}
	return nil
}

// strings are the texts to which cells refer by their numbers.
func (b *workbook) strings(name string) (all []string, err error) {
	var one content
	err = b.walk(name, func(step xmlread.Step) error {
		if err := one.see(step); err != nil || step.Ends != "si" {
			return err
		}
		if err := b.keep(stringBytes + one.text.Len()); err != nil {
			return err
		}
		all = append(all, one.take())
		return nil
	})
	return all, err
}

// content gathers the text of a string or a cell, without how it is formatted and pronounced.
type content struct {
	text          bytes.Buffer
	within, aside bool
}

func (c *content) see(step xmlread.Step) error {
	switch {
	case step.Begins == "rPh", step.Ends == "rPh":
		c.aside = step.Begins != ""
	case step.Begins == "t", step.Begins == "v", step.Ends == "t", step.Ends == "v":
		c.within = step.Begins != ""
	case c.within && !c.aside && c.text.Len()+len(step.Text) > maxText:
		return FileTooLarge
	case c.within && !c.aside:
		c.text.WriteString(step.Text)
	}
	return nil
}

// escapedCharacter is one that XML cannot have, or has otherwise, as _x000D_.
var escapedCharacter = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// take returns the text, and begins another.
func (c *content) take() string {
	text := c.text.String()
	c.text.Reset()
	if !strings.Contains(text, "_x") {
		return text
	}
	return escapedCharacter.ReplaceAllStringFunc(text, func(escaped string) string {
		code, _ := strconv.ParseUint(escaped[2:6], 16, 16)
		return string(rune(code))
	})
}
