#!/usr/bin/env bash
# The names of cache directives have no case (RFC 9111, 5.2). parse-cache-control 1.0.1 (npm), with which
# http-basic, and through it then-request and sync-request, decide how long a response is fresh, keeps the
# case, so Max-Age is not max-age for them. It also returns the numbers of other directives, like
# s-maxage and stale-while-revalidate, as texts, so adding seconds to one joins the digits. A publisher
# should write directives in small letters.
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
