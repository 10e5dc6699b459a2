#!/usr/bin/env bash
# An invitation is a multipart/alternative whose last part is the calendar. The boundary after it belongs
# to no part (RFC 2046, 5.1.1). eml-format 0.6.1 (npm), which reads saved emails, returns the calendar
# with that boundary as its last line, and ical.js 2.2.1 (npm), which web calendars use, cannot parse it.
# So a program that reads the calendars of invitations gets none of them. If another part follows the
# calendar, the calendar is correct.
#
# Output, with the last line of the calendar and the result of ical.js:
#   text, calendar: --part--, not read: invalid line (no token ";" or ":") "--part--"
#   calendar, text: END:VCALENDAR, read
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . eml-format@0.6.1 ical.js@2.2.1 >/dev/null

cat >read.mjs <<'JS'
import { promisify } from 'node:util'
import eml from 'eml-format'
import ICAL from 'ical.js'
const text = `Content-Type: text/plain

The drill is on Tuesday.`
const calendar = `Content-Type: text/calendar; method=REQUEST

BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
METHOD:REQUEST
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
ORGANIZER:mailto:pat@example.org
ATTENDEE:mailto:crew@example.org
SUMMARY:Drill
END:VEVENT
END:VCALENDAR`
const emailOf = (parts) => `From: pat@example.org
To: crew@example.org
Subject: Drill
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=part

${parts.map((part) => `--part\n${part}\n`).join('')}--part--
`.replaceAll('\n', '\r\n')
const emails = { 'text, calendar': [text, calendar], 'calendar, text': [calendar, text] }
const readCalendar = (calendar) => {
  try {
    ICAL.parse(calendar)
    return 'read'
  } catch (error) {
    return `not read: ${error.message}`
  }
}
for (const [name, parts] of Object.entries(emails)) {
  const { attachments } = await promisify(eml.read)(emailOf(parts))
  const { data } = attachments.find(({ contentType }) => contentType.startsWith('text/calendar'))
  console.log(`${name}: ${data.trim().split('\r\n').at(-1)}, ${readCalendar(data)}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
text, calendar: --part--, not read: invalid line (no token ";" or ":") "--part--"
calendar, text: END:VCALENDAR, read
OUTPUT
