package eval

import (
	_ "embed"
	"fmt"
)

//go:embed data.html
var dataPart string // embedded; read-only

// A dataView is the data of data.html.
type dataView struct {
	Ways []DataWay
	Rows []DataDomain // all domains that are shown, and the others as one
}

// Rows are the domains of figures as they are shown: names fit for it, and the others last, as one.
func (f *DataFigures) Rows() (rows []DataDomain) {
	for _, d := range f.Top {
		d.Domain = printable(d.Domain, 200)
		rows = append(rows, d)
	}
	if o := f.Others; o != nil {
		last := *o
		last.Domain = fmt.Sprintf("%d others", f.Domains-len(f.Top))
		rows = append(rows, last)
	}
	return rows
}

// view shows figures; nil if there are none.
func (f *DataFigures) view() *dataView {
	if f == nil {
		return nil
	}
	return &dataView{f.Ways, f.Rows()}
}
