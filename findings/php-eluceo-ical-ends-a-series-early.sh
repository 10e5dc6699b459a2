#!/usr/bin/env bash
# If a series has a time zone, UNTIL is in UTC (RFC 5545, 3.3.10). php-eluceo-ical 0.16.1-2 (Debian 12),
# which PHP websites use to write calendars, writes the digits of the local time with a Z. So in America, a
# series ends hours before its last date, and programs don't show that date. In Europe and Asia, it may
# have one date too many. A publisher should convert the last date to UTC, or use COUNT.
#
# Output, for Tuesdays at 19:00 in New York until February 2, by the zone of the last date given:
#   local time: UNTIL=20270202T190000Z: 1/5, 1/12, 1/19, 1/26
#   UTC: UNTIL=20270203T000000Z: 1/5, 1/12, 1/19, 1/26, 2/2
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq php-eluceo-ical=0.16.1-2 'php8.2-cli=8.2.*' 'php8.2-common=8.2.*' 'php8.2-mbstring=8.2.*' \
  'libargon2-1=0~20171227*' 'libicu72=72.1-3*' libonig5=6.9.8-1 'libsodium23=1.0.18*' 'libxml2=2.9.14*' \
  >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical.js@2.2.1 >/dev/null

cat >write.php <<'PHP'
<?php
error_reporting(0);
require 'Eluceo/iCal/autoload.php';
use Eluceo\iCal\Component\{Calendar, Event};
use Eluceo\iCal\Property\Event\RecurrenceRule;
$newYork = new DateTimeZone('America/New_York');
$until = new DateTime('2027-02-02 19:00', $newYork);
if ($argv[1] === 'UTC') $until->setTimezone(new DateTimeZone('UTC'));
$rule = (new RecurrenceRule())->setFreq(RecurrenceRule::FREQ_WEEKLY)->setUntil($until);
$event = new Event('1@example.org');
$event->setDtStart(new DateTime('2027-01-05 19:00', $newYork));
$event->setDtEnd(new DateTime('2027-01-05 21:00', $newYork));
$event->setUseTimezone(true)->addRecurrenceRule($rule);
$calendar = new Calendar('-//example//example//EN');
$calendar->addComponent($event);
echo $calendar->render();
PHP
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
const text = readFileSync(0, 'utf8').replace(
  'BEGIN:VEVENT',
  `BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:STANDARD
DTSTART:19701101T020000
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT`,
)
const calendar = new ICAL.Component(ICAL.parse(text))
ICAL.TimezoneService.register(calendar.getFirstSubcomponent('vtimezone'))
const iterator = new ICAL.Event(calendar.getFirstSubcomponent('vevent')).iterator()
const days = []
for (let day = iterator.next(); day; day = iterator.next()) days.push(`${day.month}/${day.day}`)
console.log(`${/UNTIL=\w+/.exec(text)[0]}: ${days.join(', ')}`)
JS
extensions=$(echo root/usr/lib/php/20*)
for zone in 'local time' UTC; do
  echo -n "$zone: "
  LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu root/usr/bin/php8.2 -n -d "extension_dir=$extensions" \
    -d extension=mbstring -d extension=ctype -d include_path=root/usr/share/php write.php "$zone" | node read.mjs
done | tee output

diff output - <<'OUTPUT'
local time: UNTIL=20270202T190000Z: 1/5, 1/12, 1/19, 1/26
UTC: UNTIL=20270203T000000Z: 1/5, 1/12, 1/19, 1/26, 2/2
OUTPUT
