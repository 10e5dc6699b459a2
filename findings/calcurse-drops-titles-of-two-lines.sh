#!/usr/bin/env bash
# SUMMARY is a text, which may contain line breaks (RFC 5545, 3.8.1.12 and 3.3.11). calcurse 4.7.1-1
# (Debian 12) imports the calendar, but not an event whose title has one. Line breaks in LOCATION and
# DESCRIPTION are fine. So a publisher should replace them in titles.
#
# Output, for two events: 1 app / 0 events / 0 todos / 1 skipped
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq calcurse=4.7.1-1 libncursesw6=6.4-4 libtinfo6=6.4-4 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/lib/x86_64-linux-gnu:$directory/root/usr/lib/x86_64-linux-gnu
export HOME=$directory TMPDIR=$directory TZ=UTC

mkdir data
cat >calendar.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
SUMMARY:Open house
LOCATION:Station 2\n1 Main Street
DESCRIPTION:Tours\nCake
END:VEVENT
BEGIN:VEVENT
UID:2@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270106T190000Z
SUMMARY:Open house\nTours and cake
END:VEVENT
END:VCALENDAR
ICS
sed -i 's/$/\r/' calendar.ics
report=$(root/usr/bin/calcurse -D data -i calendar.ics 2>&1 || true)
report=$(grep skipped <<<"$report")
echo "$report"
[ "$report" = '1 app / 0 events / 0 todos / 1 skipped' ]
