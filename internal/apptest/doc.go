// Package apptest holds what the tests of several packages share.
package apptest
