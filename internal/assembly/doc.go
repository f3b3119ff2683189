// Package assembly turns a crawl file into a crawl: it knows all parts, and decides nothing but
// which of them are joined. Everything that can be wrong with what the user wrote is found before
// anything is written, all of it at once.
package assembly
