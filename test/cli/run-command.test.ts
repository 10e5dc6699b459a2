import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../../src/cli/run-command.ts'
import { main, resultOf, run } from '../support/command-line.ts'
import { testDirectory } from '../support/service.ts'

const { version } = JSON.parse(readFileSync(resolve(main, '../../package.json'), 'utf8'))

test.for([
  ['--help', /^Usage: npx feedhouse COMMAND/],
  ['', /^Usage: npx feedhouse COMMAND/],
  ['serve --help', /^Usage: npx feedhouse serve/],
  ['sandbox --help', /^Usage: npx feedhouse sandbox/],
  ['sandbox project --help', /^Usage: npx feedhouse sandbox project COMMAND/],
  ['help', /^Usage: npx feedhouse COMMAND/],
  ['help serve', /^Usage: npx feedhouse serve/],
  ['--version', new RegExp(`^${version}\n$`)],
] as const)('feedhouse %s', async ([line, stdout]) => {
  const result = await resultOf(run(testDirectory(), line === '' ? [] : line.split(' ')))
  expect(result).toEqual({ code: 0, stdout: expect.stringMatching(stdout), stderr: '' })
})

test('lists every command in its help', async () => {
  const { stdout } = await resultOf(run(testDirectory(), ['--help']))
  for (const name of Object.keys(commands)) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
})

const requiresWebsite = 'SITE_URL is not set, so there is no website to '
const labelRequired =
  '--label is required: who or what the link is for, in at most 100 characters.\n'
const noDemo = 'SITE_URL is not set, and the demo is not running. '

test.for([
  ['swerve', 'Unknown command: swerve; see --help.'],
  ['constructor', 'Unknown command: constructor; see --help.'],
  ['serve --port 1', "Unknown option '--port' for serve; see serve --help.\n"],
  ['check extra', "Unexpected argument 'extra' for check; see check --help.\n"],
  ['check --json=1', "Option '--json' does not take an argument; see check --help.\n"],
  ['check', `${requiresWebsite}check. Set it in .env; README.md has the steps.\n`],
  ['export --out', '--out needs a value; see export --help.\n'],
  ['export', '--out needs a value: the directory'],
  ['alert x', 'Usage: npx feedhouse alert test'],
  ['mail', 'Usage: npx feedhouse mail preview'],
  ['mail send', 'Usage: npx feedhouse mail preview'],
  ['mail preview --kind daily', '--kind must be one of: confirm, invite, weekly'],
  ['mail preview --language xx', '--language must be one of: en, es'],
  ['mail preview', 'SITE_URL is not set, so there is no website to send emails about.\n'],
  ['mail send-digest', 'send-digest needs --to ADDRESS.\n'],
  ['mail send-digest --to a@b.example', 'MAIL_FOLLOW is not set to yes'],
  ['backup', 'Usage: npx feedhouse backup FILE; see --help.\n'],
  ['backup a b', 'Usage: npx feedhouse backup FILE; see --help.\n'],
  ['backup a', 'SITE_URL is not set; the demo has no data to back up'],
  ['restore', 'Usage: npx feedhouse restore FILE [--replace]; see --help.\n'],
  ['collections accept everything', 'NAME must be one of: announce'],
  ['collections hold everything', 'NAME must be one of: announce'],
  ['collections accept', 'NAME must be one of'],
  ['collections publish events', 'Usage: npx feedhouse collections accept|hold NAME'],
  ['site list', 'SITES_FILE is not set.'],
  ['link list --all', '--all requires SITES_FILE, which is not set.\n'],
  ['doctor', 'Usage: npx feedhouse doctor URL, like https://feeds.example.org/events.ics\n'],
  ['doctor https://a.example/ https://b.example/', 'Usage: npx feedhouse doctor URL'],
  ['doctor feeds.example.org', 'The URL must start with https://, http:// or webcal'],
  ['doctor ftp://feeds.example.org/', 'The URL must start with https:'],
  ['doctor https://', 'The URL must start with https:'],
  ['doctor https://me:secret@feeds.example.org/', 'The URL must not contain a password'],
  [`doctor https://a.example/${'a'.repeat(2000)}`, 'The URL must have at most 2000 characters'],
  ['doctor --fast https://a.example/', "Unknown option '--fast' for doctor"],
  ['link', 'Usage: npx feedhouse link add, link set, link list or link revoke; see --help.\n'],
  ['link constructor', 'Usage: npx feedhouse link add'],
  ['link add', labelRequired],
  [`link add --label ${'x'.repeat(101)}`, labelRequired],
  ['link add --label a --profile public', '--profile must be members or full.\n'],
  ['link add --label a --member 1.5', '--member must be the ID of a member on the web'],
  ['link add --label a b', "Unexpected argument 'b'"],
  ['link add --label a', noDemo],
  ['link set', 'Usage: npx feedhouse link set ID [options]; link list shows the IDs.\n'],
  ['link set abcdefgh', 'Name what to change, like --label or --pause; see link --help.\n'],
  ['link set abcdefgh --pause --resume', 'Use either --pause or --resume.\n'],
  ['link set abcdefgh --label \t', labelRequired],
  ['link revoke', 'Usage: npx feedhouse link revoke ID; link list shows the IDs.\n'],
  ['link list --every', "Unknown option '--every' for link; see link --help."],
  ['link list', noDemo],
  [
    'render news.pdf',
    'The news feed has no news.pdf. Available formats: news.rss, news.atom, news',
  ],
  ['render all.ics?show=parade', 'show must be a list of the feeds calendar, events, rental, sig'],
  ['render all.ics?calendar=3', 'all.ics has no option calendar.'],
  ['render stories.rss', 'Unknown feed: stories. Available feeds: calendar, events,'],
  ['render calendar.ics?colour=red', 'calendar.ics has no option colour.'],
  ['render calendar.ics?alarm=soon', 'alarm must be a whole number from 0 to 40320.'],
  ['render news.rss', `${requiresWebsite}render`],
  ['sandbox --https-port x', '--https-port must be a whole number from 0 to 65535.'],
  ['sandbox --calls-per-day 0', '--calls-per-day must be a whole number from 1 to 1000000000.'],
  ['sandbox --data-dir=', '--data-dir must not be empty.'],
  ['sandbox --time-zone Mars/Dust', '--time-zone must be an IANA time zone'],
  ['sandbox --dataset /nowhere', 'The dataset directory /nowhere cannot be read'],
  ['sandbox --colour red', "Unknown option '--colour'"],
] as const)('feedhouse %s fails with a one-line message: %s', async ([line, sentence]) => {
  const { code, stdout, stderr } = await resultOf(run(testDirectory(), line.split(' ')))
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.slice(0, sentence.length)).toBe(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
