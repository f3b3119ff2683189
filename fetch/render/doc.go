// Package render runs a document's scripts in an installed Chromium and returns the resulting page as HTML.
//
// The browser never touches the network. Every request of a page is intercepted (the Fetch domain of the DevTools
// protocol) and answered by the caller's Getter, with the document already fetched, or not at all: only GETs of
// scripts and by scripts are passed on, up to a limit; images, media, fonts, stylesheets, frames, beacons, workers,
// uploads and every step to another page are refused. The browser's own requests, and those that cannot be
// intercepted (WebSocket, WebRTC, DNS), meet a resolver without names and an absent proxy. So politeness, robots.txt,
// the guard of private addresses and the archive apply to all requests of a page, as far as they apply to the Getter.
//
// It talks to the browser through two pipes: no port is opened. Each page has a context of its own, without cookies
// or storage, that is gone when the page is. Time, requests, bytes and memory of a page are bounded; a page that will
// not end is taken as it stands, or given up.
//
// Which pages are worth it, and what the HTML says, is not its business.
//
// This package is not part of the stable API.
package render
