#!/usr/bin/env bash
# A VTIMEZONE contains at least one rule (RFC 5545, 3.6.5). setTimezone of php-eluceo-ical 0.16.1-2 (Debian
# 12), which PHP websites use to write calendars, writes one with a name but no rules. ical.js 2.2.1, which
# Nextcloud and others use to read calendars, then treats all times in that zone as UTC. In a calendar
# without any VTIMEZONE, it treats them as local time. A publisher has to add a zone and its rules as
# components.
#
# Output, for 19:00 in New York, read in New York:
#   with setTimezone: 14:00
#   without setTimezone: 19:00
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
$newYork = new DateTimeZone('America/New_York');
$event = new Event('1@example.org');
$event->setDtStart(new DateTime('2027-01-05 19:00', $newYork));
$event->setDtEnd(new DateTime('2027-01-05 21:00', $newYork));
$event->setUseTimezone(true);
$calendar = new Calendar('-//example//example//EN');
if ($argv[1] === 'with') $calendar->setTimezone('America/New_York');
$calendar->addComponent($event);
echo $calendar->render();
PHP
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
const calendar = new ICAL.Component(ICAL.parse(readFileSync(0, 'utf8')))
for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
const { startDate } = new ICAL.Event(calendar.getFirstSubcomponent('vevent'))
console.log(startDate.toJSDate().toTimeString().slice(0, 5))
JS
extensions=$(echo root/usr/lib/php/20*)
for zone in with without; do
  echo -n "$zone setTimezone: "
  LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu root/usr/bin/php8.2 -n -d "extension_dir=$extensions" \
    -d extension=mbstring -d extension=ctype -d include_path=root/usr/share/php write.php "$zone" |
    TZ=America/New_York node read.mjs
done | tee output

diff output - <<'OUTPUT'
with setTimezone: 14:00
without setTimezone: 19:00
OUTPUT
