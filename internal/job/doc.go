// Package job defines the environment of every job of the command line: console, access to the live Web, log and
// metrics.
package job
