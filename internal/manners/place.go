package manners

import (
	"os"
	"path/filepath"
)

// Variable is the variable of the environment that names the folder which the crawls of a user share; empty or "off":
// crawls of different processes share nothing.
const Variable = "ORBWEAVER_MANNERS"

// Ours returns a registry for the crawls of this user: in the folder that Variable names, by default orbweaver/hosts in
// the user's folder for caches.
func Ours() *Registry {
	named, set := os.LookupEnv(Variable)
	switch {
	case !set:
		return Open(func() (string, error) {
			caches, err := os.UserCacheDir()
			return filepath.Join(caches, "orbweaver", "hosts"), err
		})
	case named == "", named == "off":
		return New()
	}
	return Open(func() (string, error) { return filepath.Abs(named) })
}
