#!/usr/bin/env bash
# A CalDAV server can be in a folder of a host, and the paths of calendars that it sends start at the root
# of the host (RFC 4918, 8.3; RFC 6764, 6). ts-caldav 0.3.7 (npm) finds the calendars of such a server, but
# appends their paths to the given URL, so it requests the folder twice, gets 404, and reads no events.
# Radicale, Nextcloud and others are in a folder. Users have to enter only the host, which works if the
# server redirects from there.
#
# Output, with the path of the last request:
#   http://127.0.0.1/dav/: 1 calendar, Failed to retrieve vevents from the CalDAV server. /dav/dav/ann/events/
#   http://127.0.0.1: 1 calendar, 1 event, /dav/ann/events/
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ts-caldav@0.3.7 >/dev/null

cat >run.mjs <<'JS'
import { createServer } from 'node:http'
import { CalDAVClient } from 'ts-caldav'
const event = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example//example//EN', 'BEGIN:VEVENT', 'UID:1@example.org'],
  ...['DTSTAMP:20260101T000000Z', 'DTSTART:20270105T190000Z', 'DTEND:20270105T200000Z', 'SUMMARY:Drill'],
  ...['END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n')
const home = '<d:href>/dav/ann/</d:href>'
const root =
  '<d:resourcetype><d:collection/></d:resourcetype>' +
  `<d:current-user-principal>${home}</d:current-user-principal>` +
  `<c:calendar-home-set>${home}</c:calendar-home-set>`
const calendar =
  '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>Events</d:displayname>' +
  '<c:supported-calendar-component-set><c:comp name="VEVENT"/></c:supported-calendar-component-set>'
const data = `<d:getetag>"1"</d:getetag><c:calendar-data>${event}</c:calendar-data>`
const resources = {
  'PROPFIND /dav/': [['/dav/', root]],
  'PROPFIND /dav/ann/': [
    ['/dav/ann/', root],
    ['/dav/ann/events/', calendar],
  ],
  'REPORT /dav/ann/events/': [['/dav/ann/events/1.ics', data]],
}
let last
const server = createServer((request, response) => {
  request.resume()
  last = request.url
  if (request.url === '/') return response.writeHead(307, { Location: '/dav/' }).end()
  const found = resources[`${request.method} ${request.url}`]
  if (!found) return response.writeHead(404).end()
  const responses = found.map(
    ([href, properties]) =>
      `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
  )
  response.writeHead(207, { 'Content-Type': 'application/xml; charset=utf-8' })
  response.end(
    `<?xml version="1.0" encoding="utf-8"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${responses.join('')}</d:multistatus>`,
  )
})
server.listen(0, '127.0.0.1', async () => {
  for (const path of ['/dav/', '']) {
    const baseUrl = `http://127.0.0.1:${server.address().port}${path}`
    const auth = { type: 'basic', username: 'ann', password: 'example' }
    const client = await CalDAVClient.create({ baseUrl, auth })
    const calendars = await client.getCalendars()
    const result = await client.getEvents(calendars[0].url, { all: true }).then(
      (events) => `${events.length} event,`,
      (error) => error.message,
    )
    console.log(`http://127.0.0.1${path}: ${calendars.length} calendar, ${result} ${last}`)
  }
  server.close()
  server.closeAllConnections()
})
JS
node run.mjs | tee output

diff output - <<'OUTPUT'
http://127.0.0.1/dav/: 1 calendar, Failed to retrieve vevents from the CalDAV server. /dav/dav/ann/events/
http://127.0.0.1: 1 calendar, 1 event, /dav/ann/events/
OUTPUT
