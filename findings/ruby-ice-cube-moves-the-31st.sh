#!/usr/bin/env bash
# A monthly series from the 31st has no event in months without a 31st, because invalid dates are ignored
# (RFC 5545, 3.3.10). ruby-ice-cube 0.16.4-3 (Debian 12), which Ruby websites use to show series, uses the
# last day of a shorter month instead, and February 28 for a yearly series from February 29. So a website
# and the calendar apps of its visitors show different dates. With BYMONTHDAY=31 in the rule, they agree.
#
# Output, from January 31, 2027, and from February 29, 2028:
#   FREQ=MONTHLY: 1/31 2/28 3/31 4/30
#   FREQ=MONTHLY;BYMONTHDAY=31: 1/31 3/31 5/31 7/31
#   FREQ=YEARLY: 2/29 2/28 2/28 2/28
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
  %w[20270131T190000Z FREQ=MONTHLY],
  %w[20270131T190000Z FREQ=MONTHLY;BYMONTHDAY=31],
  %w[20280229T190000Z FREQ=YEARLY]
].each do |start, rule|
  schedule = IceCube::Schedule.from_ical("DTSTART:#{start}\nRRULE:#{rule};COUNT=4")
  puts "#{rule}: #{schedule.all_occurrences.map { |time| time.strftime('%-m/%-d') }.join(' ')}"
end
RUBY
TZ=UTC LD_LIBRARY_PATH=$libraries RUBYOPT='' root/usr/bin/ruby3.1 --disable-gems "${paths[@]/#/-I}" read.rb |
  tee output

diff output - <<'OUTPUT'
FREQ=MONTHLY: 1/31 2/28 3/31 4/30
FREQ=MONTHLY;BYMONTHDAY=31: 1/31 3/31 5/31 7/31
FREQ=YEARLY: 2/29 2/28 2/28 2/28
OUTPUT
