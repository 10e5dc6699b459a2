import { describe, expect, test } from 'vitest'
import { saveKept } from '../../src/collections/copy/stored-collections.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { command, place, storeIn } from '../support/backups.ts'
import { outputUntil, resultOf, run } from '../support/command-line.ts'
import { after } from '../support/ledger-changes.ts'
import { temporaryDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

type Printed = Readonly<Record<string, unknown>>

/** Starts the demo, and returns a function that runs the `link` command alongside it. */
async function demoWithLinks(directory: string, environment: Record<string, string> = {}) {
  const child = run(directory, ['serve', '--demo'], environment)
  await outputUntil(child, /Stop with Ctrl\+C/)
  const link = (...args: readonly string[]) =>
    resultOf(run(directory, ['link', ...args], environment))
  const json = async (...args: readonly string[]) => {
    const { stdout } = await link(...args, '--json')
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Printed)
  }
  return { link, json }
}

test('creates, lists and revokes a link while the service runs', async () => {
  using directory = temporaryDirectory()
  const { link, json } = await demoWithLinks(directory.path)
  const [added = {}] = await json(
    'add',
    '--label',
    'Hall screen',
    '--feeds',
    'rental,events',
    '--profile',
    'full',
    '--expires',
    '2099-06-30',
  )
  expect(added).toEqual({
    id: expect.stringMatching(/^[a-z2-7]{8}$/),
    label: 'Hall screen',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/l\/[a-z2-7]{32}\/$/),
    feeds: ['rental', 'events'],
    profile: 'full',
    expiresAt: '2099-07-01T03:59:59.999Z',
    memberId: null,
  })
  const { id, url, ...rest } = added
  await waitFor(async () => expect((await fetch(`${String(url)}rental.ics`)).status).toBe(200))
  const agent = { 'User-Agent': 'MagicMirror/2.36' }
  expect((await fetch(`${String(url)}events.ics`, { headers: agent })).status).toBe(200)
  const listed = await waitFor(async () => {
    const [first, demo] = await json('list')
    expect(demo).toMatchObject({
      label: 'Demo',
      profile: 'full',
      expiresAt: null,
      lastClient: null,
    })
    expect(first).toMatchObject({ id, lastClient: 'screen' })
    return first ?? {}
  })
  expect(listed).toEqual({
    id,
    ...rest,
    revokedAt: null,
    pausedAt: null,
    lastClient: 'screen',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    lastUsedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
  const { stdout } = await link('list')
  expect(stdout).toMatch(
    /  Hall screen; full, rental, events, created .*; expires after 2099-06-30; last used .* \(screen\)\n/,
  )
  const [revoked = {}] = await json('revoke', String(id))
  expect(revoked['revokedAt']).toMatch(/^\d{4}-/)
  await waitFor(async () =>
    expect(await (await fetch(`${String(url)}events.ics`)).text()).toContain('withdrawn'),
  )
  expect(await link('revoke', String(id))).toMatchObject({
    code: 0,
    stdout: `Revoked Hall screen (${String(id)}).\n`,
  })
}, 60_000)

test('uses PUBLIC_URL in the link, and defaults to the least privileged profile', async () => {
  using directory = temporaryDirectory()
  const settings = { PUBLIC_URL: 'https://feeds.cedarhollow.example' }
  const { link, json } = await demoWithLinks(directory.path, settings)
  const [added = {}] = await json('add', '--label', 'Crew')
  expect(added).toMatchObject({
    url: expect.stringMatching(/^https:\/\/feeds\.cedarhollow\.example\/l\/[a-z2-7]{32}\/$/),
    feeds: ['calendar', 'events', 'rental', 'signup', 'news', 'announcements'],
    profile: 'members',
    expiresAt: null,
  })
  const { stdout } = await link('add', '--label', 'Crew')
  expect(stdout).toMatch(
    /^https:\S+\n\nThis is the link for Crew \([a-z2-7]{8}\)\. It is shown only once\.\n$/,
  )
})

test('warns of a member ID that is not on the roster', async () => {
  const directory = place()
  const sample = sampleDatasetOn('2026-03-05')
  await storeIn(directory, async ({ documents }) => {
    const kept = await after('members', [{ items: sample.members, at: 0 }])
    const saving = { revision: 0, contentId: 'a', isContentNew: true, heldItems: undefined }
    await saveKept(documents, 'members', kept, saving)
  })
  const link = (...args: readonly string[]) => command(directory, ['link', ...args])
  const unknown = /^The member is not on the website’s roster, .* choose another member\.$/m
  const added = await link('add', '--label', 'Crew', '--member', '999999')
  expect(added.code).toBe(0)
  expect(added.stderr).toMatch(unknown)
  const [, id = ''] = /\(([a-z2-7]{8})\)/.exec(added.stdout) ?? []
  expect((await link('set', id, '--member', '999998')).stderr).toMatch(unknown)
  expect((await link('set', id, '--label', 'Crew 2')).stderr).not.toMatch(unknown)
  const known = sample.members.find(({ firstName, lastName }) => firstName && lastName)
  const changed = await link('set', id, '--member', String(known?.id))
  expect([changed.code, changed.stderr]).toEqual([0, ''])
})

test('accepts the members only with the profile full', async () => {
  const directory = place()
  await storeIn(directory, async () => {})
  const args = ['link', 'add', '--label', 'Chief', '--feeds', 'calendar,members', '--json']
  expect((await command(directory, args)).stderr).toMatch(/only .* with the profile full/)
  const { stdout } = await command(directory, [...args, '--profile', 'full'])
  expect(JSON.parse(stdout)).toMatchObject({ feeds: ['calendar', 'members'], profile: 'full' })
})

test('changes only the given properties of a link', async () => {
  const directory = place()
  await storeIn(directory, async () => {})
  const json = async (...args: readonly string[]) =>
    JSON.parse((await command(directory, ['link', ...args, '--json'])).stdout) as Printed
  const added = await json('add', '--label', 'Crew', '--member', '12', '--feeds', 'events')
  expect(added['memberId']).toBe(12)
  const id = String(added['id'])
  expect(
    await json('set', id, '--label', 'Crew 2', '--expires', '2099-06-30', '--pause'),
  ).toMatchObject({
    id,
    label: 'Crew 2',
    feeds: ['events'],
    profile: 'members',
    memberId: 12,
    expiresAt: expect.stringMatching(/^2099-0/),
    pausedAt: expect.stringMatching(/^\d{4}-/),
  })
  const { stdout } = await command(directory, ['link', 'list'])
  expect(stdout).toMatch(
    /; expires after 2099-06-30; member 12; paused \d{4}-\d\d-\d\d; never used\n/,
  )
  const options = ['--feeds', 'all', '--profile', 'full', '--expires', 'never', '--member', 'none']
  expect(await json('set', id, ...options, '--resume')).toEqual({
    id,
    label: 'Crew 2',
    feeds: ['calendar', 'events', 'rental', 'signup', 'news', 'announcements'],
    profile: 'full',
    createdAt: expect.stringMatching(/^\d{4}-/),
    expiresAt: null,
    revokedAt: null,
    memberId: null,
    pausedAt: null,
    lastUsedAt: null,
    lastClient: null,
  })
})

describe('the `link` command reports problems with', () => {
  test.for([
    { args: [], stderr: /^Usage: link add, link set, link list or link revoke; see --help\.\n$/ },
    { args: ['constructor'], stderr: /^Usage: link add/ },
    {
      args: ['add'],
      stderr: /^--label is required: who or what the link is for, in at most 100 characters\.\n$/,
    },
    { args: ['add', '--label', 'x'.repeat(101)], stderr: /^--label is required/ },
    {
      args: ['add', '--label', 'a', '--feeds', 'news,x'],
      stderr: /^--feeds must be a comma-separated list of: calendar, /,
    },
    {
      args: ['add', '--label', 'a', '--feeds', ''],
      stderr: /^--feeds must be a comma-separated list of: calendar, /,
    },
    {
      args: ['add', '--label', 'a', '--profile', 'public'],
      stderr: /^--profile must be members or full\.\n$/,
    },
    {
      args: ['add', '--label', 'a', '--member', '1.5'],
      stderr: /^--member must be the ID of a member on the website, like 12; or none\.\n$/,
    },
    { args: ['set'], stderr: /^Usage: link set ID \[options\]; link list shows the IDs\.\n$/ },
    {
      args: ['set', 'abcdefgh'],
      stderr: /^Name what to change, like --label or --pause; see link --help\.\n$/,
    },
    {
      args: ['set', 'abcdefgh', '--pause', '--resume'],
      stderr: /^Use either --pause or --resume\.\n$/,
    },
    { args: ['set', 'abcdefgh', '--label', ' '], stderr: /^--label is required/ },
    { args: ['add', '--label', 'a', 'b'], stderr: /^Unexpected argument 'b'/ },
    { args: ['revoke'], stderr: /^Usage: link revoke ID; link list shows the IDs\.\n$/ },
    { args: ['list', '--every'], stderr: /^Unknown option '--every' for link; see link --help\./ },
    {
      args: ['add', '--label', 'a'],
      stderr: /^SITE_URL is not set, and the demo is not running\. /,
    },
    { args: ['list'], stderr: /^SITE_URL is not set, and the demo is not running\. / },
  ])('link $args', async ({ args, stderr }) => {
    using directory = temporaryDirectory()
    const result = await resultOf(run(directory.path, ['link', ...args]))
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(stderr)
  })

  test('an edit of a link that does not exist or has been revoked', async () => {
    const directory = place()
    await storeIn(directory, async () => {})
    const link = (...args: readonly string[]) => command(directory, ['link', ...args])
    expect(await link('set', 'nobody', '--pause')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Unknown feed link: nobody; see link list.\n',
    })
    const { id } = JSON.parse((await link('add', '--label', 'a', '--json')).stdout) as Printed
    expect((await link('set', String(id), '--expires', '2020-01-01')).stderr).toMatch(
      /^--expires must be today or a later date, like 2027-06-30; or never\.\n$/,
    )
    await link('revoke', String(id))
    expect((await link('set', String(id), '--label', 'b')).stderr).toBe(
      `The feed link ${String(id)} has been revoked. Create a new one with link add.\n`,
    )
  })

  test('a link that does not exist or cannot be created', async () => {
    const directory = place()
    await storeIn(directory, async () => {})
    const link = (...args: readonly string[]) => command(directory, ['link', ...args])
    expect(await link('list')).toEqual({
      code: 0,
      stdout: 'There are no feed links.\n',
      stderr: '',
    })
    expect((await link('list', '--json')).stdout).toBe('')
    expect(await link('revoke', 'nobody')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Unknown feed link: nobody; see link list.\n',
    })
    expect((await link('add', '--label', 'a', '--expires', '2020-01-01')).stderr).toMatch(
      /^--expires must be today or a later date/,
    )
  })
})
