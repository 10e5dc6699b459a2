#!/usr/bin/env bash
# A task is due at DUE, or when its DURATION after DTSTART is over (RFC 5545, 3.6.2 and 3.8.2.5). todoman
# 4.1.0-1 (Debian 12) reads only DUE. So it shows tasks with a duration without a deadline, and leaves them
# out of lists of what is due soon. Publishers should write DUE.
#
# Output, for tasks that are due on January 5, 2027, by what they have:
#   DUE: 2027-01-05
#   DURATION: none
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq todoman=4.1.0-1 python3-atomicwrites=1.4.1-1 python3-click=8.1.3-2 \
  python3-click-log=0.3.2-1 python3-dateutil=2.8.2-2 python3-humanize=4.4.0-1 python3-icalendar=4.0.3-5 \
  python3-parsedatetime=2.6-3 python3-six=1.16.0-4 python3-tz=2022.7.1-4 python3-urwid=2.1.2* \
  python3-xdg=0.28-2 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages HOME=$directory LC_ALL=C.UTF-8 TZ=UTC

cat >config.py <<CONFIG
path = "$directory/tasks"
date_format = "%Y-%m-%d"
time_format = "%H:%M"
cache_path = "$directory/cache"
CONFIG
mkdir tasks
for line in DUE:20270105T170000Z DURATION:P4DT8H; do
  cat >"tasks/${line%%:*}.ics" <<ICS
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VTODO
UID:${line%%:*}@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270101T090000Z
$line
SUMMARY:${line%%:*}
END:VTODO
END:VCALENDAR
ICS
done
/usr/bin/python3 -c 'from todoman.cli import cli; cli()' --config config.py --porcelain list >tasks.json
/usr/bin/python3 - <<'PYTHON' | tee output
import json
from datetime import datetime

for task in sorted(json.load(open("tasks.json")), key=lambda task: task["summary"]):
    due = task["due"]
    print(f"{task['summary']}: {datetime.utcfromtimestamp(due).date() if due else 'none'}")
PYTHON

diff output - <<'OUTPUT'
DUE: 2027-01-05
DURATION: none
OUTPUT
