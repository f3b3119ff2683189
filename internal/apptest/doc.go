// Package apptest provides functions for tests of several packages that run crawls.
package apptest
