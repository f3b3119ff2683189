package eval

import (
	"math"
	"strconv"
)

// scoreBands are 0 itself and ten tenths, each with its upper end.
const scoreBands = 11

// shades is the number of steps of a colour scale above 0.
const shades = 5

// bandOf returns the band of a score; a score outside 0..1 belongs to the nearest.
func bandOf(score float64) int {
	if !(score > 0) {
		return 0
	}
	return max(1, int(math.Ceil(min(score, 1)*(scoreBands-1)-1e-9)))
}

// bandNames head the columns of a map: the highest score of each.
func bandNames() []string {
	names := []string{"0"}
	for b := 1; b < scoreBands; b++ {
		names = append(names, strconv.FormatFloat(float64(b)/10, 'f', 1, 64))
	}
	return names
}

// shade is the step, 0..shades, of a share in 0..1 on a scale: 0 is nothing, any more is at least 1.
func shade(share float64) int { return min(shades, int(math.Ceil(share*shades-1e-9))) }

// heatShade is the step of a share of a depth's pages. The steps are not linear: shares spread over eleven
// bands, so that most would be in the first step. The legend shows the limits.
func heatShade(share float64) int {
	step := 0
	for _, beyond := range []float64{0, 0.05, 0.1, 0.2, 0.4} {
		if share > beyond {
			step++
		}
	}
	return step
}

// A heatRow shows how the pages of one depth are distributed over the score bands.
type heatRow struct {
	Depth string
	Pages int
	Cells []heatCell
}

type heatCell struct {
	Pages, Shade int
	Share        string // of the depth's pages, for people
}

// heat is the map of relevance by depth, up to the deepest that has a page.
func (t *tally) heat() []heatRow {
	var rows []heatRow
	last := 0
	for depth, bands := range t.bands {
		row := heatRow{Depth: strconv.Itoa(depth), Pages: t.depths[depth].pages}
		for _, n := range bands {
			share := ratio(n, row.Pages)
			row.Cells = append(row.Cells, heatCell{n, heatShade(share), percentage(share)})
		}
		rows = append(rows, row)
		if row.Pages > 0 {
			last = depth + 1
		}
	}
	rows[maxDepth].Depth += " and more"
	return rows[:last]
}

// percentage formats a share.
func percentage(share float64) string {
	if share > 0 && share < 0.005 {
		return "under 1 %"
	}
	return strconv.Itoa(int(math.Round(100*share))) + " %"
}
