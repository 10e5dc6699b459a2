#!/usr/bin/env bash
# A time with a TZID is in the time zone that the calendar defines (RFC 5545, 3.3.5). php-horde-icalendar
# 2.1.8-7 (Debian 12), with which Horde and other programs read and write calendars, reads such a time
# correctly, but writes it in the server's time zone with the event's TZID. So if a program changes the
# title of an event, the event moves by the difference between the two time zones.
#
# Output, for an event at 19:00 in New York, as it is written in two zones:
#   UTC: DTSTART;TZID=America/New_York:20270106T000000
#   America/New_York: DTSTART;TZID=America/New_York:20270105T190000
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq php-horde-icalendar=2.1.8-7 php-horde-date=2.4.1-9 php-horde-exception=2.0.8-10 \
  php-horde-mail=2.6.6-5 php-horde-support=2.2.2-2 php-horde-translation=2.2.2-7 php-horde-util=2.5.12-2 \
  'php8.2-cli=8.2.*' 'php8.2-common=8.2.*' 'php8.2-mbstring=8.2.*' 'libargon2-1=0~20171227*' 'libicu72=72.1-3*' \
  libonig5=6.9.8-1 'libsodium23=1.0.18*' 'libxml2=2.9.14*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu

cat >run.php <<'PHP'
<?php
error_reporting(0);
spl_autoload_register(function ($class) {
  @include str_replace('_', '/', $class) . '.php';
});
$calendar = new Horde_Icalendar();
$calendar->parsevCalendar(str_replace("\n", "\r\n", "BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART;TZID=America/New_York:20270105T190000
SUMMARY:Drill
END:VEVENT
END:VCALENDAR
"));
preg_match('/DTSTART;TZID.*/', $calendar->exportvCalendar(), $written);
echo date_default_timezone_get() . ': ' . trim($written[0]) . "\n";
PHP
extensions=$(echo root/usr/lib/php/20*)
run() { # TIME ZONE of the server
  root/usr/bin/php8.2 -n -d "extension_dir=$extensions" -d extension=mbstring -d extension=iconv -d extension=ctype \
    -d include_path=root/usr/share/php -d "date.timezone=$1" run.php
}
{ run UTC && run America/New_York; } | tee output

diff output - <<'OUTPUT'
UTC: DTSTART;TZID=America/New_York:20270106T000000
America/New_York: DTSTART;TZID=America/New_York:20270105T190000
OUTPUT
