#!/bin/sh
# Runs a command as the service's user, with the settings of the service: sudo feedhouse check
# docs/deploy.md installs it as /usr/local/bin/feedhouse.
set -eu

if [ "$(id -u)" -ne 0 ]; then
  echo "Only root can run a command as the user feedhouse: sudo feedhouse $*" >&2
  exit 1
fi

# Paths in settings are relative to /etc/feedhouse, paths on the command line to the caller's directory.
export FEEDHOUSE_CALLER_DIRECTORY="$PWD" FEEDHOUSE_PLATFORM=systemd
export NODE_ENV=production DATA_DIR=/var/lib/feedhouse HOME=/var/lib/feedhouse
cd /etc/feedhouse
umask 077
exec setpriv --reuid=feedhouse --regid=feedhouse --init-groups --no-new-privs \
  /opt/feedhouse/current/node /opt/feedhouse/current/src/main.ts "$@"
