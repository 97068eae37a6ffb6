package data

import (
	"fmt"
	"strings"
)

// checkRowNames returns an error unless the first cells of the rows are names of the rows, for which the header, on the
// given line, has no name. They are if they are all different and in quotes while other cells are not, as R writes
// them. If Options.Header is HeaderYes, they need no quotes, unless commas may be decimal marks. In a new file they are
// names if the training file has names of rows.
func (o *job) checkRowNames(g *grid, line int) error {
	names := columnCells(g.rows, 0)
	isNew := o.training != nil && o.labels == 0 && !o.matrix
	fail := func(i int, why string) error {
		return fmt.Errorf("line %d: the header on line %d has one name less than the rows have cells, and %s; set "+
			"Options.Header: HeaderYes if the first cells are names of the rows, Options.Comma if another mark "+
			"separates the cells, Options.Decimal if commas are decimal marks, or correct the header",
			g.rows[i].line, line, why)
	}
	if isNew && !o.training.RowNames {
		return fmt.Errorf("line %d: the header has one name less than the rows have cells, and the training file has "+
			"no names of rows; correct the header, or the rows", line)
	}
	if i, _ := findDuplicateName(names); i >= 0 {
		return fail(i, fmt.Sprintf("%s is not the name of one row", quote(names[i])))
	}
	switch {
	case len(g.rows) == 0 || hasQuotedRowNames(g.rows):
	case o.Header != HeaderYes && !isNew:
		return fail(0, "the first column may hold names of rows or data")
	case o.Decimal == 0 && g.comma == ',':
		return fail(0, "a comma may be the decimal mark between two of the cells (else set Options.Decimal: '.')")
	}
	return nil
}

// isSplitDecimal reports whether whole consists of digits after at most one sign, and fraction of digits.
func isSplitDecimal(whole, fraction string) bool {
	whole = strings.TrimPrefix(strings.TrimPrefix(whole, "-"), "+")
	return whole != "" && fraction != "" && strings.Trim(whole+fraction, "0123456789") == ""
}

// hasQuotedRowNames reports whether the first cells of the rows are all different, and in quotes while other cells are
// not. R writes the names of rows in this way.
func hasQuotedRowNames(rows []record) bool {
	seen := make(map[string]bool, len(rows))
	for _, r := range rows {
		if !r.isQuoted || seen[r.cells[0]] {
			return false
		}
		seen[r.cells[0]] = true
	}
	return true
}
