/*
 * Commands in README.md, CONTRIBUTING.md and docs/, exactly as written, with the test that runs each. Add
 * new commands to one of these lists. Tests in `test/system/` run the steps, and
 * `test/docs/commands.test.ts` compares the lists with the docs.
 */

/** Command exactly as documented, and its expected output. The command must exit with 0. */
export type Step = { readonly command: string; readonly prints: RegExp }

const steps = (expected: Readonly<Record<string, RegExp>>): readonly Step[] =>
  Object.entries(expected).map(([command, prints]) => ({ command, prints }))

const silent = /^$/
const added = /^http:\S+\/l\/[a-z2-7]{32}\/\n/
const restored = /^Restored backup of https:/
const installed = /^Installed release-\d{8}-\d{6}-[\da-f]+\.\n$/m

export const sandboxStart = 'npx feedhouse sandbox --https-port 8443 --data-dir sandbox-data'

/** Command from docs/backup.md that requires a Redis server. */
export const toRedis =
  'npx feedhouse backup - | REDIS_URL=redis://localhost:6379 npx feedhouse restore -'

const call = 'curl -s --cacert $CA -H "Authorization: Bearer $ACCESS"'

export const demoStart = 'npm ci --omit=dev && npm start'
export const demoWithPassword = "ADMIN_PASSWORD='correct horse battery' npm start"
export const setupStart = 'SETUP=yes npm start'

/** Lists of commands, each of which is run in this order. */
export const lists = {
  /** Commands to run in a clone while the demo is running. */
  withTheDemo: steps({
    'curl -s http://127.0.0.1:8080/events.ics | head -40': /^BEGIN:VCALENDAR\r\n[^]*BEGIN:VEVENT/,
    "curl -s 'http://127.0.0.1:8080/rental.ics?past=0&future=14&alarm=30' | head -40":
      /^BEGIN:VCALENDAR\r\n[^]*SUMMARY:Reserved/,
    'curl -sI https://feeds.example.org/events.ics': /^HTTP\/1\.1 200 [^]*\nLast-Modified: /,
    'curl -s https://feeds.example.org/events.ics | grep -c BEGIN:VEVENT': /^\d\d+\n/,
    'npx feedhouse link add --label "Hall screen" --feeds calendar,rental --profile full --expires 2027-06-30':
      /^http:\S+\/l\/[a-z2-7]{32}\/\n[^]*Hall screen/,
    'npx feedhouse link add --label "Chief\'s address book" --feeds members --profile full': added,
    'npx feedhouse link add --label "Crew, spring"': added,
    'npx feedhouse link list':
      /Crew, spring; members, all feeds[^]*Hall screen; full, calendar, rental/,
    'npx feedhouse link set abcdefgh --profile members --pause': /; members, [^]*; paused \d{4}-/,
    'npx feedhouse link set abcdefgh --resume': /; members, (?![^]*paused)/,
    'npx feedhouse link revoke abcdefgh': /^Revoked .+\.\n$/,
  }),

  /** Commands to run in a clone. */
  inAClone: steps({
    'npm run licenses': /^allowed: MIT: /m,
    'npm run languages': /^German: 0 texts are missing$/m,
    'npm run sbom': /node deploy\/sbom\.ts > sbom\.cdx\.json/,
  }),

  /** Commands to run in a clone whose settings use the sandbox as the website. */
  withAWebsite: steps({
    'npx feedhouse check': /(?:^ok .*\n){10}/m,
    "npx feedhouse render 'calendar.ics?calendar=3&alarm=30' --profile members > members.ics.new && mv members.ics.new members.ics":
      silent,
    'PUBLIC_URL=https://feeds.example.org npx feedhouse export --out web':
      /: \d{3} files written, 0 unchanged, 0 removed\.\n$/,
    'npx feedhouse backup feedhouse-backup.gz':
      /^Backed up https:\S+: \d+ documents, \d+ API calls\./,
    [toRedis]: /^Restored backup of https:\S+ taken \S+: \d+ documents, \d+ API calls\.\n$/,
  }),

  /** Commands in the walkthrough in docs/sandbox.md, which run in one shell. */
  walk: steps({
    'BASE=https://localhost:8443': silent,
    'CA=sandbox-data/ca.pem': silent,
    'REFRESH=$(npx feedhouse sandbox project add --name walk --data-dir sandbox-data | jq -r .refreshToken)':
      silent,
    'ACCESS=$(curl -s --cacert $CA -X POST -H "Authorization: Bearer $REFRESH" $BASE/apps/api/refresh/ | jq -r .access_token)':
      silent,
    [`${call} "$BASE/apps/api/calendar/?MaxRows=2" | jq`]: /"startRow": 1,/,
    [`${call} "$BASE/apps/api/calendar/?MaxRows=2&StartRow=3" | jq`]: /"startRow": 3,/,
    [`SHEET=$(${call} "$BASE/apps/api/signup/?All=1" | jq '.items[0].id')`]: silent,
    [`${call} "$BASE/apps/api/signup/?ID=$SHEET" | jq`]: /"slots": \[/,
    'curl -s --cacert $CA -H "Authorization: Bearer $REFRESH" $BASE/apps/api/news/':
      /"code":"refresh_token_supplied"/,
    [`${call} "$BASE/apps/api/news/?MaxRows=0"`]: /"code":"invalid_parameter"/,
    'for i in $(seq 31); do curl -s -o /dev/null -D - --cacert $CA -H "Authorization: Bearer $ACCESS" $BASE/apps/api/members/ | grep -i retry-after; done':
      /^(?:Retry-After: \d+\r\n){4,8}$/i,
  }),

  /** Commands that change the API Project whose token is in the settings. */
  onProjects: steps({
    'npx feedhouse sandbox project list --data-dir sandbox-data': /"name":"demo"[^]*"name":"walk"/,
    'npx feedhouse sandbox project add --name Screens --endpoints news,events --ips 127.0.0.1 --data-dir sandbox-data':
      /"endpoints":\["news","events"\],"ips":\["127\.0\.0\.1"\]/,
    'npx feedhouse sandbox project set 1 --status Disabled --data-dir sandbox-data':
      /"status":"Disabled"/,
    'npx feedhouse sandbox project set 1 --status Enabled --endpoints all --ips any --data-dir sandbox-data':
      /"status":"Enabled","endpoints":"all","ips":"any"/,
    'npx feedhouse sandbox project regenerate 1 --data-dir sandbox-data':
      /"refreshToken":"[\w-]{44}"/,
  }),

  /** Commands for the sites in docs/sites.md. */
  withSeveralSites: steps({
    'npx feedhouse check --site ashton': /(?:^ok .*\n){10}/m,
    'npx feedhouse link add --site ashton --label "Capt. Reyes"':
      /^https:\/\/feeds\.ashton\.example\/l\/[a-z2-7]{32}\/\n/,
    'npx feedhouse backup --site ashton ashton.gz': /^Backed up https:/,
    'npx feedhouse restore --site ashton ashton.gz --replace': restored,
    'npx feedhouse site add dover SITE_URL=https://www.dover.example SITE_TIME_ZONE=America/New_York PUBLIC_URL=https://feeds.example.org/dover SITE_REFRESH_TOKEN_FILE=dover.token':
      /^Added dover, at https:\/\/feeds\.example\.org\/dover\/\./,
    'npx feedhouse site list': /^ashton .*\nmilbrook .*\ndover .*\n$/,
    'npx feedhouse site check': /^(?:ok .*\n){3}$/,
    'npx feedhouse site remove dover': /^Removed dover\./,
  }),

  /** Commands for a small server. `test/system/deploy/server.test.ts` runs them in this order. */
  onServer: steps({
    'sudo useradd --system --home-dir /var/lib/feedhouse --shell /usr/sbin/nologin feedhouse':
      silent,
    'sudo install -d -o feedhouse -g feedhouse -m 700 /var/lib/feedhouse': silent,
    'sudo install -d -o "$USER" /opt/feedhouse': silent,
    'sh deploy/install-release.sh /opt/feedhouse': installed,
    'git pull && sh deploy/install-release.sh /opt/feedhouse': installed,
    'ln -sfn "$(readlink /opt/feedhouse/previous)" /opt/feedhouse/current': silent,
    'git pull': /^Updating /,
    "git switch --detach '@{1}'": silent,
    'sudo install -d -o root -g feedhouse -m 750 /etc/feedhouse': silent,
    'sudo test -e /etc/feedhouse/.env || sudo install -o root -g feedhouse -m 640 .env /etc/feedhouse/.env':
      silent,
    'sudo test -e /etc/feedhouse/site-refresh-token || sudo install -o root -g feedhouse -m 640 refresh-token /etc/feedhouse/site-refresh-token':
      silent,
    'sudo install -m 755 /opt/feedhouse/current/deploy/feedhouse.sh /usr/local/bin/feedhouse':
      silent,
    'sudo install -m 644 /opt/feedhouse/current/deploy/feedhouse.service /etc/systemd/system/':
      silent,
    "sudo sed 's/^\\[Service\\]$/&\\nEnvironment=PORT=8081/' /etc/systemd/system/feedhouse.service | sudo tee /etc/systemd/system/feedhouse-2.service":
      /^\[Service\]\nEnvironment=PORT=8081$/m,
    "sed 's/feeds\\.example\\.org/YOUR.NAME/g' deploy/nginx.conf | sudo tee /etc/nginx/conf.d/feedhouse.conf":
      /server_name YOUR\.NAME;/,
    'sudo rm -f /etc/nginx/sites-enabled/default': silent,
    "sudo sed -i '/127\\.0\\.0\\.1:8081/d' /etc/nginx/conf.d/feedhouse.conf": silent,
    "sudo sed -i 's/worker_connections 768;/worker_connections 8192;/' /etc/nginx/nginx.conf":
      silent,
    "sudo sed -i 's/^worker_processes .*/&\\nworker_rlimit_nofile 20000;/' /etc/nginx/nginx.conf":
      silent,
    "sudo sed -i 's/#cache //' /etc/nginx/conf.d/feedhouse.conf": silent,
    'sudo install -m 644 --backup=numbered deploy/Caddyfile /etc/caddy/Caddyfile': silent,
    // Commands that must run before `docker compose`.
    'mkdir -m 700 -p secrets': silent,
    '[ -e secrets/site-refresh-token ] || cp refresh-token secrets/site-refresh-token': silent,
    '[ -e secrets/admin-password ] || openssl rand -base64 24 > secrets/admin-password': silent,
    '[ -e secrets/redis-conf ] || echo "requirepass $(openssl rand -hex 24)" > secrets/redis-conf':
      silent,
    "sed 's|^requirepass \\(.*\\)|redis://:\\1@redis:6379|' secrets/redis-conf > secrets/redis-url":
      silent,
    'chmod 644 secrets/*': silent,
    'install -d files': silent,
  }),

  /** Commands that require settings. */
  onServerWithSettings: steps({
    'sudo feedhouse check': /(?:^ok .*\n){10}/m,
    'sudo feedhouse link add --label "Capt. Reyes"':
      /^https:\/\/feeds\.example\.org\/l\/[a-z2-7]{32}\/\n/,
    'sudo install -d -o feedhouse -g feedhouse -m 700 /var/backups/feedhouse': silent,
    'sudo feedhouse backup /var/backups/feedhouse/today.gz':
      /^Backed up https:\S+: \d+ documents, \d+ API calls\./,
  }),

  /** Commands that prepare Redis. */
  onServerForRedis: steps({
    "sudo sed -i 's/^appendonly no/appendonly yes/' /etc/redis/redis.conf": silent,
    'sudo grep -q \'^requirepass \' /etc/redis/redis.conf || echo "requirepass $(openssl rand -hex 24)" | sudo tee -a /etc/redis/redis.conf > /dev/null':
      silent,
  }),

  /** Commands that move the data to a running Redis server and restore a backup there. */
  onServerWithRedis: steps({
    '(umask 077; sudo feedhouse backup - > to-redis-backup.gz)': silent,
    "sudo sed -i '/^REDIS_URL=/d;$a\\' /etc/feedhouse/.env": silent,
    "sudo sed -n 's|^requirepass \\(.*\\)|REDIS_URL=redis://:\\1@localhost:6379|p' /etc/redis/redis.conf | sudo tee -a /etc/feedhouse/.env > /dev/null":
      silent,
    'sudo feedhouse restore - < to-redis-backup.gz && sudo systemctl start feedhouse': restored,
  }),

  /** Commands that restore a backup into empty and nonempty stores. */
  onServerToRestore: steps({
    'sudo feedhouse restore - < feedhouse-backup.gz': restored,
    'sudo feedhouse restore --replace - < feedhouse-backup.gz': restored,
  }),
}

/** Commands in all of the lists above. */
export const run: readonly string[] = [
  demoStart,
  demoWithPassword,
  setupStart,
  sandboxStart,
  ...Object.values(lists)
    .flat()
    .map(({ command }) => command),
]

/**
 * Command that another test runs. `text` is a string that occurs in that test's file, such as the
 * title of the test.
 */
type Elsewhere = { readonly command: string; readonly file: string; readonly text: string }

const connecting = {
  file: 'test/system/docs/connect-your-website.test.ts',
  text: 'the documented steps start a service and report endpoints that are not allowed',
}

const rehearsal = {
  file: 'test/system/docs/connect-your-website.test.ts',
  text: 'the documented rehearsal starts a service and leaves only the real settings behind',
}

const rollBack = {
  file: 'test/system/docs/backup.test.ts',
  text: 'the commands in docs/backup.md restore a file from an older version',
}

const archive = { file: 'test/system/deploy/build-release.test.ts' }

export const elsewhere: readonly Elsewhere[] = [
  ...[
    'sha256sum --check feedhouse-*.tar.gz.sha256',
    'tar -xzf feedhouse-*.tar.gz',
    'sh feedhouse-*/deploy/install-release.sh /opt/feedhouse',
  ].map((command) => ({ command, text: command, ...archive })),
  { command: 'sh deploy/build-release.sh dist', text: "'deploy/build-release.sh'", ...archive },
  { command: 'npm ci && npm test', file: '.ci/run', text: 'npm ci && npm test' },
  { command: '(umask 077; cat > refresh-token)', ...connecting },
  { command: '[ -e .env ] || install -m 600 .env.example .env', ...connecting },
  { command: 'npx feedhouse link add --label "Capt. Reyes"', ...connecting },
  ...['mkdir rehearsal && cd rehearsal', 'npx feedhouse serve', 'rm -r rehearsal'].map(
    (command) => ({ command, ...rehearsal }),
  ),
  {
    command: "redis-cli -u redis://10.0.0.9:6379 --askpass DEL 'feedhouse:{_hosts}:key'",
    file: 'test/hosts/hosts.test.ts',
    text: "'DEL', 'feedhouse:{_hosts}:key'",
  },
  {
    command: 'npx feedhouse collections accept events',
    file: 'test/service/status.test.ts',
    text: 'reports a held collection, and publishes it when an operator accepts it',
  },
  {
    command: 'npx feedhouse collections hold events',
    file: 'test/service/status.test.ts',
    text: "await hold('events', '--json')",
  },
  {
    command: 'sh deploy/upload-to-s3.sh /srv/feeds s3://BUCKET',
    file: 'test/system/export/upload.test.ts',
    text: 'uploads every file in order, and later uploads only changed files',
  },
  {
    command: 'sh deploy/build-deb.sh dist/feedhouse-*.tar.gz dist',
    file: 'test/system/deploy/debian-package.test.ts',
    text: '/deploy/build-deb.sh',
  },
  {
    command: 'PUBLIC_URL=https://feeds.example.org npx feedhouse export --out web --directories',
    file: 'test/export/export-site.directories.test.ts',
    text: 'hasDirectories: true',
  },
  { command: 'cd data', ...rollBack },
  { command: 'mkdir newer && mv www.example.org.sqlite* newer/', ...rollBack },
  {
    command: 'cp -p newer/www.example.org.sqlite.before-v2 www.example.org.sqlite',
    ...rollBack,
  },
]

/** Commands that no test can run. The patterns match entire commands. */
export const notRun: readonly RegExp[] = [
  // There is no Docker engine. test/system/deploy/dockerfile.test.ts executes the Dockerfile,
  // test/deploy/compose.test.ts checks compose.yaml, and other tests run the same programs.
  /(?:\(umask 077; )?docker .*/,
  // These change the machine; .ci/run installs nginx and Caddy in the same way.
  /(?:command -v npm \|\| )?sudo apt install .*/,
  /sudo ufw .*/,
  // An editor; test/system/deploy/server.test.ts writes the same text to the file.
  /(?:sudo )?nano .*/,
  // systemd does not manage the machines that run tests. It verifies the unit in
  // test/system/deploy/feedhouse-service.test.ts.
  /sudo (?:systemctl|journalctl) .*/,
  // A certificate needs a public host name.
  /sudo certbot .*/,
  // The machine's nginx; test/system/deploy/reverse-proxies.test.ts runs nginx with the configuration.
  /sudo nginx -t && sudo systemctl reload nginx/,
  // It takes many minutes, and its figures are meaningless on a busy machine.
  /npm run bench -- (?:http|steady)/,
]
