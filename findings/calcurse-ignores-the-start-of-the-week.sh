#!/usr/bin/env bash
# WKST decides which days belong to one week, which matters for a series every two weeks (RFC 5545,
# 3.3.10). American calendars write WKST=SU. calcurse 4.7.1-1 (Debian 12) always counts weeks from Monday,
# so it shows the Sundays of such a series in the wrong weeks. Separate series for Sundays and for other
# days are safe.
#
# Output, for every other week from Tuesday, January 5, on Tuesdays and Sundays:
#   WKST=MO: 01/05/27 01/10/27 01/19/27 01/24/27
#   WKST=SU: 01/05/27 01/10/27 01/19/27 01/24/27 (right: 01/05 01/17 01/19 01/31)
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq calcurse=4.7.1-1 libncursesw6=6.4-4 libtinfo6=6.4-4 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/lib/x86_64-linux-gnu:$directory/root/usr/lib/x86_64-linux-gnu
export HOME=$directory TZ=UTC

dates() { # WKST
  rm -rf data
  mkdir data
  cat >calendar.ics <<ICS
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
DTEND:20270105T200000Z
RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=$1;COUNT=4
SUMMARY:Training
END:VEVENT
END:VCALENDAR
ICS
  sed -i 's/$/\r/' calendar.ics
  root/usr/bin/calcurse -D data -i calendar.ics >/dev/null 2>&1
  root/usr/bin/calcurse -D data -Q --from 01/01/2027 --days 60 | sed -n 's/^\(.*\):$/\1/p' | paste -sd ' '
}
for day in MO SU; do echo "WKST=$day: $(dates "$day")"; done | tee output

diff output - <<'OUTPUT'
WKST=MO: 01/05/27 01/10/27 01/19/27 01/24/27
WKST=SU: 01/05/27 01/10/27 01/19/27 01/24/27
OUTPUT
