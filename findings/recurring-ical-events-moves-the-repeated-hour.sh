#!/usr/bin/env bash
# python3-recurring-ical-events 2.0.1-1 (Debian 12) converts a time in UTC to the calendar's
# X-WR-TIMEZONE, and treats a time in the hour that repeats when clocks go back as the second
# occurrence. The event is an hour late.
#
# Output, with the time in UTC: written 05:30, read 06:30
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq python3-recurring-ical-events=2.0.1-1 python3-icalendar=4.0.3-5 \
  python3-x-wr-timezone=0.0.5-2 python3-tz=2022.7.1-4 python3-dateutil=2.8.2-2 python3-six=1.16.0-4 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages

cat >calendar.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
X-WR-TIMEZONE:America/New_York
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20271107T053000Z
SUMMARY:Night watch
END:VEVENT
END:VCALENDAR
ICS
read=$(/usr/bin/python3 -c '
import datetime, icalendar, recurring_ical_events
calendar = icalendar.Calendar.from_ical(open("calendar.ics", "rb").read())
[event] = recurring_ical_events.of(calendar).between((2027, 11, 1), (2027, 12, 1))
print(event["DTSTART"].dt.astimezone(datetime.timezone.utc).strftime("%H:%M"))')
echo "written 05:30, read $read"
[[ $read == 06:30 ]]
