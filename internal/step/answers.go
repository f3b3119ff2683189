package step

import "orbweaver"

// The failures of answers that are not the page that was asked for.
const (
	ErrWall        orbweaver.Failure = "wall"        // a challenge of bot protection
	ErrSoft404     orbweaver.Failure = "soft-404"    // "not found" with a status of success
	ErrConsent     orbweaver.Failure = "consent"     // a question for consent, and nothing behind it
	ErrLogin       orbweaver.Failure = "login"       // a form to log in
	ErrParked      orbweaver.Failure = "parked"      // the domain is not in use
	ErrMaintenance orbweaver.Failure = "maintenance" // the site is not available for now
)

// ErrLogsOut is the failure of a request that ends the session that the crawl is logged in with.
const ErrLogsOut orbweaver.Failure = "logs-out"
