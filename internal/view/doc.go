// Package view prints the results of other packages for people.
package view
