// Package zipparts makes a ZIP in parts, none of which needs the others in memory: a caller may stop after any part
// and go on elsewhere. The same files are the same bytes, with every version: nothing is compressed, and all files
// have the time that they are given.
package zipparts

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"time"
)

// File is a file of a ZIP. Names are ASCII, with slashes.
type File struct {
	Name    string
	Content []byte
}

// Part are some bytes of a ZIP, and what its directory says of the files in them.
type Part struct {
	Content   []byte
	Directory []byte
	Files     int
}

// New makes the part that begins at a position (in bytes) of the ZIP.
func New(position int64, at time.Time, files ...File) (Part, error) {
	var entries []entry
	for _, file := range files {
		entries = append(entries, entry{file.Name, crc32.ChecksumIEEE(file.Content), uint64(len(file.Content)),
			file.Content})
	}
	return write(position, at, entries)
}

// Head makes the part that only begins a file: its content, of this checksum (CRC-32) and size in
// bytes, has to follow as parts without a directory.
func Head(position int64, at time.Time, name string, checksum uint32, size int64) (Part, error) {
	return write(position, at, []entry{{name, checksum, uint64(size), nil}})
}

type entry struct {
	name     string
	checksum uint32
	size     uint64
	content  []byte // nil: it follows elsewhere
}

const (
	endSize   = 22      // of the record that ends a directory
	end64Size = 56 + 20 // of those before it where a number does not fit
)

func write(position int64, at time.Time, entries []entry) (part Part, err error) {
	var buffer bytes.Buffer
	writer := zip.NewWriter(&buffer)
	writer.SetOffset(position)
	for _, one := range entries {
		header := &zip.FileHeader{Name: one.name, Method: zip.Store, CRC32: one.checksum,
			UncompressedSize64: one.size, CompressedSize64: one.size}
		//lint:ignore SA1019 CreateRaw writes this one, and does not look at Modified
		header.ModifiedDate = uint16(at.Day() + int(at.Month())<<5 + (at.Year()-1980)<<9)
		//lint:ignore SA1019 likewise
		header.ModifiedTime = uint16(at.Second()/2 + at.Minute()<<5 + at.Hour()<<11)
		content, err := writer.CreateRaw(header)
		if err != nil {
			return Part{}, err
		}
		if _, err := content.Write(one.content); err != nil {
			return Part{}, err
		}
	}
	if err := writer.Flush(); err != nil {
		return Part{}, err
	}
	length := buffer.Len()
	if err := writer.Close(); err != nil {
		return Part{}, err
	}
	end := buffer.Len() - endSize
	if position+int64(length) >= math.MaxUint32 {
		end -= end64Size
	}
	if end < length {
		return Part{}, errors.New("zipparts: the directory does not end as it should")
	}
	all := buffer.Bytes()
	return Part{Content: all[:length], Directory: all[length:end], Files: len(entries)}, nil
}

// End makes the bytes after the directory, which begins at a position and has a size (in bytes)
// and so many files.
func End(position, size, files int64) []byte {
	var end []byte
	number := binary.LittleEndian
	if files >= math.MaxUint16 || size >= math.MaxUint32 || position >= math.MaxUint32 {
		end = number.AppendUint32(end, 0x06064b50) // the directory's end, in 64 bits
		end = number.AppendUint64(end, 56-12)
		end = number.AppendUint16(end, 45)
		end = number.AppendUint16(end, 45)
		end = number.AppendUint64(end, 0)
		end = number.AppendUint64(end, uint64(files))
		end = number.AppendUint64(end, uint64(files))
		end = number.AppendUint64(end, uint64(size))
		end = number.AppendUint64(end, uint64(position))
		end = number.AppendUint32(end, 0x07064b50) // where that is
		end = number.AppendUint32(end, 0)
		end = number.AppendUint64(end, uint64(position+size))
		end = number.AppendUint32(end, 1)
	}
	end = number.AppendUint32(end, 0x06054b50)
	end = number.AppendUint32(end, 0)
	end = number.AppendUint16(end, uint16(min(files, math.MaxUint16)))
	end = number.AppendUint16(end, uint16(min(files, math.MaxUint16)))
	end = number.AppendUint32(end, uint32(min(size, math.MaxUint32)))
	end = number.AppendUint32(end, uint32(min(position, math.MaxUint32)))
	return number.AppendUint16(end, 0)
}
