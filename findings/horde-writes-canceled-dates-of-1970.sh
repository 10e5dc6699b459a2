#!/usr/bin/env bash
# EXDATE lists the times at which a series does not take place, and RDATE lists additional times (RFC
# 5545, 3.8.5.1 and 3.8.5.2). php-horde-icalendar 2.1.8-7 (Debian 12), with which Horde and other programs
# read and write calendars, reads only their dates, and then writes the year, month and day as three times
# shortly after midnight on January 1, 1970. So if a program changes the title of a series, its canceled
# dates come back, and its additional dates disappear.
#
# Output, with a line as it is read and as it is written:
#   EXDATE:20270112T190000Z: EXDATE:19700101T003347Z,19700101T000001Z,19700101T000012Z
#   RDATE:20270114T190000Z: RDATE:19700101T003347Z,19700101T000001Z,19700101T000014Z
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
foreach (['EXDATE:20270112T190000Z', 'RDATE:20270114T190000Z'] as $line) {
  $calendar = new Horde_Icalendar();
  $calendar->parsevCalendar(str_replace("\n", "\r\n", "BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
RRULE:FREQ=WEEKLY
$line
SUMMARY:Drill
END:VEVENT
END:VCALENDAR
"));
  preg_match('/(EX|R)DATE.*/', $calendar->exportvCalendar(), $written);
  echo "$line: " . trim($written[0]) . "\n";
}
PHP
extensions=$(echo root/usr/lib/php/20*)
root/usr/bin/php8.2 -n -d "extension_dir=$extensions" -d extension=mbstring -d extension=iconv -d extension=ctype \
  -d include_path=root/usr/share/php -d date.timezone=UTC run.php | tee output

diff output - <<'OUTPUT'
EXDATE:20270112T190000Z: EXDATE:19700101T003347Z,19700101T000001Z,19700101T000012Z
RDATE:20270114T190000Z: RDATE:19700101T003347Z,19700101T000001Z,19700101T000014Z
OUTPUT
