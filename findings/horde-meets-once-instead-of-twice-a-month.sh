#!/usr/bin/env bash
# A monthly rule may have several weekdays or days of the month, and a daily rule may be limited to some
# days of the week (RFC 5545, 3.3.10). Horde_Date_Recurrence of php-horde-date 2.4.1-9 (Debian 12), which
# Horde's calendar uses to read rules, remembers only whether a rule uses weekdays or days of the month,
# and repeats the date in DTSTART. So the second meeting of each month is missing, and a station that is
# open only on weekdays also seems to be open on weekends. Publishers should write a separate series for
# each day.
#
# Output, for series from Tuesday, January 5, 2027, with the dates in January and February:
#   FREQ=MONTHLY;BYDAY=1TU,3TU: 01-05 02-02
#   FREQ=MONTHLY;BYMONTHDAY=5,20: 01-05 02-05
#   FREQ=DAILY;BYDAY=TU,TH;COUNT=4: 01-05 01-06 01-07 01-08
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq php-horde-date=2.4.1-9 php-horde-exception=2.0.8-10 php-horde-translation=2.2.2-7 \
  php-horde-util=2.5.12-2 'php8.2-cli=8.2.*' 'php8.2-common=8.2.*' 'php8.2-mbstring=8.2.*' 'libargon2-1=0~20171227*' \
  'libicu72=72.1-3*' libonig5=6.9.8-1 'libsodium23=1.0.18*' 'libxml2=2.9.14*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu

cat >read.php <<'PHP'
<?php
error_reporting(0);
spl_autoload_register(function ($class) { require str_replace('_', '/', $class) . '.php'; });
foreach (['FREQ=MONTHLY;BYDAY=1TU,3TU', 'FREQ=MONTHLY;BYMONTHDAY=5,20', 'FREQ=DAILY;BYDAY=TU,TH;COUNT=4'] as $rule) {
  $recurrence = new Horde_Date_Recurrence(new Horde_Date('2027-01-05 19:00:00', 'UTC'));
  $recurrence->fromRRule20($rule);
  $dates = [];
  $after = new Horde_Date('2027-01-05 00:00:00', 'UTC');
  while (($next = $recurrence->nextRecurrence($after)) && $next->format('m') < '03') {
    $dates[] = $next->format('m-d');
    $after = new Horde_Date(date('Y-m-d', strtotime($next->format('Y-m-d') . ' +1 day')), 'UTC');
  }
  echo "$rule: " . implode(' ', $dates) . "\n";
}
PHP
extensions=$(echo root/usr/lib/php/20*)
root/usr/bin/php8.2 -n -d "extension_dir=$extensions" -d extension=mbstring -d extension=iconv -d extension=ctype \
  -d include_path=root/usr/share/php -d date.timezone=UTC read.php | tee output

diff output - <<'OUTPUT'
FREQ=MONTHLY;BYDAY=1TU,3TU: 01-05 02-02
FREQ=MONTHLY;BYMONTHDAY=5,20: 01-05 02-05
FREQ=DAILY;BYDAY=TU,TH;COUNT=4: 01-05 01-06 01-07 01-08
OUTPUT
