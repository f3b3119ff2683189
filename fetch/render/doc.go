// Package render lets an installed Chromium make the page that a document's scripts would make, and
// returns it as HTML.
//
// The browser never touches the network. Every request of a page is held back (the Fetch domain of
// the DevTools protocol) and answered by a Getter of the caller's, with the document that was fetched
// already, or not at all: only GET of scripts and of what scripts fetch is asked for, up to a limit;
// images, media, fonts, stylesheets, frames, beacons, workers, uploads and every step to another page
// are refused. What the browser might try by itself, and what cannot be held back (WebSocket, WebRTC,
// look-ups of names), meets a resolver that knows no name and a proxy that is not there. So politeness,
// robots.txt, the guard of private addresses and the archive hold for all that a page asks for, as
// far as they hold for the Getter.
//
// It talks to the browser through two pipes: no port is opened. Each page has a context of its own,
// without cookies or storage, that is gone when the page is. Time, requests, bytes and memory of a
// page are bounded; a page that will not end is taken as it stands, or given up.
//
// Which pages are worth it, and what the HTML says, is not its business.
//
// This package is not part of the stable API.
package render
