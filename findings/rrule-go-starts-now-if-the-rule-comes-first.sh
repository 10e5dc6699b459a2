#!/usr/bin/env bash
# The properties of an event can be in any order, and DTSTART can be a whole day (RFC 5545, 3.6.1 and
# 3.8.2.4). golang-github-teambition-rrule-go-dev 1.8.1-1 (Debian 12), which Go programs use to read series,
# uses DTSTART only if it is in the first line. If RRULE is before it, the series starts when the program
# runs, without an error. It rejects series of whole days, with a message about the time zone. Publishers
# should write DTSTART before RRULE, and whole days as separate events.
#
# Output, for three Tuesdays from January 5, 2027:
#   DTSTART first: 2027-01-05 2027-01-12 2027-01-19
#   RRULE first: starts now
#   whole days: StrToDtStart failed: bad TZID parameter format
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq golang-github-teambition-rrule-go-dev=1.8.1-1 golang-1.19-go=1.19.8-2 \
  golang-1.19-src=1.19.8-2 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done

cat >read.go <<'GO'
package main

import (
	"fmt"
	"time"

	"github.com/teambition/rrule-go"
)

func main() {
	for _, test := range [][2]string{
		{"DTSTART first", "DTSTART:20270105T190000Z\nRRULE:FREQ=WEEKLY;COUNT=3"},
		{"RRULE first", "RRULE:FREQ=WEEKLY;COUNT=3\nDTSTART:20270105T190000Z"},
		{"whole days", "DTSTART;VALUE=DATE:20270105\nRRULE:FREQ=WEEKLY;COUNT=3"},
	} {
		fmt.Printf("%s:", test[0])
		set, err := rrule.StrToRRuleSet(test[1])
		if err != nil {
			fmt.Printf(" %s\n", err)
		} else if first := set.All()[0]; time.Since(first).Abs() < time.Minute {
			fmt.Println(" starts now")
		} else {
			for _, date := range set.All() {
				fmt.Printf(" %s", date.Format("2006-01-02"))
			}
			fmt.Println()
		}
	}
}
GO
export GOROOT=$directory/root/usr/lib/go-1.19 GOPATH=$directory/root/usr/share/gocode GO111MODULE=off
export GOCACHE=$directory/cache CGO_ENABLED=0
"$GOROOT/bin/go" run read.go | tee output

diff output - <<'OUTPUT'
DTSTART first: 2027-01-05 2027-01-12 2027-01-19
RRULE first: starts now
whole days: StrToDtStart failed: bad TZID parameter format
OUTPUT
