// Package render runs a document's scripts in an installed Chromium and returns the resulting page as HTML.
//
// The browser never touches the network. Every request of a page is intercepted (the Fetch domain of the
// DevTools protocol) and answered with the fetched document, by the caller's Getter, or not at all. The Getter
// receives only GETs of scripts and by scripts, up to a limit; images, media, fonts, stylesheets, frames,
// beacons, workers, uploads and navigation to another page are refused. The browser's own requests, and those
// that cannot be intercepted (WebSocket, WebRTC, DNS), meet a resolver without names and an absent proxy. So
// the Getter can apply politeness, robots.txt, the guard of private addresses and the archive to all requests
// of a page.
//
// It talks to the browser through two pipes and opens no port. Each page has its own context, without cookies
// or storage, which ends with the page. Time, requests, bytes and memory of a page are bounded. A page that
// exceeds its time is returned in its current state, or given up.
//
// A visit (Visit) takes a person's steps on a page, such as a login: there the page may also navigate and post, through the caller's
// Sender, which decides what is reached.
//
// The package does not decide which pages to render and does not interpret the HTML.
//
// This package is not part of the stable API.
package render
