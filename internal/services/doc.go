// Package services connects jobs to the live Web, archives, browsers and DBpedia Spotlight, and caches
// their answers.
package services
