#!/usr/bin/env bash
# BYSETPOS selects some of the days that the rest of a rule describes:
# FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1 is the last workday of each month (RFC 5545, 3.3.10).
# ruby-ice-cube 0.16.4-3 (Debian 12), which Ruby websites use to show series, reads such a rule without an
# error and ignores that part, so a monthly event is on every workday. A publisher can avoid this for a
# single weekday with BYDAY=2TU, and otherwise with RDATE.
#
# Output, from January 5, 2027:
#   FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2: 1/5 1/12 1/19 1/26
#   FREQ=MONTHLY;BYDAY=2TU: 1/12 2/9 3/9 4/13
#   FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1: 1/5 1/6 1/7 1/8
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq ruby-ice-cube=0.16.4-3 'ruby3.1=3.1.*' 'libruby3.1=3.1.*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
libraries=$directory/root/usr/lib/x86_64-linux-gnu
paths=(root/usr/lib/ruby/3.1.0 "$libraries/ruby/3.1.0" root/usr/share/rubygems-integration/all/gems/*/lib)

cat >read.rb <<'RUBY'
require 'ice_cube'
[
  %w[20270105T190000Z FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2],
  %w[20270105T190000Z FREQ=MONTHLY;BYDAY=2TU],
  %w[20270105T190000Z FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1]
].each do |start, rule|
  schedule = IceCube::Schedule.from_ical("DTSTART:#{start}\nRRULE:#{rule};COUNT=4")
  puts "#{rule}: #{schedule.all_occurrences.map { |time| time.strftime('%-m/%-d') }.join(' ')}"
end
RUBY
TZ=UTC LD_LIBRARY_PATH=$libraries RUBYOPT='' root/usr/bin/ruby3.1 --disable-gems "${paths[@]/#/-I}" read.rb |
  tee output

diff output - <<'OUTPUT'
FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2: 1/5 1/12 1/19 1/26
FREQ=MONTHLY;BYDAY=2TU: 1/12 2/9 3/9 4/13
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1: 1/5 1/6 1/7 1/8
OUTPUT
