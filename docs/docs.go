// Package docs has the pages for users, as the studio serves them under Help.
//
// This package is not part of the stable API.
package docs

import "embed"

// Pages are the index, README.md, and the pages and pictures of four folders: tutorial, howto, reference, explanation. Links between them
// are relative.
//
//go:embed README.md */*.md howto/*.svg
var Pages embed.FS
