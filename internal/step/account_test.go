package step

import (
	"fmt"
	"strings"
	"testing"
)

// TestBusiest: at most ten hosts, by decreasing number of requests, independent of the input order.
func TestBusiest(t *testing.T) {
	var most []Account
	for i := range 30 {
		most = Busiest(most, Account{Host: fmt.Sprintf("h%02d", i), Asked: int64(i * 7 % 15)})
	}
	var got []string
	for _, account := range most {
		got = append(got, fmt.Sprint(account.Asked, account.Host))
	}
	if want := "14h02 14h17 13h04 13h19 12h06 12h21 11h08 11h23 10h10 10h25"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}
