package step

import (
	"cmp"
	"slices"
)

// shownHosts is the number of busiest hosts in a status.
const shownHosts = 10

// Busiest inserts an account into the hosts with the most requests. Ties are ordered by name.
func Busiest(most []Account, account Account) []Account {
	at, _ := slices.BinarySearchFunc(most, account, func(a, b Account) int {
		return cmp.Or(cmp.Compare(b.Asked, a.Asked), cmp.Compare(a.Host, b.Host))
	})
	most = slices.Insert(most, at, account)
	return most[:min(len(most), shownHosts)]
}
