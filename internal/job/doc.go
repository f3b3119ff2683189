// Package job holds what every job of the command line is given: a console, the live Web, and how a
// crawl is watched.
package job
