#!/usr/bin/env bash
# URIs in vCards and calendars contain commas without a backslash. A photo in a vCard of version 4 is often
# a data URI, and a place is a geo URI, which both contain one (examples in RFC 6350, 6.2.4 and 6.5.2).
# Radicale 3.1.8-2 (Debian 12), a CalDAV and CardDAV server, stores most URIs only up to the first comma,
# because python3-vobject 0.9.6.1-2 treats them as lists. So contacts lose their photo and place, and a link
# to a conference is wrong. Publishers should link to photos, and write commas in links as %2C.
#
# Output, with what Radicale returns:
#   PHOTO:data:image/png;base64,iVBORw0KGgo= becomes PHOTO:data:image/png\;base64
#   GEO:geo:40.7128,-74.0060 becomes GEO:geo:40.7128
#   URL:https://example.org/1,2 becomes URL:https://example.org/1
#   CONFERENCE;VALUE=URI:https://example.org/1,2 becomes CONFERENCE;VALUE=URI:https://example.org/1
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq python3-radicale=3.1.8-2 python3-vobject=0.9.6.1-2 python3-dateutil=2.8.2-2 \
  python3-six=1.16.0-4 python3-tz=2022.7.1-4 python3-defusedxml=0.7.1-2 python3-passlib=1.7.4-3 \
  python3-pkg-resources=66.1.1* >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages

cat >store.py <<'PYTHON'
import io
from radicale import Application, config

settings = config.load()
settings.update({"storage": {"filesystem_folder": "storage"}, "logging": {"level": "critical"}}, "script")
radicale = Application(settings)

def request(method, path, lines=(), **headers):
    content = "".join(line + "\r\n" for line in lines).encode()
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "CONTENT_LENGTH": str(len(content)),
               "HTTP_AUTHORIZATION": "Basic cGF0Og==",  # pat, without a password
               "SERVER_NAME": "dav.example.org", "SERVER_PORT": "443", "wsgi.url_scheme": "https",
               "wsgi.input": io.BytesIO(content), "wsgi.errors": io.StringIO(), **headers}
    return b"".join(radicale(environ, lambda status, fields: None)).decode()

def compare(path, type, lines, wanted):
    request("PUT", path, lines, CONTENT_TYPE=type)
    stored = request("GET", path).splitlines()
    for line in lines:
        name = line.split(":")[0].split(";")[0]
        if name in wanted:
            print(line, "becomes", next(line for line in stored if line.startswith(name)))

request("MKCOL", "/pat/contacts/", ["""<?xml version="1.0"?>
<mkcol xmlns="DAV:"><set><prop><resourcetype><collection/>
<addressbook xmlns="urn:ietf:params:xml:ns:carddav"/></resourcetype></prop></set></mkcol>"""])
compare("/pat/contacts/1.vcf", "text/vcard", [
    "BEGIN:VCARD", "VERSION:4.0", "UID:urn:uuid:1f0e5a52-0000-4000-8000-000000000001", "FN:Ann Lee",
    "N:Lee;Ann;;;", "PHOTO:data:image/png;base64,iVBORw0KGgo=", "GEO:geo:40.7128,-74.0060",
    "URL:https://example.org/1,2", "END:VCARD"], ["PHOTO", "GEO", "URL"])
request("MKCALENDAR", "/pat/calendar/")
compare("/pat/calendar/1.ics", "text/calendar", [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//example//EN", "BEGIN:VEVENT", "UID:1@example.org",
    "DTSTAMP:20260101T000000Z", "DTSTART:20270105T190000Z", "SUMMARY:Meeting",
    "CONFERENCE;VALUE=URI:https://example.org/1,2", "END:VEVENT", "END:VCALENDAR"], ["CONFERENCE"])
PYTHON
/usr/bin/python3 store.py | tee output

diff output - <<'OUTPUT'
PHOTO:data:image/png;base64,iVBORw0KGgo= becomes PHOTO:data:image/png\;base64
GEO:geo:40.7128,-74.0060 becomes GEO:geo:40.7128
URL:https://example.org/1,2 becomes URL:https://example.org/1
CONFERENCE;VALUE=URI:https://example.org/1,2 becomes CONFERENCE;VALUE=URI:https://example.org/1
OUTPUT
