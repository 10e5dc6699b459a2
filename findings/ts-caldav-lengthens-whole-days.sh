#!/usr/bin/env bash
# The date in DTEND is not part of an all-day event (RFC 5545, 3.6.1). ts-caldav 0.3.7 (npm) returns it as
# the end of the event, and adds a day when it writes an event. So each time a program reads an event,
# renames it and writes it back, the event gets a day longer. The change has a new ETag, so it reaches
# every other client.
#
# Output, for an event on January 5 that is renamed three times:
#   January 5 to 5, January 5 to 6, January 5 to 7, January 5 to 8
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ts-caldav@0.3.7 >/dev/null

cat >rename.cjs <<'JS'
const { createServer } = require('node:http')
const { CalDAVClient } = require('ts-caldav')
let calendar = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART;VALUE=DATE:20270105
DTEND;VALUE=DATE:20270106
SUMMARY:Drill
END:VEVENT
END:VCALENDAR
`
let version = 1
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    if (request.method === 'PUT') {
      calendar = body
      version += 1
      response.writeHead(204, { ETag: `"${version}"` }).end()
      return
    }
    response.writeHead(207, { 'Content-Type': 'application/xml; charset=utf-8' })
    response.end(`<?xml version="1.0" encoding="utf-8"?>
<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response>
<D:href>/calendar/1.ics</D:href><D:propstat><D:prop><D:getetag>"${version}"</D:getetag>
<C:calendar-data>${calendar}</C:calendar-data></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
</D:response></D:multistatus>`)
  })
})
server.listen(0, '127.0.0.1', async () => {
  const client = CalDAVClient.createFromCache(
    {
      baseUrl: `http://127.0.0.1:${server.address().port}`,
      auth: { type: 'basic', username: 'pat', password: 'example' },
    },
    { userPrincipal: '/', calendarHome: '/' },
  )
  const spans = []
  for (const name of ['First', 'Second', 'Third', 'Fourth']) {
    const end = /DTEND;VALUE=DATE:202701(\d\d)/.exec(calendar)[1]
    spans.push(`January 5 to ${Number(end) - 1}`)
    const [event] = await client.getEvents('/calendar/', { all: true })
    await client.updateEvent('/calendar/', { ...event, summary: name })
  }
  console.log(spans.join(', '))
  server.close()
})
JS
TZ=UTC node rename.cjs | tee output

[ "$(<output)" = 'January 5 to 5, January 5 to 6, January 5 to 7, January 5 to 8' ]
