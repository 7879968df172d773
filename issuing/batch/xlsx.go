package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/xuri/excelize/v2"

	"emissor/internal/panics"
)

// readXLSX reads the first sheet of a workbook. What of it makes the reading panic is damaged too:
// the error says where, for the log.
func readXLSX(ctx context.Context, content []byte) (rows []row, err error) {
	err = panics.Caught(func() error {
		book, err := openWorkbook(ctx, content)
		if err == nil {
			rows, err = book.rows()
		}
		return err
	})
	if _, panicked := errors.AsType[*panics.Error](err); panicked {
		err = fmt.Errorf("%w: %w", FileUnreadable, err)
	}
	return rows, err
}

// writeXLSX makes a workbook of one sheet, all of whose cells are texts.
func writeXLSX(rows [][]string) ([]byte, error) {
	file := excelize.NewFile()
	defer file.Close()
	sheet := file.GetSheetName(0)
	for i, cells := range rows {
		for column, cell := range cells {
			name, err := excelize.CoordinatesToCellName(column+1, i+1)
			if err != nil {
				return nil, err
			}
			if err := file.SetCellStr(sheet, name, cell); err != nil {
				return nil, err
			}
		}
	}
	var written bytes.Buffer
	err := file.Write(&written)
	return written.Bytes(), err
}
