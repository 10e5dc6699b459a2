#!/usr/bin/env bash
# A calendar query with a time range returns events that overlap with it, also those that have DURATION
# instead of DTEND (RFC 4791, 9.9). Radicale 3.1.8-2 (Debian 12) counts only the part of a duration that
# is less than a day. It treats P1D, P2D and P1W as no time, so apps that load a week or a month at a
# time miss events that started before. With DTEND, it finds them.
#
# Output, with the events that a query for January 6 returns:
#   January 5 with DTEND on January 7: 1
#   January 5 with DURATION:P2D: 0
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq python3-radicale=3.1.8-2 python3-vobject=0.9.6.1-2 python3-dateutil=2.8.2-2 \
  python3-six=1.16.0-4 python3-tz=2022.7.1-4 python3-defusedxml=0.7.1-2 python3-passlib=1.7.4-3 \
  python3-pkg-resources=66.1.1* >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages

cat >query.py <<'PYTHON'
import io
from radicale import Application, config

settings = config.load()
settings.update({"storage": {"filesystem_folder": "storage"}, "logging": {"level": "critical"}}, "script")
radicale = Application(settings)

def request(method, path, body="", **headers):
    content = body.encode()
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "CONTENT_LENGTH": str(len(content)),
               "HTTP_AUTHORIZATION": "Basic cGF0Og==",  # pat, without a password
               "SERVER_NAME": "dav.example.org", "SERVER_PORT": "443", "wsgi.url_scheme": "https",
               "wsgi.input": io.BytesIO(content), "wsgi.errors": io.StringIO(), **headers}
    return b"".join(radicale(environ, lambda status, fields: None)).decode()

request("MKCALENDAR", "/pat/calendar/")
events = {"January 5 with DTEND on January 7": "DTEND;VALUE=DATE:20270107",
          "January 5 with DURATION:P2D": "DURATION:P2D"}
for name, end in events.items():
    request("PUT", "/pat/calendar/1.ics", "\r\n".join([
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//example//EN", "BEGIN:VEVENT",
        "UID:1@example.org", "DTSTAMP:20260101T000000Z", "DTSTART;VALUE=DATE:20270105", end,
        "SUMMARY:Camp", "END:VEVENT", "END:VCALENDAR", ""]), CONTENT_TYPE="text/calendar")
    answer = request("REPORT", "/pat/calendar/", """<?xml version="1.0"?>
<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:">
<D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">
<C:time-range start="20270106T000000Z" end="20270107T000000Z"/>
</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>""", HTTP_DEPTH="1")
    print(f"{name}: {answer.count('1.ics')}")
PYTHON
/usr/bin/python3 query.py | tee output

diff output - <<'OUTPUT'
January 5 with DTEND on January 7: 1
January 5 with DURATION:P2D: 0
OUTPUT
