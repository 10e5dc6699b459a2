#!/usr/bin/env bash
# A server that has more changes than it wants to send at once ends a sync-collection report with the
# status 507 for the collection, and the client asks for the rest with the new token (RFC 6578, 3.6).
# tsdav 2.3.4 (npm) treats it as an error, drops the changes that it got and keeps the old token, so
# every later sync fails as well. With such clients, a server has to send everything at once.
#
# Output, for a collection with two objects, sent in parts and at once:
#   in parts: Collection sync failed: 507 Insufficient Storage
#   at once: 1.ics, 2.ics
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . tsdav@2.3.4 >/dev/null

cat >run.mjs <<'JS'
import { createServer } from 'node:http'
import { smartCollectionSync } from 'tsdav'
const response = (href, content) => `<D:response><D:href>${href}</D:href>${content}</D:response>`
const object = (name) =>
  response(
    `/calendar/${name}`,
    `<D:propstat><D:prop><D:getetag>"${name}"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>`,
  )
const more = response(
  '/calendar/',
  '<D:status>HTTP/1.1 507 Insufficient Storage</D:status><D:error><D:number-of-matches-within-limits/></D:error>',
)
const parts = {
  'in parts': { 0: [object('1.ics') + more, 1], 1: [object('2.ics'), 2] },
  'at once': { 0: [object('1.ics') + object('2.ics'), 2] },
}
let answers
const server = createServer((request, reply) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    const [content, token] = answers[/sync-token>https:\/\/www\.example\.org\/(\d)/.exec(body)[1]]
    reply.writeHead(207, { 'Content-Type': 'application/xml; charset=utf-8' })
    reply.end(
      `<?xml version="1.0" encoding="utf-8"?><D:multistatus xmlns:D="DAV:">${content}<D:sync-token>https://www.example.org/${token}</D:sync-token></D:multistatus>`,
    )
  })
})
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/calendar/`
  const objectMultiGet = async ({ objectUrls }) =>
    objectUrls.map((href) => ({ href, ok: true, status: 207, props: { getetag: href, calendarData: '' } }))
  for (const [name, value] of Object.entries(parts)) {
    answers = value
    const collection = { url, objects: [], syncToken: 'https://www.example.org/0', objectMultiGet }
    const account = { accountType: 'caldav', homeUrl: url, serverUrl: url }
    const result = await smartCollectionSync({ collection, method: 'webdav', account }).then(
      ({ objects }) => objects.map((object) => object.url.split('/').pop()).join(', '),
      ({ message }) => message,
    )
    console.log(`${name}: ${result}`)
  }
  server.close()
})
JS
node run.mjs | tee output

diff output - <<'OUTPUT'
in parts: Collection sync failed: 507 Insufficient Storage
at once: 1.ics, 2.ics
OUTPUT
