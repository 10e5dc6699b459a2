#!/usr/bin/env bash
# COUNT includes the dates that EXDATE removes from a series (RFC 5545, 3.8.5.1 and 3.3.10). calcurse
# 4.7.1-1 (Debian 12) imports a series with COUNT=4 and two exceptions as four other dates, so canceled
# evenings return as additional ones at the end. UNTIL does not have this problem.
#
# Output, for an event on January 5, 12, 19 and 26 without January 12 and 19:
#   COUNT=4: 01/05/27 01/26/27 02/02/27 02/09/27
#   UNTIL=20270126T190000Z: 01/05/27 01/26/27
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq calcurse=4.7.1-1 libncursesw6=6.4-4 libtinfo6=6.4-4 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/lib/x86_64-linux-gnu:$directory/root/usr/lib/x86_64-linux-gnu
export HOME=$directory TZ=UTC

dates() { # RULE
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
RRULE:FREQ=WEEKLY;$1
EXDATE:20270112T190000Z,20270119T190000Z
SUMMARY:Training
END:VEVENT
END:VCALENDAR
ICS
  sed -i 's/$/\r/' calendar.ics
  root/usr/bin/calcurse -D data -i calendar.ics >/dev/null 2>&1
  root/usr/bin/calcurse -D data -Q --from 01/01/2027 --days 100 | sed -n 's/^\(.*\):$/\1/p' | paste -sd ' '
}
for rule in COUNT=4 UNTIL=20270126T190000Z; do echo "$rule: $(dates "$rule")"; done | tee output

diff output - <<'OUTPUT'
COUNT=4: 01/05/27 01/26/27 02/02/27 02/09/27
UNTIL=20270126T190000Z: 01/05/27 01/26/27
OUTPUT
