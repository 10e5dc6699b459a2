#!/usr/bin/env bash
# BYSETPOS selects some of the dates that the rest of a rule produces for each period (RFC 5545, 3.3.10).
# So with BYDAY=TU,TH, BYSETPOS=-1 leaves the last of these days in each week. libical 3.0.16-1 (Debian
# 12), which many calendars are based on, ignores BYSETPOS in weekly rules, without an error, but
# supports it in monthly ones. A publisher should write the weekday itself.
#
# Output, for a series from Thursday, January 7, 2027 (right in the first line: 7, 14, 21, 28):
#   FREQ=WEEKLY;BYDAY=TU,TH;BYSETPOS=-1: 20270107, 20270112, 20270114, 20270119, 20270121
#   FREQ=MONTHLY;BYDAY=TU,TH;BYSETPOS=2: 20270107, 20270204, 20270304, 20270406, 20270506
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libical3=3.0.16-1+b1 gir1.2-ical-3.0=3.0.16-1+b1 python3-gi=3.42.2-3+b1 \
  gir1.2-glib-2.0=1.74.0-3 libgirepository-1.0-1=1.74.0-3 'libicu72=72.1-3*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
libraries=$directory/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$libraries GI_TYPELIB_PATH=$libraries/girepository-1.0
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages

cat >read.py <<'PYTHON'
import gi
gi.require_version("ICalGLib", "3.0")
from gi.repository import ICalGLib

for rule in ["FREQ=WEEKLY;BYDAY=TU,TH;BYSETPOS=-1", "FREQ=MONTHLY;BYDAY=TU,TH;BYSETPOS=2"]:
    start = ICalGLib.Time.new_from_string("20270107T190000Z")
    dates = ICalGLib.RecurIterator.new(ICalGLib.Recurrence.new_from_string(rule), start)
    print(f"{rule}:", ", ".join(dates.next().as_ical_string()[:8] for _ in range(5)))
PYTHON
/usr/bin/python3 read.py | tee output

diff output - <<'OUTPUT'
FREQ=WEEKLY;BYDAY=TU,TH;BYSETPOS=-1: 20270107, 20270112, 20270114, 20270119, 20270121
FREQ=MONTHLY;BYDAY=TU,TH;BYSETPOS=2: 20270107, 20270204, 20270304, 20270406, 20270506
OUTPUT
