// Package synth generates a web of any size, for measurements of the crawler.
//
// Nothing is stored: the content, host and links of page p are functions of the seed and p, so ten million
// pages take no more memory than ten. A Web holds a few thousand words.
//
// Pages are numbered from 0. Each host has a range of pages; sizes follow Zipf's law. Sections of consecutive
// pages share a topic, so a small host has one topic and a large host many. A tree within each host and a
// tree over the hosts' first pages make every page reachable from page 0. All other links are random, with
// given probabilities of staying on the host and on the topic. Topic 0 is the target: the relevance of every
// page is known without reading it.
//
// The web answers as Page, for a simulation, and as HTML, for a server.
//
// This package is not part of the stable API.
package synth
