#!/usr/bin/env bash
# BYMONTH limits a weekly or monthly rule to some months (RFC 5545, 3.3.10), for example to a team's
# season. php-sabre-vobject 2.1.7-6.1 and php-horde-date 2.4.1-9 (Debian 12), with which CalDAV servers
# and web calendars read rules, ignore it in such rules, so practice continues all year. In a yearly rule
# with the same days and months, php-sabre-vobject supports it. A separate series with UNTIL for each
# season works in both.
#
# Output, for Tuesdays in March and April from March 2, 2027, with the number of dates in March to July:
#   weekly, php-sabre-vobject: 5 4 4 5 4
#   weekly, php-horde-date: 5 4 4 5 4
#   yearly, php-sabre-vobject: 5 4 0 0 0
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq php-sabre-vobject=2.1.7-6.1 php-horde-date=2.4.1-9 php-horde-exception=2.0.8-10 \
  php-horde-translation=2.2.2-7 php-horde-util=2.5.12-2 'php8.2-cli=8.2.*' 'php8.2-common=8.2.*' \
  'php8.2-mbstring=8.2.*' 'libargon2-1=0~20171227*' 'libicu72=72.1-3*' libonig5=6.9.8-1 'libsodium23=1.0.18*' \
  'libxml2=2.9.14*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu

cat >read.php <<'PHP'
<?php
error_reporting(0);
require 'Sabre/VObject/includes.php';
spl_autoload_register(function ($class) { require str_replace('_', '/', $class) . '.php'; });
$sabre = function ($rule) {
  $calendar = Sabre\VObject\Reader::read("BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270302T190000Z
RRULE:$rule
SUMMARY:Practice
END:VEVENT
END:VCALENDAR
");
  $iterator = new Sabre\VObject\RecurrenceIterator($calendar, '1@example.org');
  for (; $iterator->getDTStart()->format('Ym') < '202708'; $iterator->next())
    yield $iterator->getDTStart()->format('n');
};
$horde = function ($rule) {
  $recurrence = new Horde_Date_Recurrence(new Horde_Date('2027-03-02 19:00:00', 'UTC'));
  $recurrence->fromRRule20($rule);
  $after = new Horde_Date('2027-03-01', 'UTC');
  while (($next = $recurrence->nextRecurrence($after)) && $next->format('Ym') < '202708') {
    yield $next->format('n');
    $after = new Horde_Date(date('Y-m-d', strtotime($next->format('Y-m-d') . ' +1 day')), 'UTC');
  }
};
$show = function ($name, $months) {
  $counts = array_count_values(iterator_to_array($months, false));
  echo "$name: " . implode(' ', array_map(fn($month) => $counts[$month] ?? 0, [3, 4, 5, 6, 7])) . "\n";
};
$show('weekly, php-sabre-vobject', $sabre('FREQ=WEEKLY;BYMONTH=3,4;BYDAY=TU'));
$show('weekly, php-horde-date', $horde('FREQ=WEEKLY;BYMONTH=3,4;BYDAY=TU'));
$show('yearly, php-sabre-vobject', $sabre('FREQ=YEARLY;BYMONTH=3,4;BYDAY=TU'));
PHP
extensions=$(echo root/usr/lib/php/20*)
root/usr/bin/php8.2 -n -d "extension_dir=$extensions" -d extension=mbstring -d extension=iconv -d extension=ctype \
  -d include_path=root/usr/share/php -d date.timezone=UTC read.php | tee output

diff output - <<'OUTPUT'
weekly, php-sabre-vobject: 5 4 4 5 4
weekly, php-horde-date: 5 4 4 5 4
yearly, php-sabre-vobject: 5 4 0 0 0
OUTPUT
