#!/bin/sh
# Builds an archive of the checked-out version with its packages and Node, for this machine's processor, and its
# bill of materials. The archive can be installed without git, npm or a registry:
#   sh deploy/build-release.sh dist
# The same commit results in the same bytes.
set -eu
umask 022

if [ $# -ne 1 ]; then
  echo 'Usage: build-release.sh DIRECTORY' >&2
  exit 1
fi
mkdir -p "$1"
output=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
time=$(git log -1 --format=%ct)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh deploy/install-release.sh "$work"

cd "$work"
name=feedhouse-$(current/node -p 'require("./current/package.json").version + "-linux-" + process.arch')
mv -T "$(readlink current)" "$name"
rm -rf "$name/node_modules/.cache"
"$name/node" "$name/deploy/sbom.ts" > "$output/$name.cdx.json"
find "$name/node_modules" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' \) -delete
(cd "$name" && rm -rf .ci .github bench findings screenshots test)
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$time" "$name" | gzip -n > "$output/$name.tar.gz"
cd "$output"
sha256sum "$name.tar.gz" > "$name.tar.gz.sha256"
echo "Built $output/$name.tar.gz."
