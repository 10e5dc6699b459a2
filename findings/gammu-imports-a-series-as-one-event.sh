#!/usr/bin/env bash
# RRULE repeats an event, and DURATION is another way to say when it ends (RFC 5545, 3.8.5.3 and 3.6.1).
# Gammu 1.42.0-8 (Debian 12), which copies calendars to phones, ignores both. So the phone has only the first
# date of a series, without an end. Publishers should write an event with DTEND for each date.
#
# Output, for a weekly event of two hours, before and after its conversion with gammu convertbackup:
#   DTSTART:20270105T190000Z, DURATION:PT2H, RRULE:FREQ=WEEKLY;BYDAY=TU
#   DTSTART:20270105T190000Z
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq gammu=1.42.0-8 libgammu8=1.42.0-8 'libbluetooth3=5.66-1*' libusb-1.0-0=2:1.0.26-1 \
  'libglib2.0-0=2.74.6-2*' 'libcurl3-gnutls=7.88.1*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib:$directory/root/usr/lib/x86_64-linux-gnu HOME=$directory

cat >before.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
DURATION:PT2H
RRULE:FREQ=WEEKLY;BYDAY=TU
SUMMARY:Drill
END:VEVENT
END:VCALENDAR
ICS
sed -i 's/$/\r/' before.ics
root/usr/bin/gammu convertbackup before.ics after.ics >/dev/null 2>&1
for name in before after; do
  tr -d '\r' <$name.ics | grep -E '^(DTSTART|DTEND|DURATION|RRULE)' | paste -sd , | sed 's/,/, /g'
done | tee output

diff output - <<'OUTPUT'
DTSTART:20270105T190000Z, DURATION:PT2H, RRULE:FREQ=WEEKLY;BYDAY=TU
DTSTART:20270105T190000Z
OUTPUT
