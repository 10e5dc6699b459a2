#!/usr/bin/env bash
# An event with neither DTEND nor DURATION ends when it starts (RFC 5545, 3.6.1). khal 0.10.5-1.1
# (Debian 12) shows it as an hour long. Publishers can't avoid this with DTEND at the time of DTSTART,
# because DTEND must be later (3.8.2.2).
#
# Output, for a deadline at 18:00: 18:00-19:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq khal=1:0.10.5-1.1 python3-atomicwrites=1.4.1-1 python3-click=8.1.3-2 \
  python3-click-log=0.3.2-1 python3-configobj=5.0.8-1 python3-dateutil=2.8.2-2 python3-icalendar=4.0.3-5 \
  python3-pkg-resources=66.1.1* python3-six=1.16.0-4 python3-tz=2022.7.1-4 python3-tzlocal=4.2-1 \
  python3-pytz-deprecation-shim=0.1.0* python3-urwid=2.1.2* python3-xdg=0.28-2 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages HOME=$directory LC_ALL=C.UTF-8

cat >config <<CONFIG
[calendars]
[[calendar]]
path = $directory/calendar
[locale]
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
local_timezone = UTC
default_timezone = UTC
[sqlite]
path = $directory/calendar.db
CONFIG
mkdir calendar
cat >calendar.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T180000Z
SUMMARY:Deadline for reports
END:VEVENT
END:VCALENDAR
ICS
khal() { /usr/bin/python3 root/usr/bin/khal -c config "$@" 2>/dev/null; }
khal import --batch -a calendar calendar.ics >/dev/null
times=$(khal list 2027-01-05 1d --day-format '' --format '{start-time}-{end-time}')
echo "$times"
[ "$times" = 18:00-19:00 ]
