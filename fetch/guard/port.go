package guard

import (
	"fmt"
	"slices"

	"orbweaver"
)

// noWeb are the ports that browsers refuse, because other protocols are spoken there and some of their servers take an HTTP
// request for commands: the bad ports of the Fetch standard, section 2.9. Ascending.
var noWeb = [...]uint16{
	0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113,
	115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556,
	563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
	6668, 6669, 6679, 6697, 10080,
}

// Port returns nil for a port that the Web uses or the user has opened, and otherwise an error that wraps orbweaver.ErrBadURL
// and names the port.
func (g *Guard) Port(port uint16) error {
	if _, refused := slices.BinarySearch(noWeb[:], port); refused && !slices.Contains(g.ports, port) {
		return fmt.Errorf("port %d belongs to another protocol than HTTP: %w", port, orbweaver.ErrBadURL)
	}
	return nil
}
