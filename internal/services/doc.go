// Package services holds what jobs reach: the live Web, archives, a browser, DBpedia Spotlight and
// the answers that are kept of it.
package services
