#!/usr/bin/env bash
# A response can have several links with the same relation (RFC 8288, 3.3), and a feed several WebSub hubs
# (WebSub, 4). parse-link-header 2.0.0, @flowbox/parse-link-header 1.0.0 and
# @web3-storage/parse-link-header 3.1.0 (npm) return an object with only the last link for each relation,
# although clients usually try the first. So if that hub does not respond, a subscriber does not know that
# there is another. A publisher should put the most reliable hub last. http-link-header 1.1.4 returns all
# of them.
#
# Output, for hubs 1 and 2:
#   parse-link-header: https://hub2.example.org/
#   @flowbox/parse-link-header: https://hub2.example.org/
#   @web3-storage/parse-link-header: https://hub2.example.org/
#   http-link-header: https://hub1.example.org/ https://hub2.example.org/
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . parse-link-header@2.0.0 \
  @flowbox/parse-link-header@1.0.0 @web3-storage/parse-link-header@3.1.0 http-link-header@1.1.4 >/dev/null

cat >read.mjs <<'JS'
import http from 'http-link-header'
import parse from 'parse-link-header'
import * as flowbox from '@flowbox/parse-link-header'
import * as web3 from '@web3-storage/parse-link-header'
const header =
  '<https://hub1.example.org/>; rel="hub", <https://hub2.example.org/>; rel="hub", ' +
  '<https://www.example.org/news.atom>; rel="self"'
const functionOf = ({ default: value, parseLinkHeader }) => parseLinkHeader ?? value.default ?? value
console.log(`parse-link-header: ${parse(header).hub.url}`)
console.log(`@flowbox/parse-link-header: ${functionOf(flowbox)(header).hub.url}`)
console.log(`@web3-storage/parse-link-header: ${functionOf(web3)(header).hub.url}`)
const hubs = http.parse(header).rel('hub')
console.log(`http-link-header: ${hubs.map(({ uri }) => uri).join(' ')}`)
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
parse-link-header: https://hub2.example.org/
@flowbox/parse-link-header: https://hub2.example.org/
@web3-storage/parse-link-header: https://hub2.example.org/
http-link-header: https://hub1.example.org/ https://hub2.example.org/
OUTPUT
