#!/usr/bin/env bash
# EXDATE, RDATE and CATEGORIES can contain several values, separated by commas (RFC 5545, 3.8.5.1, 3.8.5.2
# and 3.8.1.2). libdata-ical-perl 0.24+dfsg-2 (Debian 12), which Perl programs use to read and write
# calendars, writes a backslash before each of these commas, even in a calendar that it has just read.
# ical.js 2.2.1 then finds only one value, so a canceled date returns, an additional date is missing, and
# two categories become one. Publishers should write a separate property for each value.
#
# Output, for weekly events from January 5, 2027, without January 12 and 19, and with January 8 and 9:
#   as published: 1/5 1/8 1/9 1/26; Drill and Pump
#   EXDATE:20270112T190000Z,20270119T190000Z
#   through Data::ICal: 1/5 1/8 1/19 1/26; Drill,Pump
#   EXDATE:20270112T190000Z\,20270119T190000Z
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libdata-ical-perl=0.24+dfsg-2 libclass-accessor-perl=0.51-2 \
  libclass-returnvalue-perl=0.55-4 libdevel-stacktrace-perl=2.0400-2 libtext-vfile-asdata-perl=0.08-2 \
  libclass-accessor-chained-perl=0.01.1~debian-5 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical.js@2.2.1 >/dev/null

cat >published.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
RRULE:FREQ=WEEKLY;COUNT=4
EXDATE:20270112T190000Z,20270119T190000Z
RDATE:20270108T190000Z,20270109T190000Z
CATEGORIES:Drill,Pump
SUMMARY:Pump drill
END:VEVENT
END:VCALENDAR
ICS
sed -i 's/$/\r/' published.ics
PERL5LIB=root/usr/share/perl5 perl -MData::ICal -e \
  'print Data::ICal->new(filename => "published.ics")->as_string' >copied.ics

cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
for (const [label, file] of [['as published', 'published.ics'], ['through Data::ICal', 'copied.ics']]) {
  const text = readFileSync(file, 'utf8')
  const component = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
  const iterator = new ICAL.Event(component).iterator()
  const days = []
  for (let day = iterator.next(); day; day = iterator.next()) days.push(`${day.month}/${day.day}`)
  const categories = component.getFirstProperty('categories').getValues()
  console.log(`${label}: ${days.join(' ')}; ${categories.join(' and ')}`)
  console.log(/^EXDATE.*$/m.exec(text)[0])
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
as published: 1/5 1/8 1/9 1/26; Drill and Pump
EXDATE:20270112T190000Z,20270119T190000Z
through Data::ICal: 1/5 1/8 1/19 1/26; Drill,Pump
EXDATE:20270112T190000Z\,20270119T190000Z
OUTPUT
