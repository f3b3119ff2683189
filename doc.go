// Package orbweaver defines the vocabulary of a focus: requests, pages, links, judgements with their reasons, proposals,
// outcomes, and the interface Focus with its optional extensions.
//
// All types are plain values without behaviour: a focus judges them, the engine moves them, the ledger stores them, and
// reports show them. ARCHITECTURE.md describes how they flow.
package orbweaver
