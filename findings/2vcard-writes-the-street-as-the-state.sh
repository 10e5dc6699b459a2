#!/usr/bin/env bash
# An address in a vCard has the street, the city and the state, in this order (RFC 6350, 6.3.1). 2vcard
# 0.6-4 (Debian 12), which converts the address books of abook and other terminal programs to vCards, writes
# the street again instead of the state, and drops all phone numbers except the one at home. abook
# 0.6.1-2+b1 itself writes complete vCards, so publishers should convert contacts with it.
#
# Output:
#   2vcard: ADR;HOME:Default;;12 Mill Road;Cedar Hollow;12 Mill Road;10001;USA;
#   2vcard: TEL;HOME:555-0100
#   abook: ADR:;;12 Mill Road;Cedar Hollow;NY;10001;USA
#   abook: TEL;HOME:555-0100
#   abook: TEL;WORK:555-0101
#   abook: TEL;CELL:555-0102
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq 2vcard=0.6-4 abook=0.6.1-2+b1 libreadline8=8.2-1.3 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu:$directory/root/lib/x86_64-linux-gnu
export HOME=$directory

cat >addressbook <<'ABOOK'
# abook addressbook file

[format]
program=abook
version=0.6.1

[0]
name=Ann Lee
email=ann@example.org
address=12 Mill Road
city=Cedar Hollow
state=NY
zip=10001
country=USA
phone=555-0100
workphone=555-0101
mobile=555-0102

ABOOK
{
  perl root/usr/bin/2vcard -f abook -i addressbook 2>/dev/null | grep -E '^(ADR|TEL)' | sed 's/^/2vcard: /'
  root/usr/bin/abook --convert --informat abook --infile addressbook --outformat vcard --outfile - |
    tr -d '\r' | grep -E '^(ADR|TEL)' | sed 's/^/abook: /'
} | tee output

diff output - <<'OUTPUT'
2vcard: ADR;HOME:Default;;12 Mill Road;Cedar Hollow;12 Mill Road;10001;USA;
2vcard: TEL;HOME:555-0100
abook: ADR:;;12 Mill Road;Cedar Hollow;NY;10001;USA
abook: TEL;HOME:555-0100
abook: TEL;WORK:555-0101
abook: TEL;CELL:555-0102
OUTPUT
