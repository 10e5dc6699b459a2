#!/usr/bin/env bash
# A time in UTC is a moment (RFC 5545, 3.3.5), so its date depends on the reader's time zone.
# ical2html 3.0-1 (Debian 12) converts times to the zone of its option -z, but not dates. In the Americas,
# it shows evening events at the right time on the wrong day. The same happens to times with a TZID. So a
# website that uses ical2html should check events late in the day.
#
# Output, for New York, where both events are on January 5:
#   2027-01-05T20:30Z: day 5, 15:30 Afternoon
#   2027-01-06T00:30Z: day 6, 19:30 Evening
#   2027-01-05T19:30 in New York: day 6, 19:30 Night
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq ical2html=3.0-1 libical3=3.0.16-1+b1 'libicu72=72.1-3*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu

show() { # SUMMARY PROPERTIES
  cat >calendar.ics <<ICS
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART$2
DURATION:PT1H
SUMMARY:$1
END:VEVENT
END:VCALENDAR
ICS
  root/usr/bin/ical2html -z America/New_York 20270103 P1W calendar.ics | tr '\n' ' ' |
    sed -E 's/.*class="date">([0-9]+)<.*class="dtstart"[^>]*>([0-9:]+)<.*class="summary">([^<]+)<.*/day \1, \2 \3\n/'
}
{
  echo "2027-01-05T20:30Z: $(show Afternoon :20270105T203000Z)"
  echo "2027-01-06T00:30Z: $(show Evening :20270106T003000Z)"
  echo "2027-01-05T19:30 in New York: $(show Night ';TZID=America/New_York:20270105T193000')"
} | tee output

diff output - <<'OUTPUT'
2027-01-05T20:30Z: day 5, 15:30 Afternoon
2027-01-06T00:30Z: day 6, 19:30 Evening
2027-01-05T19:30 in New York: day 6, 19:30 Night
OUTPUT
