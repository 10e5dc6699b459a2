#!/usr/bin/env bash
# An invitation can say how long an event lasts instead of when it ends (RFC 5545, 3.6.1). mhical from nmh
# 1.8~RC2-2 (Debian 12), which shows invitations in emails, ignores DURATION. If the invitation contains the
# rules of a time zone, it shows the start of the first rule as the end of the event, for example in 2007.
# Otherwise, the event seems to end when it starts. Publishers should send DTEND.
#
# Output, for two hours on January 5, 2027:
#   DTEND, with a time zone: Tue, 05 Jan 2027 19:00 to Tue, 05 Jan 2027 21:00
#   DURATION, with a time zone: Tue, 05 Jan 2027 19:00 to Sun, 11 Mar 2007 02:00
#   DURATION, in UTC: Tue, 05 Jan 2027 19:00 to Tue, 05 Jan 2027 19:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq nmh=1.8~RC2-2 liblockfile1=1.17-1+b1 libtinfo6=6.4-4 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu:$directory/root/lib/x86_64-linux-gnu
export HOME=$directory TZ=America/New_York TERM=dumb
echo 'Path: Mail' >.mh_profile

newYork='BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
END:VTIMEZONE'
show() { # TIMES [TIME_ZONE]
  sed '/^$/d; s/$/\r/' >invitation.ics <<ICS
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
METHOD:REQUEST
${2-}
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
$1
SUMMARY:Drill
ORGANIZER:mailto:chief@example.org
ATTENDEE:mailto:ann@example.org
END:VEVENT
END:VCALENDAR
ICS
  root/usr/bin/mh/mhical -form "$directory/root/etc/nmh/mhical.24hour" -infile invitation.ics |
    sed -n 's/^At: \(.*:00\).*/\1 to/p; s/^To: //p' | paste -sd ' '
}
start='DTSTART;TZID=America/New_York:20270105T190000'
{
  echo "DTEND, with a time zone: $(show "$start"$'\nDTEND;TZID=America/New_York:20270105T210000' "$newYork")"
  echo "DURATION, with a time zone: $(show "$start"$'\nDURATION:PT2H' "$newYork")"
  echo "DURATION, in UTC: $(show $'DTSTART:20270106T000000Z\nDURATION:PT2H')"
} | tee output

diff output - <<'OUTPUT'
DTEND, with a time zone: Tue, 05 Jan 2027 19:00 to Tue, 05 Jan 2027 21:00
DURATION, with a time zone: Tue, 05 Jan 2027 19:00 to Sun, 11 Mar 2007 02:00
DURATION, in UTC: Tue, 05 Jan 2027 19:00 to Tue, 05 Jan 2027 19:00
OUTPUT
