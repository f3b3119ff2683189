// Package arch holds the rules of the house, as tests: who may import whom, how large things get,
// what must be documented. It has no code of its own.
package arch
