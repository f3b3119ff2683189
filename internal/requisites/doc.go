// Package requisites finds what a page needs to be shown: images, style sheets, fonts, scripts, sound and video. It reads HTML and CSS,
// runs no scripts and makes no request. The section requisites of a crawl file is here, too.
//
// What an element names is taken as HTML and CSS say that browsers fetch it, and beyond that all candidates of a srcset, what is for
// browsers without scripts (noscript), and the usual attributes of images that scripts load late (data-src). Frames are pages of their own and no
// requisites.
package requisites
