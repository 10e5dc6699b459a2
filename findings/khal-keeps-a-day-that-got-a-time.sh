#!/usr/bin/env bash
# RECURRENCE-ID names the occurrence of a series that an event replaces (RFC 5545, 3.8.4.4). If one day
# of an all-day series gets a time, khal 0.10.5-1.1 (Debian 12) shows both the day and the event at that
# time. It replaces the day if the replacement is also all day.
#
# Output, for a weekly event whose second day is replaced:
#   all day: 2027-01-05 All day, 2027-01-12 Replaced, 2027-01-19 All day
#   at 19:00: 2027-01-05 All day, 2027-01-12 All day, 2027-01-12 Replaced, 2027-01-19 All day
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
khal() { /usr/bin/python3 root/usr/bin/khal -c config "$@" 2>/dev/null; }
days() { # DTSTART of the second day
  rm -f calendar/* calendar.db
  cat >calendar.ics <<ICS
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART;VALUE=DATE:20270105
RRULE:FREQ=WEEKLY;COUNT=3
SUMMARY:All day
END:VEVENT
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
RECURRENCE-ID;VALUE=DATE:20270112
DTSTART$1
SUMMARY:Replaced
END:VEVENT
END:VCALENDAR
ICS
  khal import --batch -a calendar calendar.ics >/dev/null
  khal list 2027-01-01 31d --day-format '' --format '{start-date} {title}' | paste -sd , | sed 's/,/, /g'
}
{
  echo "all day: $(days ';VALUE=DATE:20270112')"
  echo "at 19:00: $(days ':20270112T190000Z')"
} | tee output

diff output - <<'OUTPUT'
all day: 2027-01-05 All day, 2027-01-12 Replaced, 2027-01-19 All day
at 19:00: 2027-01-05 All day, 2027-01-12 All day, 2027-01-12 Replaced, 2027-01-19 All day
OUTPUT
