#!/bin/sh
# Builds a Debian package from an archive that build-release.sh built, for the same processor:
#   sh deploy/build-deb.sh dist/feedhouse-1.0.0-linux-x64.tar.gz dist
# The build is reproducible.
set -eu
umask 022

if [ $# -ne 2 ]; then
  echo 'Usage: build-deb.sh ARCHIVE DIRECTORY' >&2
  exit 1
fi
name=$(basename "$1" .tar.gz)
output=$(mkdir -p "$2" && cd "$2" && pwd)
case $name in
  *-linux-x64) architecture=amd64 ;;
  *-linux-arm64) architecture=arm64 ;;
  *) echo "$1 is not an archive for Linux on x64 or arm64." >&2; exit 1 ;;
esac
# Debian sorts 1.0.0~rc.1 before 1.0.0.
version=$(echo "${name#feedhouse-}" | sed 's/-linux-.*//; s/-/~/')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xzf "$1" -C "$work"
root=$work/root
mkdir -p "$root/DEBIAN" "$root/usr/lib/systemd/system" "$root/usr/bin" "$root/usr/share/doc/feedhouse"
mv "$work/$name" "$root/usr/lib/feedhouse"
program=$root/usr/lib/feedhouse

# The program has one directory, and the settings are with the data, where the setup page can write them.
paths='s|/opt/feedhouse/current|/usr/lib/feedhouse|g; s|/usr/local/bin|/usr/bin|g'
sed "$paths; s|^WorkingDirectory=.*|WorkingDirectory=%S/feedhouse|
  s|^# Feedhouse reads .env in.*|# Relative paths in settings are resolved from here.|
  s|/etc/feedhouse/.env|/etc/feedhouse.env|
  s|^Environment=NODE_ENV|Environment=SETTINGS_FILE=/etc/feedhouse.env SETUP=yes NODE_ENV|" \
  "$program/deploy/feedhouse.service" > "$root/usr/lib/systemd/system/feedhouse.service"
sed "$paths; s|^cd .*|cd /var/lib/feedhouse|
  s|relative to /etc/feedhouse|relative to /var/lib/feedhouse|
  s|^# docs/deploy.md installs it.*|# It is part of the Debian package.|
  s|^export NODE_ENV|export SETTINGS_FILE=/etc/feedhouse.env NODE_ENV|" \
  "$program/deploy/feedhouse.sh" > "$root/usr/bin/feedhouse"
chmod 755 "$root/usr/bin/feedhouse"
cp "$program/LICENSE" "$root/usr/share/doc/feedhouse/copyright"
gzip -9n < "$program/CHANGELOG.md" > "$root/usr/share/doc/feedhouse/changelog.gz"

for script in postinst prerm postrm; do
  install -m 755 "$program/deploy/debian/$script" "$root/DEBIAN/$script"
done
cat > "$root/DEBIAN/control" <<EOF
Package: feedhouse
Version: $version
Architecture: $architecture
Section: web
Priority: optional
Maintainer: Feedhouse <$(sed -n 's/^  "homepage": "\(.*\)",$/\1/p' "$program/package.json")>
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: libc6 (>= 2.28), libstdc++6, passwd, init-system-helpers, util-linux
Recommends: tzdata
Description: calendars, news feeds and signage from an organization's website
 Feedhouse turns the read-only data service of an organization's website into
 calendar subscriptions, news feeds and boards for screens.
EOF
SOURCE_DATE_EPOCH=$(stat -c %Y "$program/package.json")
export SOURCE_DATE_EPOCH
package=feedhouse_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zzstd -z9 --build "$root" "$output/$package" > /dev/null
cd "$output"
sha256sum "$package" > "$package.sha256"
echo "Built $output/$package."
