import { describe, expect, test } from 'vitest'
import { settingsDocument } from '../../src/config/stored-settings.ts'
import { saveKept } from '../../src/collections/copy/stored-collections.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { command, storeIn } from '../support/backups.ts'
import { outputUntil, resultOf, run } from '../support/command-line.ts'
import { after } from '../support/ledger-changes.ts'
import { testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

/** Interval between checks for uses, which are stored every ten seconds. */
const rareMs = 200

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

/** Returns functions that run the `link` command on a store, and the directory with the store. */
async function linksInStore() {
  const directory = testDirectory()
  await storeIn(directory, async () => {})
  const link = (...args: readonly string[]) => command(directory, ['link', ...args])
  const json = async (...args: readonly string[]) =>
    JSON.parse((await link(...args, '--json')).stdout) as Printed
  return { directory, link, json }
}

test('creates, lists and revokes a link while the service runs', async () => {
  const { link, json } = await demoWithLinks(testDirectory())
  const options = '--feeds rental,events --profile full --expires 2099-06-30'.split(' ')
  const [added = {}] = await json('add', '--label', 'Hall screen', ...options)
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
    const [first] = await json('list')
    expect(first).toMatchObject({ id, lastClient: 'screen' })
    return first ?? {}
  }, rareMs)
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
  const settings = { PUBLIC_URL: 'https://feeds.cedarhollow.example' }
  const { link, json } = await demoWithLinks(testDirectory(), settings)
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
  const { directory, link } = await linksInStore()
  const sample = sampleDatasetOn('2026-03-05')
  await storeIn(directory, async ({ documents }) => {
    const kept = await after('members', [{ items: sample.members, at: 0 }])
    const saving = { revision: 0, contentId: 'a', isContentNew: true, heldItems: undefined }
    await saveKept(documents, 'members', kept, saving)
  })
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
  const { link, json } = await linksInStore()
  const args = ['add', '--label', 'Chief', '--feeds', 'calendar,members']
  expect((await link(...args)).stderr).toMatch(/only .* with the profile full/)
  const added = await json(...args, '--profile', 'full')
  expect(added).toMatchObject({ feeds: ['calendar', 'members'], profile: 'full' })
})

test('changes only the given properties of a link', async () => {
  const { link, json } = await linksInStore()
  const added = await json('add', '--label', 'Crew', '--member', '12', '--feeds', 'events')
  expect(added['memberId']).toBe(12)
  const id = String(added['id'])
  const changes = ['--label', 'Crew 2', '--expires', '2099-06-30', '--pause']
  expect(await json('set', id, ...changes)).toMatchObject({
    id,
    label: 'Crew 2',
    feeds: ['events'],
    profile: 'members',
    memberId: 12,
    expiresAt: expect.stringMatching(/^2099-0/),
    pausedAt: expect.stringMatching(/^\d{4}-/),
  })
  expect((await link('list')).stdout).toMatch(
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
  test.for(['news,x', ''])('a feed that does not exist: %j', async (feeds) => {
    const { link } = await linksInStore()
    const { code, stderr } = await link('add', '--label', 'a', '--feeds', feeds)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^--feeds must be a comma-separated list of: cal/),
    ])
  })

  test('no feed that was made on the admin page', async () => {
    const directory = testDirectory()
    const value = JSON.stringify({ databaseFeeds: 'gear=2 title:{serial}' })
    await storeIn(directory, async ({ documents }) => {
      await documents.write([{ ...settingsDocument, value }])
    })
    const added = await command(directory, ['link', 'add', '--label', 'a', '--feeds', 'gear'])
    expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('/l/')])
  })

  test.for(['add', 'set', 'list', 'revoke'])('no site for link %s, or no JSON', async (name) => {
    const { link } = await linksInStore()
    const { stderr } = await link(name, '--json', '--site', 'milbrook')
    expect(stderr).not.toContain('Unknown option')
  })

  test('a link that does not exist, has been revoked, or would have expired', async () => {
    const { link, json } = await linksInStore()
    const unknown = { code: 1, stdout: '', stderr: 'Unknown feed link: nobody; see link list.\n' }
    expect(await link('set', 'nobody', '--pause')).toEqual(unknown)
    expect(await link('revoke', 'nobody')).toEqual(unknown)
    const none = { code: 0, stdout: 'There are no feed links.\n', stderr: '' }
    expect(await link('list')).toEqual(none)
    expect((await link('list', '--json')).stdout).toBe('')
    const id = String((await json('add', '--label', 'a'))['id'])
    const expired = ['--expires', '2020-01-01']
    for (const args of [
      ['set', id],
      ['add', '--label', 'a'],
    ]) {
      expect((await link(...args, ...expired)).stderr).toBe(
        '--expires must be today or a later date, like 2027-06-30; or never.\n',
      )
    }
    await link('revoke', id)
    expect((await link('set', id, '--label', 'b')).stderr).toBe(
      `The feed link ${id} has been revoked. Create a new one with link add.\n`,
    )
  })
})
