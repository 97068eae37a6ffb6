package sheet

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// signatures lists prefixes of files that are not plain text. description names the format and gives advice.
var signatures = []struct{ prefix, description string }{
	{"\xFF\xFE", "UTF-16: save it as UTF-8"},
	{"\xFE\xFF", "UTF-16: save it as UTF-8"},
	{"\x1F\x8B", "packed by gzip: give its name the ending .gz"},
	{"PK\x03\x04", "a spreadsheet or zip archive: save a sheet as CSV, or each array of NumPy in its own NPY file"},
	{"\xD0\xCF\x11\xE0", "an old spreadsheet: save the sheet as CSV"},
	{"\x93NUMPY", "an array of NumPy: read it with Options.Format: data.NPY"},
	{"PAR1", "Parquet: save it as CSV"},
	{"\x89HDF", "HDF5: save it as CSV or NPY"},
	{"SQLite format 3", "a database: save a table of it as CSV"},
}

// Decode returns the text of a file without its byte order mark. A file that is not UTF-8 with line ends LF or CRLF
// is an error that names the encoding, the format or the wrong bytes.
func Decode(raw []byte) (string, error) {
	for _, m := range signatures {
		if bytes.HasPrefix(raw, []byte(m.prefix)) {
			return "", fmt.Errorf("the file is not plain text, but %s", m.description)
		}
	}
	if k := bytes.Count(raw[:min(len(raw), 1000)], []byte{0}); k > 0 && 3*k > min(len(raw), 1000) {
		return "", errors.New("every second byte is 0, as in UTF-16: save it as UTF-8")
	}
	if i := bytes.IndexByte(raw, '\r'); i >= 0 && bytes.IndexByte(raw, '\n') < 0 && len(bytes.TrimSpace(raw[i:])) > 0 {
		return "", errors.New("its lines end in CR alone, as on old Macintoshs: save it with LF or CRLF")
	}
	text, lineNumber := strings.TrimLeft(string(raw), "\uFEFF"), 0
	text = strings.TrimSuffix(text, "\x1A") // the end-of-file mark of DOS
	if utf8.ValidString(text) && !strings.ContainsAny(text, "\x00\x1A") {
		return text, nil
	}
	for line := range strings.Lines(text) {
		lineNumber++
		if i := strings.IndexAny(line, "\x00\x1A"); i >= 0 {
			return "", fmt.Errorf("line %d, byte %d: %#x does not belong into a text; remove it", lineNumber, i+1,
				line[i])
		}
		for i, r := range line {
			if r == utf8.RuneError && !strings.HasPrefix(line[i:], "\uFFFD") {
				return "", fmt.Errorf("line %d, byte %d: %#x is not UTF-8: save the file as UTF-8", lineNumber, i+1,
					line[i])
			}
		}
	}
	return text, nil
}
