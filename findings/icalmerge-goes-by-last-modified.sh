#!/usr/bin/env bash
# In a calendar without METHOD, DTSTAMP is the time of an event's last change, like LAST-MODIFIED
# (RFC 5545, 3.8.7.2). icalmerge from ical2html 3.0-1 (Debian 12) combines calendars, "keeping only the
# most recent version of each event", but never looks at DTSTAMP. Without LAST-MODIFIED, it keeps the
# version in the first file, even an outdated one.
#
# Output, for an event with an old and a new version, with the old file first and last:
#   DTSTAMP only: old first gives Old, new first gives New
#   with LAST-MODIFIED: old first gives New, new first gives New
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq ical2html=3.0-1 libical3=3.0.16-1+b1 'libicu72=72.1-3*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu

event() { # SUMMARY TIME [PROPERTY]
  cat <<ICS
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:$2
DTSTART:20270105T190000Z
SUMMARY:$1
${3:+$3:$2
}END:VEVENT
END:VCALENDAR
ICS
}
merge() { # FILE FILE
  rm -f merged.ics
  root/usr/bin/icalmerge "$1" "$2" merged.ics
  tr -d '\r' <merged.ics | sed -n 's/^SUMMARY://p' | paste -sd ' '
}
compare() { # [PROPERTY]
  event Old 20260101T000000Z "$@" >old.ics
  event New 20260601T000000Z "$@" >new.ics
  echo "old first gives $(merge old.ics new.ics), new first gives $(merge new.ics old.ics)"
}
{
  echo "DTSTAMP only: $(compare)"
  echo "with LAST-MODIFIED: $(compare LAST-MODIFIED)"
} | tee output

diff output - <<'OUTPUT'
DTSTAMP only: old first gives Old, new first gives New
with LAST-MODIFIED: old first gives New, new first gives New
OUTPUT
