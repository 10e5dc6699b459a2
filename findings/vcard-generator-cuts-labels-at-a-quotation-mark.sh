#!/usr/bin/env bash
# A parameter can't contain a quotation mark (RFC 6350, 3.3), except as ^' (RFC 6868, 3). vcard-generator
# 0.0.7 (npm) writes it with a backslash. For readers such as ical.js 2.2.1, the label of an address ends
# there, and only the backslash is left. To avoid this, use other quotation marks, such as “ and ”.
#
# Output, with the line and the label that ical.js reads, for "The Barn" on Main Street:
#   ADR;LABEL="\"The Barn\"":;;1 Main Street;Springfield;;;: \
#   ADR;LABEL="“The Barn”":;;1 Main Street;Springfield;;;: “The Barn”
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . vcard-generator@0.0.7 \
  ical.js@2.2.1 >/dev/null

cat >write.mjs <<'JS'
import { createRequire } from 'node:module'
import ICAL from 'ical.js'
const { generate } = createRequire(import.meta.url)('vcard-generator')
for (const house of ['"The Barn"', '“The Barn”']) {
  const address = { street: '1 Main Street', locality: 'Springfield', formatted: house }
  const card = generate({ name: { familyName: 'Lee', givenName: 'Pat' }, addresses: [address] })
  const property = new ICAL.Component(ICAL.parse(card)).getFirstProperty('adr')
  console.log(`${/^ADR.*$/m.exec(card)[0]}: ${property.getParameter('label')}`)
}
JS
node write.mjs | tee output

diff output - <<'OUTPUT'
ADR;LABEL="\"The Barn\"":;;1 Main Street;Springfield;;;: \
ADR;LABEL="“The Barn”":;;1 Main Street;Springfield;;;: “The Barn”
OUTPUT
