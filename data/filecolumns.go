package data

// FileColumn is a column of a dataset's file and the features that it became: one feature for a column of numbers, one
// per level for a nominal column.
type FileColumn struct {
	Name     string
	Features []int    // indices from 0
	Levels   []string // the level of each feature; nil for a column of numbers
}

// FileColumns returns the columns of the file that d was read from, or the features of d if the file is not known.
func (d *Dataset) FileColumns() (cs []FileColumn) {
	levelOf := map[string][2]string{} // column and level of each indicator feature
	if d.Encoding != nil {
		d.Encoding.addLevels(levelOf, "")
	}
	index := map[string]int{} // index of a nominal column in cs
	for j, name := range d.Features() {
		n, nominal := levelOf[name]
		if !nominal {
			cs = append(cs, FileColumn{Name: name, Features: []int{j}})
			continue
		}
		k, ok := index[n[0]]
		if !ok {
			k = len(cs)
			index[n[0]], cs = k, append(cs, FileColumn{Name: n[0]})
		}
		cs[k].Features, cs[k].Levels = append(cs[k].Features, j), append(cs[k].Levels, n[1])
	}
	return cs
}

// addLevels stores the column and the level of each 0/1 feature that e makes from nominal columns. The key in levelOf
// is the name of the feature. prefix precedes the names of a joined file (Join).
func (e *Encoding) addLevels(levelOf map[string][2]string, prefix string) {
	for _, p := range e.Parts {
		p.Encoding.addLevels(levelOf, prefix+p.Name+".")
	}
	for _, c := range e.Columns {
		for _, l := range c.Levels {
			levelOf[prefix+c.Name+"="+l] = [2]string{prefix + c.Name, l}
		}
		if c.Gap {
			levelOf[prefix+c.Name+"=?"] = [2]string{prefix + c.Name, "?"}
		}
	}
}
