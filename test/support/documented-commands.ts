/*
 * Commands in README.md, CONTRIBUTING.md and docs/, exactly as written, with the test that runs each. Add
 * new commands to one of these lists, or to those in `deployment-commands.ts`. The tests in
 * `test/system/docs/` run the steps, and `test/docs/commands.test.ts` compares the lists with the docs.
 */

import {
  deploymentElsewhere,
  deploymentNotRun,
  onServer,
  onServerForRedis,
  onServerToRestore,
  onServerWithRedis,
  onServerWithSettings,
} from './deployment-commands.ts'

/** Command exactly as documented, and its expected output. The command must exit with 0. */
export type Step = { readonly command: string; readonly prints: RegExp }

/** Commands to run in a clone while the demo is running. */
export const withTheDemo: readonly Step[] = [
  {
    command: 'curl -s http://127.0.0.1:8080/events.ics | head -40',
    prints: /^BEGIN:VCALENDAR\r\n[^]*BEGIN:VEVENT/,
  },
  {
    command: "curl -s 'http://127.0.0.1:8080/rental.ics?past=0&future=14&alarm=30' | head -40",
    prints: /^BEGIN:VCALENDAR\r\n[^]*SUMMARY:Reserved/,
  },
  {
    command: 'curl -sI https://feeds.example.org/events.ics',
    prints: /^HTTP\/1\.1 200 [^]*\nLast-Modified: /,
  },
  {
    command: 'curl -s https://feeds.example.org/events.ics | grep -c BEGIN:VEVENT',
    prints: /^\d\d+\n/,
  },
  {
    command:
      'npx feedhouse link add --label "Hall screen" --feeds calendar,rental --profile full --expires 2027-06-30',
    prints: /^http:\S+\/l\/[a-z2-7]{32}\/\n[^]*Hall screen/,
  },
  {
    command:
      'npx feedhouse link add --label "Chief\'s address book" --feeds members --profile full',
    prints: /^http:\S+\/l\/[a-z2-7]{32}\/\n/,
  },
  {
    command: 'npx feedhouse link add --label "Crew, spring"',
    prints: /^http:\S+\/l\/[a-z2-7]{32}\/\n/,
  },
  {
    command: 'npx feedhouse link list',
    prints: /Crew, spring; members, all feeds[^]*Hall screen; full, calendar, rental/,
  },
  {
    command: 'npx feedhouse link set abcdefgh --profile members --pause',
    prints: /; members, [^]*; paused \d{4}-/,
  },
  { command: 'npx feedhouse link set abcdefgh --resume', prints: /; members, (?![^]*paused)/ },
  { command: 'npx feedhouse link revoke abcdefgh', prints: /^Revoked .+\.\n$/ },
]

/** Commands to run in a clone. */
export const inAClone: readonly Step[] = [
  { command: 'npm run licenses', prints: /^allowed: MIT: /m },
  { command: 'npm run sbom', prints: /node deploy\/sbom\.ts > sbom\.cdx\.json/ },
]

export const sandboxStart = 'npx feedhouse sandbox --https-port 8443 --data-dir sandbox-data'

/** Command from docs/backup.md that requires a Redis server. */
export const toRedis =
  'npx feedhouse backup - | REDIS_URL=redis://localhost:6379 npx feedhouse restore -'

const call = 'curl -s --cacert $CA -H "Authorization: Bearer $ACCESS"'

/** Commands to run in a clone whose settings use the sandbox as the website. */
export const withAWebsite: readonly Step[] = [
  { command: 'npx feedhouse check', prints: /(?:^ok .*\n){10}/m },
  {
    command:
      "npx feedhouse render 'calendar.ics?calendar=3&alarm=30' --profile members > members.ics.new && mv members.ics.new members.ics",
    prints: /^$/,
  },
  {
    command: 'PUBLIC_URL=https://feeds.example.org npx feedhouse export --out web',
    prints: /: \d{3} files written, 0 unchanged, 0 removed\.\n$/,
  },
  {
    command: 'npx feedhouse backup feedhouse-backup.gz',
    prints: /^Backed up https:\S+: \d+ documents, \d+ API calls\./,
  },
  {
    command: toRedis,
    prints: /^Restored backup of https:\S+ taken \S+: \d+ documents, \d+ API calls\.\n$/,
  },
]

/** Commands in the walkthrough in docs/sandbox.md, which run in one shell. */
export const walk: readonly Step[] = [
  { command: 'BASE=https://localhost:8443', prints: /^$/ },
  { command: 'CA=sandbox-data/ca.pem', prints: /^$/ },
  {
    command:
      'REFRESH=$(npx feedhouse sandbox project add --name walk --data-dir sandbox-data | jq -r .refreshToken)',
    prints: /^$/,
  },
  {
    command:
      'ACCESS=$(curl -s --cacert $CA -X POST -H "Authorization: Bearer $REFRESH" $BASE/apps/api/refresh/ | jq -r .access_token)',
    prints: /^$/,
  },
  { command: `${call} "$BASE/apps/api/calendar/?MaxRows=2" | jq`, prints: /"startRow": 1,/ },
  {
    command: `${call} "$BASE/apps/api/calendar/?MaxRows=2&StartRow=3" | jq`,
    prints: /"startRow": 3,/,
  },
  {
    command: `SHEET=$(${call} "$BASE/apps/api/signup/?All=1" | jq '.items[0].id')`,
    prints: /^$/,
  },
  { command: `${call} "$BASE/apps/api/signup/?ID=$SHEET" | jq`, prints: /"slots": \[/ },
  {
    command: 'curl -s --cacert $CA -H "Authorization: Bearer $REFRESH" $BASE/apps/api/news/',
    prints: /"code":"refresh_token_supplied"/,
  },
  { command: `${call} "$BASE/apps/api/news/?MaxRows=0"`, prints: /"code":"invalid_parameter"/ },
  {
    command:
      'for i in $(seq 31); do curl -s -o /dev/null -D - --cacert $CA -H "Authorization: Bearer $ACCESS" $BASE/apps/api/members/ | grep -i retry-after; done',
    prints: /^(?:Retry-After: \d+\r\n){4,8}$/i,
  },
]

/** Commands that change the API Project whose token is in the settings. */
export const onProjects: readonly Step[] = [
  {
    command: 'npx feedhouse sandbox project list --data-dir sandbox-data',
    prints: /"name":"demo"[^]*"name":"walk"/,
  },
  {
    command:
      'npx feedhouse sandbox project add --name Screens --endpoints news,events --ips 127.0.0.1 --data-dir sandbox-data',
    prints: /"endpoints":\["news","events"\],"ips":\["127\.0\.0\.1"\]/,
  },
  {
    command: 'npx feedhouse sandbox project set 1 --status Disabled --data-dir sandbox-data',
    prints: /"status":"Disabled"/,
  },
  {
    command:
      'npx feedhouse sandbox project set 1 --status Enabled --endpoints all --ips any --data-dir sandbox-data',
    prints: /"status":"Enabled","endpoints":"all","ips":"any"/,
  },
  {
    command: 'npx feedhouse sandbox project regenerate 1 --data-dir sandbox-data',
    prints: /"refreshToken":"[\w-]{44}"/,
  },
]

export const demoStart = 'npm ci && npm start'
export const privateDemoStart =
  "PUBLIC_FEEDS=events,news ADMIN_PASSWORD='correct horse battery' npm start"

/** Commands for the sites in docs/sites.md. */
export const withSeveralSites: readonly Step[] = [
  { command: 'npx feedhouse check --site ashton', prints: /(?:^ok .*\n){10}/m },
  {
    command: 'npx feedhouse link add --site ashton --label "Capt. Reyes"',
    prints: /^https:\/\/feeds\.ashton\.example\/l\/[a-z2-7]{32}\/\n/,
  },
  {
    command:
      'npx feedhouse site add dover SITE_URL=https://www.dover.example SITE_TIME_ZONE=America/New_York PUBLIC_URL=https://feeds.example.org/dover SITE_REFRESH_TOKEN_FILE=dover.token',
    prints: /^Added dover, at https:\/\/feeds\.example\.org\/dover\/\./,
  },
  { command: 'npx feedhouse site list', prints: /^ashton .*\nmilbrook .*\ndover .*\n$/ },
  { command: 'npx feedhouse site check', prints: /^(?:ok .*\n){3}$/ },
  { command: 'npx feedhouse site remove dover', prints: /^Removed dover\./ },
]

/** Commands in all of the lists above. */
export const run: readonly string[] = [
  demoStart,
  privateDemoStart,
  sandboxStart,
  ...[
    ...withTheDemo,
    ...inAClone,
    ...withAWebsite,
    ...walk,
    ...onProjects,
    ...withSeveralSites,
    ...onServer,
    ...onServerWithSettings,
    ...onServerForRedis,
    ...onServerWithRedis,
    ...onServerToRestore,
  ].map(({ command }) => command),
]

/**
 * Command that another test runs. `text` is a string that occurs in that test's file, such as the
 * title of the test.
 */
export type Elsewhere = { readonly command: string; readonly file: string; readonly text: string }

const connecting = {
  file: 'test/system/docs/connect-your-website.test.ts',
  text: 'the documented steps start a service and report endpoints that are not allowed',
}

export const elsewhere: readonly Elsewhere[] = [
  { command: 'npm ci && npm test', file: '.ci/run', text: 'npm ci && npm test' },
  { command: '(umask 077; cat > refresh-token)', ...connecting },
  { command: '[ -e .env ] || install -m 600 .env.example .env', ...connecting },
  { command: 'npx feedhouse link add --label "Capt. Reyes"', ...connecting },
  {
    command: 'rm -r sandbox-data refresh-token .env',
    file: 'test/system/docs/connect-your-website.test.ts',
    text: 'the documented rehearsal with the sandbox starts a service and leaves no files behind',
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
  ...deploymentElsewhere,
]

/** Command that no test can run, and the reason why. The pattern must match the entire command. */
export type NotRun = { readonly command: RegExp; readonly reason: string }

export const notRun: readonly NotRun[] = [
  ...deploymentNotRun,
  {
    command: /npm run bench -- (?:http|steady)/,
    reason: 'it takes many minutes, and its figures are meaningless on a busy machine',
  },
]
