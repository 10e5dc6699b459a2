#!/usr/bin/env bash
# Each line of a vCard ends with CRLF (RFC 6350, 3.2; RFC 2426, 2.6). mutt_vc_query 005-2 with libvc0 012-3
# (Debian 12), which mutt uses to look up addresses in a vCard file, finds only the first contact in such a
# file. In a file with LF, it finds all of them. Publishers of contacts for mutt should tell people to
# convert the line breaks, for example with dos2unix.
#
# Output, for a search for "example.org":
#   with CRLF: Ann Lee <ann@example.org>
#   with LF: Ann Lee <ann@example.org>, Bob Ray <bob@example.org>, Cleo Ortiz <cleo@example.org>
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq mutt-vc-query=005-2 libvc0=012-3 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu

while read -r given family; do
  cat <<VCF
BEGIN:VCARD
VERSION:3.0
FN:$given $family
N:$family;$given;;;
EMAIL:${given,,}@example.org
END:VCARD
VCF
done >lf.vcf <<'NAMES'
Ann Lee
Bob Ray
Cleo Ortiz
NAMES
sed 's/$/\r/' lf.vcf >crlf.vcf
for breaks in CRLF LF; do
  found=$(root/usr/bin/mutt_vc_query -f "${breaks,,}.vcf" example.org | awk -F'\t' 'NF > 1 { print $2 " <" $1 ">" }')
  echo "with $breaks: ${found//$'\n'/, }"
done | tee output

diff output - <<'OUTPUT'
with CRLF: Ann Lee <ann@example.org>
with LF: Ann Lee <ann@example.org>, Bob Ray <bob@example.org>, Cleo Ortiz <cleo@example.org>
OUTPUT
