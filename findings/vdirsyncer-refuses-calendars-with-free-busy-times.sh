#!/usr/bin/env bash
# A calendar can contain free and busy times (RFC 5545, 3.6 and 3.6.4). vdirsyncer 0.19.0-1 (Debian 12),
# with which people subscribe to calendars in khal and todoman, splits them into events, and throws an error
# for VFREEBUSY. So none of the events arrives. Publishers should write free and busy times into another
# file.
#
# Output, for a calendar with one event:
#   without VFREEBUSY: 1 event
#   with VFREEBUSY: Unknown component: VFREEBUSY
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq vdirsyncer=0.19.0-1 >/dev/null 2>&1
dpkg -x vdirsyncer*.deb root

cat >split.py <<'PYTHON'
from vdirsyncer.vobject import split_collection

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
SUMMARY:Drill
END:VEVENT
{times}END:VCALENDAR
"""
TIMES = """BEGIN:VFREEBUSY
UID:2@example.org
DTSTAMP:20260101T000000Z
FREEBUSY:20270105T190000Z/PT2H
END:VFREEBUSY
"""
for label, times in (("without", ""), ("with", TIMES)):
    try:
        result = f"{len(list(split_collection(CALENDAR.format(times=times))))} event"
    except ValueError as error:
        result = error
    print(f"{label} VFREEBUSY: {result}")
PYTHON
PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 split.py | tee output

diff output - <<'OUTPUT'
without VFREEBUSY: 1 event
with VFREEBUSY: Unknown component: VFREEBUSY
OUTPUT
