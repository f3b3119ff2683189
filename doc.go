// Package orbweaver holds the words that all rooms of the house share: what a crawl asks for, what
// came back, what a focus says of it and why.
//
// They are plain values. The engine moves them, a focus judges them, the ledger keeps them, reports
// show them; none of them does anything. ARCHITECTURE.md has the picture.
package orbweaver
