#!/bin/sh
# Installs the checked-out version and its Node in a new directory, then points the link `current` to it, and
# `previous` to the previous release. In an unpacked archive from build-release.sh, installs its contents:
#   sh deploy/install-release.sh /opt/feedhouse
# A running service keeps using its own directory until it restarts. After a failure, `current` is unchanged.
set -eu
umask 022

if [ $# -ne 1 ]; then
  echo 'Usage: install-release.sh DIRECTORY' >&2
  exit 1
fi
directory=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
release=release-$(date -u +%Y%m%d-%H%M%S)

rm -rf "$directory/new"
mkdir "$directory/new"
if [ -x node ]; then
  release=$release-$(./node -p 'require("./package.json").version')
  cp -R . "$directory/new"
else
  release=$release-$(git rev-parse --short HEAD)
  git archive HEAD | tar -x -C "$directory/new"
  cd "$directory/new"
  (cd deploy/node && npm ci --ignore-scripts)
  # npm has installed only the binary for this processor.
  install -m 755 deploy/node/node_modules/node-linux-*/bin/node node
  rm -r deploy/node/node_modules
  # On an older Node, npm would skip compiled code that needs this one.
  PATH=$PWD:$PATH npm ci --omit=dev --ignore-scripts
fi

cd "$directory"
mv -T new "$release"
if [ -e current ]; then cp -dT --remove-destination current previous; fi
ln -sfn "$release" current.new
mv -T current.new current
# Keeps the previous release, and any that a process of any user still runs from.
running=$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ')
for old in release-*; do
  case "$release $(readlink previous) $running" in *"$old"*) ;; *) rm -rf "$old" ;; esac
done
echo "Installed $release."
