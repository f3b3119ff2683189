package toy

// LearnedFrom is the prologue of queries about the model of a cross-reference crawl.
const LearnedFrom = `PREFIX semxdm: <http://orbweaver.example/semxdm#> PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX swrl: <http://www.w3.org/2003/11/swrl#> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> `
