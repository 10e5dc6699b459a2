#!/usr/bin/env bash
# A birthday needs no year, as in BDAY:--0412 (RFC 6350, 4.3.1 and 6.2.5). In the list of birthdays for other
# programs, khard 0.18.0-1 (Debian 12) writes such a birthday with the year 1900. So a calendar that is made
# from this list shows an age of more than 120 years. The list for people is right.
#
# Output, for people and for other programs:
#   Pat Lee: --04-12
#   Pat Lee: 1900.04.12
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq khard=0.18.0-1 python3-atomicwrites=1.4.1-1 python3-configobj=5.0.8-1 \
  python3-dateutil=2.8.2-2 python3-ruamel.yaml=0.17.21-1 python3-ruamel.yaml.clib=0.2.7-1+b2 \
  python3-six=1.16.0-4 python3-unidecode=1.3.6-1 python3-vobject=0.9.6.1-2 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages HOME=$directory LC_ALL=C.UTF-8

cat >khard.conf <<CONFIG
[addressbooks]
[[contacts]]
path = $directory/contacts
CONFIG
mkdir contacts
cat >contacts/1.vcf <<'VCARD'
BEGIN:VCARD
VERSION:4.0
UID:1@example.org
FN:Pat Lee
N:Lee;Pat;;;
BDAY:--0412
END:VCARD
VCARD
sed -i 's/$/\r/' contacts/1.vcf
khard() {
  /usr/bin/python3 -c 'import sys; from khard.khard import main; main(sys.argv[1:])' -c khard.conf "$@"
}
{
  khard birthdays | sed -n 's/^Pat Lee *\(\S*\).*/Pat Lee: \1/p'
  khard birthdays --parsable | sed -n 's/^\(\S*\)\tPat Lee$/Pat Lee: \1/p'
} | tee output

diff output - <<'OUTPUT'
Pat Lee: --04-12
Pat Lee: 1900.04.12
OUTPUT
