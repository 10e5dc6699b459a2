#!/usr/bin/env bash
# A vCard folds lines of more than 75 bytes, and escapes commas with a backslash (RFC 6350, 3.2 and 3.4).
# abook 0.6.1-2+b1 (Debian 12), an address book for mutt and other terminal programs, keeps the
# backslashes, and returns only the first line of folded text. So notes end after 75 bytes, and addresses
# contain backslashes. A publisher of contacts for it should keep values short, and can avoid the
# backslashes only by avoiding commas.
#
# Output:
#   address=12 Mill Road\, Rear
#   notes=Trained as a pump operator in 2025\, and again in 2026\, with the engi
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq abook=0.6.1-2+b1 libreadline8=8.2-1.3 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu:$directory/root/lib/x86_64-linux-gnu HOME=$directory

cat >contact.vcf <<'VCF'
BEGIN:VCARD
VERSION:4.0
FN:Ann Lee
N:Lee;Ann;;;
ADR:;;12 Mill Road\, Rear;Cedar Hollow;NY;10001;
NOTE:Trained as a pump operator in 2025\, and again in 2026\, with the engi
 ne of Station 2
END:VCARD
VCF
sed -i 's/$/\r/' contact.vcf
root/usr/bin/abook --convert --informat vcard --infile contact.vcf --outformat abook --outfile - |
  grep -E '^(address|notes)=' | tr -d '\r' | tee output

diff output - <<'OUTPUT'
address=12 Mill Road\, Rear
notes=Trained as a pump operator in 2025\, and again in 2026\, with the engi
OUTPUT
