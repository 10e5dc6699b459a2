#!/usr/bin/env bash
# A calendar query with a time range returns a series if one of its dates is in the range (RFC 4791, 9.9).
# Xandikos 0.2.8-1 (Debian 12), a CalDAV server, compares the range only with DTSTART and DTEND. So apps
# that load one month at a time show a series only in the month in which it began. Publishers can avoid this
# with a separate event for each date.
#
# Output, with the events that a query for the month returns, for Tuesdays from January 5, 2027:
#   January: 1 series, 1 single event
#   February: 0 series, 1 single event
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq xandikos=0.2.8-1 'python3-dulwich=0.21.2-1*' python3-defusedxml=0.7.1-2 \
  python3-icalendar=4.0.3-5 python3-dateutil=2.8.2-2 python3-tz=2022.7.1-4 python3-six=1.16.0-4 \
  'python3-jinja2=3.1.2-1*' python3-markupsafe=2.1.2-1+b1 python3-multidict=6.0.4-1+b1 \
  'python3-urllib3=1.26.12-1*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages HOME=$directory

cat >query.py <<'PYTHON'
import io
from xandikos.web import XandikosApp, XandikosBackend

backend = XandikosBackend(path="storage")
backend.create_principal("/pat/", create_defaults=True)
backend._mark_as_principal("/pat/")
xandikos = XandikosApp(backend, "/pat/")

def request(method, path, lines, **headers):
    content = "".join(line + "\r\n" for line in lines).encode()
    environ = {"REQUEST_METHOD": method, "SCRIPT_NAME": "", "PATH_INFO": path, "QUERY_STRING": "",
               "CONTENT_LENGTH": str(len(content)), "SERVER_NAME": "dav.example.org", "SERVER_PORT": "443",
               "wsgi.url_scheme": "https", "wsgi.input": io.BytesIO(content), **headers}
    return b"".join(xandikos(environ, lambda status, fields: None)).decode()

events = {"series": ["DTSTART:20270105T190000Z", "DTEND:20270105T210000Z", "RRULE:FREQ=WEEKLY"],
          "january": ["DTSTART:20270112T190000Z", "DTEND:20270112T210000Z"],
          "february": ["DTSTART:20270209T190000Z", "DTEND:20270209T210000Z"]}
for name, times in events.items():
    request("PUT", f"/pat/calendars/calendar/{name}.ics", [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//example//EN", "BEGIN:VEVENT",
        f"UID:{name}@example.org", "DTSTAMP:20260101T000000Z", *times, "SUMMARY:Drill", "END:VEVENT",
        "END:VCALENDAR"], CONTENT_TYPE="text/calendar")
for month, name, end in [("01", "January", "02"), ("02", "February", "03")]:
    answer = request("REPORT", "/pat/calendars/calendar/", [f"""<?xml version="1.0"?>
<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:">
<D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">
<C:time-range start="2027{month}01T000000Z" end="2027{end}01T000000Z"/>
</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"""], CONTENT_TYPE="text/xml", HTTP_DEPTH="1")
    print(f"{name}: {answer.count('series.ics')} series, {answer.count(name.lower() + '.ics')} single event")
PYTHON
/usr/bin/python3 query.py | tee output

diff output - <<'OUTPUT'
January: 1 series, 1 single event
February: 0 series, 1 single event
OUTPUT
