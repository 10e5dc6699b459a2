#!/usr/bin/env bash
# The date in DTEND is not part of an all-day event (RFC 5545, 3.6.1). The span that libical 3.0.16-1
# (Debian 12) returns for each occurrence (icalcomponent_foreach_recurrence), on which many calendars are
# based, ends at the end of that date. So a program that looks for overlaps finds the event also on the
# day after it. For events with times, the span is right.
#
# Output:
#   January 5 (DTEND on January 6): January 5 00:00 to January 6 23:59
#   January 5, 10:00 to 11:00: January 5 10:00 to January 5 11:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libical3=3.0.16-1+b1 gir1.2-ical-3.0=3.0.16-1+b1 python3-gi=3.42.2-3+b1 \
  gir1.2-glib-2.0=1.74.0-3 libgirepository-1.0-1=1.74.0-3 'libicu72=72.1-3*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
libraries=$directory/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$libraries GI_TYPELIB_PATH=$libraries/girepository-1.0
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages

cat >read.py <<'PYTHON'
from datetime import datetime, timezone
import gi
gi.require_version("ICalGLib", "3.0")
from gi.repository import ICalGLib

def span(lines):
    event = ICalGLib.Component.new_from_string(f"""BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
{lines}
SUMMARY:Open house
END:VEVENT""")
    found = []
    event.foreach_recurrence(
        ICalGLib.Time.new_from_string("20270101T000000Z"),
        ICalGLib.Time.new_from_string("20270201T000000Z"),
        lambda component, span, *rest: found.extend([span.get_start(), span.get_end()]))
    return " to ".join(f"{datetime.fromtimestamp(time, timezone.utc):%B %-d %H:%M}" for time in found)

day = span("DTSTART;VALUE=DATE:20270105\nDTEND;VALUE=DATE:20270106")
print(f"January 5 (DTEND on January 6): {day}")
hour = span("DTSTART:20270105T100000Z\nDTEND:20270105T110000Z")
print(f"January 5, 10:00 to 11:00: {hour}")
PYTHON
/usr/bin/python3 read.py | tee output

diff output - <<'OUTPUT'
January 5 (DTEND on January 6): January 5 00:00 to January 6 23:59
January 5, 10:00 to 11:00: January 5 10:00 to January 5 11:00
OUTPUT
