package main

// version and commit are set by the linker: see the Makefile. Built otherwise, they are what the go command stamps.
var version, commit string // nothing here writes them
