// Package view prints for people what other packages found out.
package view
