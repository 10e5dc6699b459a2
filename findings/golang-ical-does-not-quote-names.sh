#!/usr/bin/env bash
# A parameter that contains a colon, a comma or a semicolon is in quotation marks (RFC 5545, 3.2), and the
# address of an organizer or attendee is a URI (3.3.3). golang-github-arran4-golang-ical-dev
# 0.0~git20220517.fd89fef-2 (Debian 12), which Go programs use to write calendars, never writes quotation
# marks, and adds "mailto:" only to attendees. So ical.js 2.2.1 finds part of the name in the address, and
# no URI for the organizer. Publishers should remove these characters from names, and pass the organizer
# with "mailto:".
#
# Output:
#   Ann Lee: attendee mailto:ann@example.org, named Ann Lee, organizer chief@example.org
#   Station 2: Desk: attendee  Desk:mailto:ann@example.org, named Station 2, organizer  Desk:chief@example.org
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq golang-github-arran4-golang-ical-dev=0.0~git20220517.fd89fef-2 golang-1.19-go=1.19.8-2 \
  golang-1.19-src=1.19.8-2 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical.js@2.2.1 >/dev/null

cat >write.go <<'GO'
package main

import (
	"fmt"
	"os"
	"time"

	ics "github.com/arran4/golang-ical"
)

func main() {
	calendar := ics.NewCalendar()
	event := calendar.AddEvent("1@example.org")
	event.SetDtStampTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	event.SetStartAt(time.Date(2027, 1, 5, 19, 0, 0, 0, time.UTC))
	event.SetSummary("Drill")
	event.SetOrganizer("chief@example.org", ics.WithCN(os.Args[1]))
	event.AddAttendee("ann@example.org", ics.WithCN(os.Args[1]))
	fmt.Print(calendar.Serialize())
}
GO
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
const event = new ICAL.Component(ICAL.parse(readFileSync(0, 'utf8'))).getFirstSubcomponent('vevent')
const attendee = event.getFirstProperty('attendee')
const [address, name] = [attendee.getFirstValue(), attendee.getFirstParameter('cn')]
console.log(`attendee ${address}, named ${name}, organizer ${event.getFirstPropertyValue('organizer')}`)
JS
export GOROOT=$directory/root/usr/lib/go-1.19 GOPATH=$directory/root/usr/share/gocode GO111MODULE=off
export GOCACHE=$directory/cache CGO_ENABLED=0
"$GOROOT/bin/go" build -o write write.go
for name in 'Ann Lee' 'Station 2: Desk'; do echo "$name: $(./write "$name" | node read.mjs)"; done | tee output

diff output - <<'OUTPUT'
Ann Lee: attendee mailto:ann@example.org, named Ann Lee, organizer chief@example.org
Station 2: Desk: attendee  Desk:mailto:ann@example.org, named Station 2, organizer  Desk:chief@example.org
OUTPUT
