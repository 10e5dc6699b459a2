/*
 * Server commands in docs/deploy.md, docs/backup.md and docs/static.md. The commands on other pages
 * are in `documented-commands.ts`.
 */
import type { Elsewhere, NotRun, Step } from './documented-commands.ts'

const installed =
  /^node_modules\/node\/\S+\/bin\/node: OK\n[^]*^Installed release-\d{8}-\d{6}-[\da-f]+\.\n$/m

/** Commands for a small server. `test/system/deploy/server.test.ts` runs them in this order. */
export const onServer: readonly Step[] = [
  {
    command:
      'sudo useradd --system --home-dir /var/lib/feedhouse --shell /usr/sbin/nologin feedhouse',
    prints: /^$/,
  },
  {
    command: 'sudo install -d -o feedhouse -g feedhouse -m 700 /var/lib/feedhouse',
    prints: /^$/,
  },
  { command: 'sudo install -d -o "$USER" /opt/feedhouse', prints: /^$/ },
  { command: 'sh deploy/install-release.sh /opt/feedhouse', prints: installed },
  { command: 'git pull && sh deploy/install-release.sh /opt/feedhouse', prints: installed },
  {
    command: 'ln -sfn "$(readlink /opt/feedhouse/previous)" /opt/feedhouse/current',
    prints: /^$/,
  },
  { command: 'git pull', prints: /^Updating / },
  { command: "git switch --detach '@{1}'", prints: /^$/ },
  { command: 'sudo install -d -o root -g feedhouse -m 750 /etc/feedhouse', prints: /^$/ },
  {
    command:
      'sudo test -e /etc/feedhouse/.env || sudo install -o root -g feedhouse -m 640 .env /etc/feedhouse/.env',
    prints: /^$/,
  },
  {
    command:
      'sudo test -e /etc/feedhouse/site-refresh-token || sudo install -o root -g feedhouse -m 640 refresh-token /etc/feedhouse/site-refresh-token',
    prints: /^$/,
  },
  {
    command:
      'sudo install -m 755 /opt/feedhouse/current/deploy/feedhouse.sh /usr/local/bin/feedhouse',
    prints: /^$/,
  },
  {
    command:
      'sudo install -m 644 /opt/feedhouse/current/deploy/feedhouse.service /etc/systemd/system/',
    prints: /^$/,
  },
  {
    command:
      "sudo sed 's/^\\[Service\\]$/&\\nEnvironment=PORT=8081/' /etc/systemd/system/feedhouse.service | sudo tee /etc/systemd/system/feedhouse-2.service",
    prints: /^\[Service\]\nEnvironment=PORT=8081$/m,
  },
  {
    command:
      "sed 's/feeds\\.example\\.org/YOUR.NAME/g' deploy/nginx.conf | sudo tee /etc/nginx/conf.d/feedhouse.conf",
    prints: /server_name YOUR\.NAME;/,
  },
  { command: 'sudo rm -f /etc/nginx/sites-enabled/default', prints: /^$/ },
  {
    command: "sudo sed -i '/127\\.0\\.0\\.1:8081/d' /etc/nginx/conf.d/feedhouse.conf",
    prints: /^$/,
  },
  { command: "sudo sed -i 's/#cache //' /etc/nginx/conf.d/feedhouse.conf", prints: /^$/ },
  {
    command: 'sudo install -m 644 --backup=numbered deploy/Caddyfile /etc/caddy/Caddyfile',
    prints: /^$/,
  },
  // Commands that must run before `docker compose`.
  { command: 'mkdir -m 700 -p secrets', prints: /^$/ },
  {
    command: '[ -e secrets/site-refresh-token ] || cp refresh-token secrets/site-refresh-token',
    prints: /^$/,
  },
  {
    command: '[ -e secrets/admin-password ] || openssl rand -base64 24 > secrets/admin-password',
    prints: /^$/,
  },
  {
    command:
      '[ -e secrets/redis-conf ] || echo "requirepass $(openssl rand -hex 24)" > secrets/redis-conf',
    prints: /^$/,
  },
  {
    command:
      "sed 's|^requirepass \\(.*\\)|redis://:\\1@redis:6379|' secrets/redis-conf > secrets/redis-url",
    prints: /^$/,
  },
  { command: 'chmod 644 secrets/*', prints: /^$/ },
  { command: 'install -d files', prints: /^$/ },
]

/** Commands that require settings. */
export const onServerWithSettings: readonly Step[] = [
  { command: 'sudo feedhouse check', prints: /(?:^ok .*\n){10}/m },
  {
    command: 'sudo feedhouse link add --label "Capt. Reyes"',
    prints: /^https:\/\/feeds\.example\.org\/l\/[a-z2-7]{32}\/\n/,
  },
  {
    command: 'sudo install -d -o feedhouse -g feedhouse -m 700 /var/backups/feedhouse',
    prints: /^$/,
  },
  {
    command: 'sudo feedhouse backup /var/backups/feedhouse/today.gz',
    prints: /^Backed up https:\S+: \d+ documents, \d+ API calls\./,
  },
]

/** Commands that prepare Redis. */
export const onServerForRedis: readonly Step[] = [
  { command: "sudo sed -i 's/^appendonly no/appendonly yes/' /etc/redis/redis.conf", prints: /^$/ },
  {
    command:
      'sudo grep -q \'^requirepass \' /etc/redis/redis.conf || echo "requirepass $(openssl rand -hex 24)" | sudo tee -a /etc/redis/redis.conf > /dev/null',
    prints: /^$/,
  },
]

/** Commands that move the data to a running Redis server and restore a backup there. */
export const onServerWithRedis: readonly Step[] = [
  { command: '(umask 077; sudo feedhouse backup - > to-redis-backup.gz)', prints: /^$/ },
  { command: "sudo sed -i '/^REDIS_URL=/d;$a\\' /etc/feedhouse/.env", prints: /^$/ },
  {
    command:
      "sudo sed -n 's|^requirepass \\(.*\\)|REDIS_URL=redis://:\\1@localhost:6379|p' /etc/redis/redis.conf | sudo tee -a /etc/feedhouse/.env > /dev/null",
    prints: /^$/,
  },
  {
    command: 'sudo feedhouse restore - < to-redis-backup.gz && sudo systemctl start feedhouse',
    prints: /^Restored backup of https:/,
  },
]

/** Commands that restore a backup into empty and nonempty stores. */
export const onServerToRestore: readonly Step[] = [
  {
    command: 'sudo feedhouse restore - < feedhouse-backup.gz',
    prints: /^Restored backup of https:/,
  },
  {
    command: 'sudo feedhouse restore --replace - < feedhouse-backup.gz',
    prints: /^Restored backup of https:/,
  },
]

const rollBack = {
  file: 'test/system/docs/backup.test.ts',
  text: 'the commands in docs/backup.md restore a file from an older version',
}

export const deploymentElsewhere: readonly Elsewhere[] = [
  {
    command: 'sh deploy/upload-to-s3.sh /srv/feeds s3://BUCKET',
    file: 'test/system/export/upload.test.ts',
    text: 'uploads every file in order, and later uploads only changed files',
  },
  { command: 'cd data', ...rollBack },
  { command: 'mkdir newer && mv www.example.org.sqlite* newer/', ...rollBack },
  {
    command: 'cp -p newer/www.example.org.sqlite.before-v2 www.example.org.sqlite',
    ...rollBack,
  },
]

export const deploymentNotRun: readonly NotRun[] = [
  {
    command: /(?:\(umask 077; )?docker .*/,
    reason:
      'tests have no Docker engine; test/system/deploy/dockerfile.test.ts executes the Dockerfile, test/deploy/compose.test.ts checks compose.yaml, and other tests run the same programs without containers',
  },
  {
    command: /(?:command -v npm \|\| )?sudo apt install .*/,
    reason: 'it changes the machine; .ci/run installs nginx and Caddy in the same way',
  },
  {
    command: /(?:sudo )?nano .*/,
    reason: 'it is an editor; test/system/deploy/server.test.ts writes the same text to the file',
  },
  {
    command: /sudo (?:systemctl|journalctl) .*/,
    reason:
      'systemd does not manage the machines that run tests; test/system/deploy/feedhouse-service.test.ts has systemd verify the unit',
  },
  {
    command: /sudo ufw .*/,
    reason: "it changes the machine's firewall",
  },
  {
    command: /sudo certbot .*/,
    reason: 'a certificate needs a public host name',
  },
  {
    command: /sudo nginx -t && sudo systemctl reload nginx/,
    reason:
      "it checks the machine's nginx; test/system/deploy/nginx.test.ts runs nginx with the configuration",
  },
]
