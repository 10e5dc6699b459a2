#!/usr/bin/env bash
# Times need neither UTC nor a time zone (RFC 5545, 3.3.5), and X-WR-TIMEZONE tells programs the zone of such
# times. python3-x-wr-timezone 0.0.5-2 (Debian 12) gives them this zone, but with the offset that it had in
# the 19th century, the local mean time. So events are minutes off when a program converts them. Publishers
# should write times in UTC.
#
# Output, for an event at 19:00 on January 5, 2027, in UTC:
#   America/New_York: without a zone 23:56, in UTC 00:00
#   Europe/Paris: without a zone 18:51, in UTC 18:00
#   Asia/Kolkata: without a zone 13:07, in UTC 13:30
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq python3-x-wr-timezone=0.0.5-2 python3-icalendar=4.0.3-5 python3-dateutil=2.8.2-2 \
  python3-tz=2022.7.1-4 python3-six=1.16.0-4 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages

cat >convert.py <<'PYTHON'
from datetime import timezone

from icalendar import Calendar
from x_wr_timezone import to_standard

LINES = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
X-WR-TIMEZONE:{zone}
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:{start}
SUMMARY:Drill
END:VEVENT
END:VCALENDAR
"""


def start(zone, start):
    calendar = to_standard(Calendar.from_ical(LINES.format(zone=zone, start=start)))
    return calendar.walk("VEVENT")[0]["DTSTART"].dt.astimezone(timezone.utc).strftime("%H:%M")


utc = {
    "America/New_York": "20270106T000000Z",
    "Europe/Paris": "20270105T180000Z",
    "Asia/Kolkata": "20270105T133000Z",
}
for zone, time in utc.items():
    print(f"{zone}: without a zone {start(zone, '20270105T190000')}, in UTC {start(zone, time)}")
PYTHON
/usr/bin/python3 convert.py | tee output

diff output - <<'OUTPUT'
America/New_York: without a zone 23:56, in UTC 00:00
Europe/Paris: without a zone 18:51, in UTC 18:00
Asia/Kolkata: without a zone 13:07, in UTC 13:30
OUTPUT
