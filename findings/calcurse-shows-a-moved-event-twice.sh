#!/usr/bin/env bash
# A RECURRENCE-ID means that an event replaces one date of a series, for example because it has moved (RFC
# 5545, 3.8.4.4). calcurse 4.7.1-1 (Debian 12) imports such an event as an additional one, and also shows it
# at the time from which it has moved. Publishers can avoid this with a separate event for each date.
#
# Output, for weekly events from January 5, of which the one on January 12 has moved to January 14:
#   01/05/27 19:00 Training
#   01/12/27 19:00 Training
#   01/14/27 18:00 Training (moved)
#   01/19/27 19:00 Training
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq calcurse=4.7.1-1 libncursesw6=6.4-4 libtinfo6=6.4-4 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/lib/x86_64-linux-gnu:$directory/root/usr/lib/x86_64-linux-gnu
export HOME=$directory TZ=UTC

cat >calendar.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
DTEND:20270105T200000Z
RRULE:FREQ=WEEKLY;COUNT=3
SUMMARY:Training
END:VEVENT
BEGIN:VEVENT
UID:1@example.org
RECURRENCE-ID:20270112T190000Z
DTSTAMP:20260101T000000Z
DTSTART:20270114T180000Z
DTEND:20270114T190000Z
SUMMARY:Training (moved)
END:VEVENT
END:VCALENDAR
ICS
sed -i 's/$/\r/' calendar.ics
mkdir data
root/usr/bin/calcurse -D data -i calendar.ics >/dev/null 2>&1
root/usr/bin/calcurse -D data -Q --from 01/01/2027 --days 31 |
  awk '/^[0-9]/ { day = substr($0, 1, 8) } /->/ { time = $2 } /Training/ { $1 = $1; print day, time, $0 }' | tee output

diff output - <<'OUTPUT'
01/05/27 19:00 Training
01/12/27 19:00 Training
01/14/27 18:00 Training (moved)
01/19/27 19:00 Training
OUTPUT
