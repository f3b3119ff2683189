// Package assembly builds a crawl from a crawl file. It depends on all parts of a crawl and wires them together, but
// holds no crawl logic. It checks all input before it writes anything, and reports all problems at once.
package assembly
