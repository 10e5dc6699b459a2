import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { checkSummary } from '../../src/cli/check.ts'
import type { Finding } from '../../src/check/site-check.ts'
import { outputUntil, resultOf, run } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import { createManager } from '../support/manager.ts'
import { startWebsite } from '../support/website.ts'

const findingsIn = (stdout: string): readonly Finding[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('reports that a healthy site’s resources, clock and call budget are ok', async () => {
  const { check } = await startWebsite()
  const { code, stdout, stderr } = await check()
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const [findings = '', summary = ''] = stdout.trimEnd().split('\n\n')
  const lines = findings.split('\n')
  expect(lines.shift()).toMatch(/^Checking https:.*14 of the 30 API calls per minute/)
  expect(lines).toHaveLength(19)
  expect(lines.join('\n')).toMatch(
    /^ok {5}The ids of entries and stories will use localhost, which cannot be changed once Feedhouse has started\. /m,
  )
  expect(lines).toContainEqual(
    expect.stringMatching(/^ok {5}Feedhouse's time zone rules are from release 20\d\d[a-z]/),
  )
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
  expect(summary.split('\n')).toEqual([
    'Feeds that anyone can read: events, news.',
    'Feeds that require a feed link: announcements, calendar, rental, signup.',
    expect.stringMatching(/^Next: npm start, then open http:\/\/127\.0\.0\.1:0\/ and .*\/status\./),
  ])
})

test('explains an interval that the call limit makes longer than FRESH_SECONDS', async () => {
  const { check } = await startWebsite()
  const { code, stdout } = await check({ FRESH_SECONDS: '60', CALLS_PER_DAY: '1000' })
  expect(code).toBe(0)
  // 2 public feeds take 2 calls, and 850 calls a day are planned.
  expect(stdout).toMatch(
    /^ok {5}Feedhouse reads the website every 204 seconds instead of every 60 \(FRESH_SECONDS\), because .* 1000 API calls per day \(CALLS_PER_DAY\)\..*set FRESH_SECONDS=204\.$/m,
  )
})

test('reports faults in its JSON output and its exit status', async () => {
  const { check, sandbox } = await startWebsite()
  await (await createManager(sandbox)).setProject(1, { endpoints: ['events', 'calendar'] })
  const { code, stdout } = await check({ SITE_TIME_ZONE: 'Asia/Tokyo' }, '--json')
  expect(code).toBe(1)
  const findings = findingsIn(stdout)
  expect(findings.filter(({ ok }) => !ok).map(({ check }) => check)).toEqual(['news', 'clock'])
  expect(findings.find(({ check }) => check === 'news')?.code).toBe('endpoint_not_allowed')
})

test('reports only that nothing can be stored, because calls could not be counted', async () => {
  const { check, directory } = await startWebsite()
  expect((await check()).code).toBe(0)
  const [file = ''] = globSync('data/*.sqlite', { cwd: directory })
  const database = new DatabaseSync(join(directory, file))
  const trigger =
    "CREATE TRIGGER full BEFORE INSERT ON documents BEGIN SELECT RAISE(FAIL, 'no'); END"
  database.exec(trigger)
  database.close()
  const sentence = `The store ${join(directory, file)} cannot be used: no.`
  const text = await check()
  expect(text).toEqual({ code: 1, stdout: `FAULT  ${sentence}\n`, stderr: '' })
  const json = await check({}, '--json')
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toEqual({ check: 'store', ok: false, sentence })
})

test('does not claim that a website accepts the stored token while the website is down', async () => {
  const { check, stop } = await startWebsite()
  expect((await check()).stdout).toContain('can be reached, its certificate is trusted')
  await stop()
  const { code, stdout } = await check()
  expect(code).toBe(1)
  expect(stdout).not.toContain('can be reached')
  expect(stdout).toMatch(/^ok {5}A stored access token is valid until /m)
  expect(stdout).toMatch(
    /^FAULT {2}announce cannot be read .*ECONNREFUSED.* refuses the connection/m,
  )
  expect(stdout).toMatch(
    /\nNo feed could be read\. .*last good copies\.\nNext: fix the FAULT lines/,
  )
})

test('lists the feeds that a rejected endpoint turns off, and the feeds still available', async () => {
  const { check, sandbox } = await startWebsite()
  await (await createManager(sandbox)).setProject(1, { endpoints: ['events', 'signup'] })
  const { code, stdout } = await check()
  expect(code).toBe(1)
  expect(stdout).toMatch(/^FAULT {2}news: not allowed for this API Project/m)
  expect(stdout.trimEnd().split('\n\n')[1]?.split('\n')).toEqual([
    'Feeds that anyone can read: events.',
    'Feeds that require a feed link: signup.',
    'Unavailable feeds: announcements, calendar, news, rental.',
    'Next: fix the FAULT lines above, then run check again.',
  ])
})

test('lists a feed that must be named only if a link or PUBLIC_FEEDS names it', async () => {
  const { check, settings, directory } = await startWebsite()
  const link = ['link', 'add', '--label', 'Board', '--feeds', 'documents']
  const added = await resultOf(run(directory, link, settings))
  expect(added.code).toBe(0)
  const { stdout } = await check({ PUBLIC_FEEDS: 'events,minutes' })
  expect(
    stdout.match(/^ok.*needed.*$/gm)?.map((line) => line.replace(/\d+ records? /, '')),
  ).toEqual([
    'ok     databases: allowed, by default (not needed; check --databases lists their fields).',
    'ok     discuss: allowed, by default (needed only if a feed link names forum).',
    'ok     guestbook: allowed, by default (needed only if PUBLIC_FEEDS or a feed link names guestbook).',
    'ok     members: allowed, by default (needed only if a feed link is for a member, or if a feed link names members).',
    'ok     training: allowed, by default (needed only if a feed link is for a member, or if a feed link names training or presentations or quizzes).',
  ])
  expect(stdout).toMatch(/^ok {5}documents: allowed, \d+ records by default\.$/m)
  expect(stdout).toContain('Feeds that anyone can read: events, minutes.')
  expect(stdout).toContain(
    'Feeds that require a feed link: announcements, calendar, documents, news, rental, signup.',
  )
})

test('warns about an environment variable that resembles a setting', async () => {
  const { check } = await startWebsite()
  const { code, stderr } = await check({ PUBLIC_FEED: 'news' })
  expect(code).toBe(0)
  expect(stderr).toBe('Warning: Unknown setting PUBLIC_FEED; did you mean PUBLIC_FEEDS?\n')
})

test('does not test PUBLIC_URL before the service runs', async () => {
  const { check } = await startWebsite()
  const { code, stdout } = await check({ PUBLIC_URL: 'https://feeds.example.org' })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ok {5}Feedhouse is not running yet\. Start it and run check again/m)
})

test('tests PUBLIC_URL once the service runs', async () => {
  const { check, settings, directory } = await startWebsite()
  const PUBLIC_URL = `http://127.0.0.1:${await freePort()}`
  const address = { PUBLIC_URL, PORT: new URL(PUBLIC_URL).port, PUBLIC_FEEDS: 'events' }
  await outputUntil(run(directory, ['serve'], { ...settings, ...address }), /Stop with/)
  const running = await check(address)
  expect(running.code).toBe(0)
  expect(running.stdout).toMatch(/^ok {5}PUBLIC_URL is .*works only on this machine/m)
  expect(running.stdout).toContain(`ok     ${PUBLIC_URL} leads to this Feedhouse.\n`)
  expect(running.stdout).toContain(`\nNext: open ${PUBLIC_URL}/ and `)
})

test('reports a wrong token and says how to fix it', async () => {
  const { check, settings } = await startWebsite()
  // An access token must not be used with a refresh token other than the one that it was obtained
  // with.
  expect((await check()).code).toBe(0)
  const wrong = 'not-the-token-555-0199'
  const { code, stdout, stderr } = await check({ SITE_REFRESH_TOKEN: wrong })
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^FAULT {2}No access token .*does not recognize SITE_REFRESH_TOKEN.*Members Area/m,
  )
  expect(stdout + stderr).not.toContain(wrong)
  expect(stdout + stderr).not.toContain(settings.SITE_REFRESH_TOKEN)
})

test('reports how long to wait after three failed token requests', async () => {
  const { check } = await startWebsite()
  for (let times = 0; times < 3; times += 1) {
    expect((await check({ SITE_REFRESH_TOKEN: 'wrong' })).stdout).toContain('does not recognize')
  }
  const { code, stdout } = await check()
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^FAULT .*next attempt in (?:9|10) min.*\)\. Recent token requests failed\./m,
  )
  expect(stdout).toContain('run check again after this wait')
  expect(stdout).not.toContain('FRESH_SECONDS')
})

test.for([
  [undefined, 'npm start', 'restart it'],
  ['constructor', 'npm start', 'restart it'],
  ['systemd', 'sudo systemctl enable --now feedhouse', 'run "sudo systemctl restart feedhouse"'],
  ['compose', 'docker compose up -d', 'run "docker compose up -d"'],
  ['container', 'start the container with these settings', 'remove the container and run it again'],
])('on %s, suggests starting the service with: %s', ([platform, start = '', restart = '']) => {
  const environment = { FEEDHOUSE_PLATFORM: platform }
  const next = checkSummary([], 'https://feeds.example.org', environment, false).at(-1) ?? ''
  expect(next.startsWith(`Next: ${start}, then open https://feeds.example.org/ and `)).toBe(true)
  expect(next).toContain(`; ${restart} after changing any other setting.`)
})

test('does not suggest starting a service that is running', () => {
  expect(checkSummary([], 'https://feeds.example.org', {}, true).at(-1)).toBe(
    'Next: open https://feeds.example.org/ and https://feeds.example.org/status. Feedhouse is running, and picks this up automatically, including a new token in SITE_REFRESH_TOKEN_FILE; restart it after changing any other setting.',
  )
})
