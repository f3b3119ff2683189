package toy

// A320 is the IRI of an aeroplane.
const A320 = "http://skylines.example/types/a320.html"
