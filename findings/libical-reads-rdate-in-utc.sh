#!/usr/bin/env bash
# The additional dates of a series (RDATE) are in the time zone that their TZID names (RFC 5545, 3.8.5.2).
# libical 3.0.16-1 (Debian 12), on which many calendars are based, reads them as UTC when it lists the
# occurrences of an event (icalcomponent_foreach_recurrence). It converts DTSTART and EXDATE. Dates in
# UTC are right.
#
# Output, for January 5 and 9 at 19:00 in New York, which is 00:00 UTC on the following days:
#   RDATE;TZID=America/New_York:20270109T190000: January 6 00:00, January 9 19:00
#   RDATE:20270110T000000Z: January 6 00:00, January 10 00:00
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

def starts(dates):
    calendar = ICalGLib.Component.new_from_string(f"""BEGIN:VCALENDAR
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
DTSTART;TZID=America/New_York:20270105T190000
DTEND;TZID=America/New_York:20270105T200000
{dates}
SUMMARY:First aid course
END:VEVENT
END:VCALENDAR""")
    event = calendar.get_first_component(ICalGLib.ComponentKind.VEVENT_COMPONENT)
    found = []
    event.foreach_recurrence(
        ICalGLib.Time.new_from_string("20270101T000000Z"),
        ICalGLib.Time.new_from_string("20270201T000000Z"),
        lambda component, span, *rest: found.append(span.get_start()))
    return ", ".join(f"{datetime.fromtimestamp(time, timezone.utc):%B %-d %H:%M}" for time in found)

for dates in ["RDATE;TZID=America/New_York:20270109T190000", "RDATE:20270110T000000Z"]:
    print(f"{dates}: {starts(dates)}")
PYTHON
/usr/bin/python3 read.py | tee output

diff output - <<'OUTPUT'
RDATE;TZID=America/New_York:20270109T190000: January 6 00:00, January 9 19:00
RDATE:20270110T000000Z: January 6 00:00, January 10 00:00
OUTPUT
