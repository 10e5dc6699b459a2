#!/usr/bin/env bash
# The names of cache directives are case-insensitive (RFC 9111, 5.2). parse-cache-control 1.0.1 (npm),
# which http-basic, and through it then-request and sync-request, use to decide how long a response is
# fresh, keeps the case, so they don't find Max-Age. It also returns the numbers of other directives, like
# s-maxage and stale-while-revalidate, as strings, so adding seconds to one joins the digits. A publisher
# should write directives in lowercase.
#
# Output:
#   max-age=300: {"max-age":300}
#   Max-Age=300: {"Max-Age":"300"}
#   s-maxage=600: {"s-maxage":"600"}
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . parse-cache-control@1.0.1 >/dev/null

cat >read.cjs <<'JS'
const parse = require('parse-cache-control')
for (const field of ['max-age=300', 'Max-Age=300', 's-maxage=600']) {
  console.log(`${field}: ${JSON.stringify(parse(field))}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
max-age=300: {"max-age":300}
Max-Age=300: {"Max-Age":"300"}
s-maxage=600: {"s-maxage":"600"}
OUTPUT
