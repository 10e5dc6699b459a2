#!/usr/bin/env bash
# A time in UTC ends with Z and must not have a TZID, and each TZID needs a VTIMEZONE (RFC 5545, 3.2.19).
# ruby-icalendar 2.8.0-1 (Debian 12), which websites use to combine and republish calendars, adds TZID=UTC
# to lists of such times, but not to a single one, and no VTIMEZONE. So a second canceled date makes a
# calendar invalid, and a program that looks for the zone may show both dates again. A publisher can
# avoid this by writing a property for each date.
#
# Output, as read and as written:
#   EXDATE:20270112T190000Z: EXDATE:20270112T190000Z
#   EXDATE:20270112T190000Z,20270119T190000Z: EXDATE;TZID=UTC:20270112T190000Z,20270119T190000Z
#   RDATE:20270113T190000Z,20270120T190000Z: RDATE;TZID=UTC:20270113T190000Z,20270120T190000Z
#   VTIMEZONE: none
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq ruby-icalendar=2.8.0-1 ruby-ice-cube=0.16.4-3 ruby3.1=3.1.* libruby3.1=3.1.* >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
libraries=$directory/root/usr/lib/x86_64-linux-gnu
paths=(root/usr/lib/ruby/3.1.0 "$libraries/ruby/3.1.0" root/usr/share/rubygems-integration/all/gems/*/lib)

cat >copy.rb <<'RUBY'
require 'stringio'
require 'icalendar'
dates = %w[EXDATE:20270112T190000Z EXDATE:20270112T190000Z,20270119T190000Z
           RDATE:20270113T190000Z,20270120T190000Z]
calendars = dates.map do |line|
  [line, Icalendar::Calendar.parse(<<~CALENDAR.gsub(/\r?\n/, "\r\n")).first.to_ical]
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//example//example//EN
    BEGIN:VEVENT
    UID:1@example.org
    DTSTAMP:20260101T000000Z
    DTSTART:20270105T190000Z
    RRULE:FREQ=WEEKLY
    #{line}
    SUMMARY:Drill
    END:VEVENT
    END:VCALENDAR
  CALENDAR
end
calendars.each { |line, calendar| puts "#{line}: #{calendar[/^[ER]X?DATE.*$/].strip}" }
puts "VTIMEZONE: #{calendars.to_s.include?('VTIMEZONE') ? 'some' : 'none'}"
RUBY
LD_LIBRARY_PATH=$libraries RUBYOPT='' root/usr/bin/ruby3.1 --disable-gems "${paths[@]/#/-I}" copy.rb | tee output

diff output - <<'OUTPUT'
EXDATE:20270112T190000Z: EXDATE:20270112T190000Z
EXDATE:20270112T190000Z,20270119T190000Z: EXDATE;TZID=UTC:20270112T190000Z,20270119T190000Z
RDATE:20270113T190000Z,20270120T190000Z: RDATE;TZID=UTC:20270113T190000Z,20270120T190000Z
VTIMEZONE: none
OUTPUT
