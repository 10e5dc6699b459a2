#!/usr/bin/env bash
# INTERVAL=2 in a rule means every other week or month, and COUNT is the number of dates (RFC 5545, 3.3.10).
# icalendar-import-file of Emacs 28.2+1-15+deb12u4 (Debian 12), which adds a calendar to the diary, ignores
# INTERVAL in monthly rules and in weekly rules with several days, so these events are in the diary twice as
# often. A weekly series with COUNT has one date too many, and a rule with several days of the month has
# only one of them. Publishers can avoid this with a separate event for each date.
#
# Output, from January 5, 2027:
#   FREQ=WEEKLY;INTERVAL=2: 1/5 1/19 2/2 2/16 3/2 3/16
#   FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH: 1/5 1/7 1/12 1/14 1/19 1/21
#   FREQ=MONTHLY;INTERVAL=2;BYDAY=1TU: 1/5 2/2 3/2 4/6 5/4 6/1
#   FREQ=WEEKLY;COUNT=3: 1/5 1/12 1/19 1/26
#   FREQ=MONTHLY;BYMONTHDAY=5,20: 1/5 2/5 3/5 4/5 5/5 6/5
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

version=1:28.2+1-15+deb12u4
apt-get download -qq emacs-nox=$version emacs-common=$version emacs-el=$version libasound2=1.2.8-1+b1 \
  'libgccjit0=12.2.0-14*' libgpm2=1.20.7-10+b1 libjansson4=2.14-2 'liblcms2-2=2.14-2*' 'libicu72=72.1-3*' \
  'libxml2=2.9.14*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu HOME=$directory TZ=UTC
EMACSLOADPATH=$(find "$directory/root/usr/share/emacs/28.2/lisp" -type d | paste -sd :)
export EMACSLOADPATH EMACSDATA=$directory/root/usr/share/emacs/28.2/etc
export EMACSPATH=$directory/root/usr/libexec/emacs/28.2/x86_64-linux-gnu

cat >dates.el <<'LISP'
(require 'icalendar)
(require 'diary-lib)
(setq calendar-date-style 'american)
(icalendar-import-file "calendar.ics" "diary")
(setq diary-file "diary")
(let ((days (sort (mapcar (lambda (entry) (calendar-absolute-from-gregorian (car entry)))
                          (diary-list-entries '(1 1 2027) 400 t))
                  '<)))
  (princ (mapconcat (lambda (day) (let ((date (calendar-gregorian-from-absolute day)))
                                    (format "%d/%d" (car date) (cadr date))))
                    (seq-take days 6) " ")))
LISP
for rule in 'FREQ=WEEKLY;INTERVAL=2' 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH' 'FREQ=MONTHLY;INTERVAL=2;BYDAY=1TU' \
  'FREQ=WEEKLY;COUNT=3' 'FREQ=MONTHLY;BYMONTHDAY=5,20'; do
  sed 's/$/\r/' >calendar.ics <<ICS
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000
DTEND:20270105T210000
RRULE:$rule
SUMMARY:Drill
END:VEVENT
END:VCALENDAR
ICS
  rm -f diary
  echo "$rule: $(root/usr/bin/emacs-nox --dump-file="$EMACSPATH/emacs.pdmp" -Q --batch -l dates.el 2>/dev/null)"
done | tee output

diff output - <<'OUTPUT'
FREQ=WEEKLY;INTERVAL=2: 1/5 1/19 2/2 2/16 3/2 3/16
FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH: 1/5 1/7 1/12 1/14 1/19 1/21
FREQ=MONTHLY;INTERVAL=2;BYDAY=1TU: 1/5 2/2 3/2 4/6 5/4 6/1
FREQ=WEEKLY;COUNT=3: 1/5 1/12 1/19 1/26
FREQ=MONTHLY;BYMONTHDAY=5,20: 1/5 2/5 3/5 4/5 5/5 6/5
OUTPUT
