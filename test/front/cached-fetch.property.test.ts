import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { markFromFront } from '../../src/front/cache-fields.ts'
import { createCachedFetch } from '../../src/front/cached-fetch.ts'
import type { SitePurges } from '../../src/front/protocol.ts'
import type { CachedUrl } from '../../src/front/cached-urls.ts'
import { createResponseCache } from '../../src/front/response-cache.ts'
import { createSiteCache } from '../../src/web/site-cache.ts'
import type { LinkEntry } from '../../src/links/link-registry.ts'
import type { ChangeListener } from '../../src/representations/representation-cache.ts'
import type { Target } from '../../src/representations/target.ts'
import { createFakeClock, timesOf } from '../support/fake-clock.ts'
import { workerResponse } from './worker-response.ts'

/*
 * Runs both halves of the cache, the front's and the worker's, through random sequences of changes, crashes
 * and requests. Purges and responses are delivered independently of each other, and late.
 */

const limits = { recentMs: 8, hangingMs: 100, anyMs: 2_000, maxMs: 9_000 }
const origin = { used: () => undefined, isFollowed: () => true }
const feeds = ['events', 'news'] as const
const linkIds = ['a', 'b'] as const
const urls = ['/events', '/news', '/a/events', '/b/events', '/b/news', '/item', '/list'] as const
/** Events without details. The last four advance requests, responses and purges. */
const events = [
  ...(['withdraw', 'vanish', 'narrow', 'crash', 'restart', 'hang', 'work'] as const),
  ...(['reach', 'reach', 'purges', 'responses'] as const),
] as const
type Feed = (typeof feeds)[number]
type LinkId = (typeof linkIds)[number]

/** State from which a body was rendered. */
type Body = {
  /** Renderings are numbered. */
  readonly at: number
  readonly settings: number
  readonly version: number
  /** Revision of the record of an item page. */
  readonly revision: number | undefined
}

type Step =
  | { readonly kind: 'request'; readonly url: (typeof urls)[number] }
  | { readonly kind: 'change'; readonly feed: Feed }
  | { readonly kind: 'edit' | 'revoke'; readonly link: LinkId }
  /** The worker is replaced, and something changes before the next one has started. */
  | { readonly kind: 'replace'; readonly change: (typeof missedChanges)[number] }
  | { readonly kind: (typeof events)[number] }
  | { readonly kind: 'wait'; readonly ms: number }

const stepsOf = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary })
const linkChanges = fc.constantFrom('edit' as const, 'revoke' as const)
const missedChanges = [
  ...(['edit', 'revoke'] as const).flatMap((kind) => linkIds.map((link) => ({ kind, link }))),
  { kind: 'withdraw' },
  { kind: 'narrow' },
] as const
const waits = fc.constantFrom(5, 10, 2_500, 70_000, 400_000)

const steps = fc.array(
  fc.oneof(
    stepsOf(6, fc.record({ kind: fc.constant('request'), url: fc.constantFrom(...urls) })),
    stepsOf(2, fc.record({ kind: fc.constant('change'), feed: fc.constantFrom(...feeds) })),
    stepsOf(2, fc.record({ kind: linkChanges, link: fc.constantFrom(...linkIds) })),
    stepsOf(6, fc.record({ kind: fc.constantFrom(...events) })),
    stepsOf(
      2,
      fc.record({ kind: fc.constant('replace'), change: fc.constantFrom(...missedChanges) }),
    ),
    stepsOf(3, fc.record({ kind: fc.constant('wait'), ms: waits })),
  ),
  { minLength: 5, maxLength: 30, size: 'max' },
)

const targetOf = (name: string) => ({ name, feed: { id: name } }) as Target
const ignore = (): void => undefined
const rendered = () => ({ validUntil: Infinity }) as never

/** The worker's half: a site with two feeds, links, and the page of a record. */
function createWorker(clock: Clock, front: SitePurges, state: State) {
  let changed: ChangeListener = ignore
  let linksChanged = ignore
  let anyChanged = ignore
  const site = createSiteCache({
    site: 'main',
    front,
    version: String(state.settings),
    representations: { rendered, onChange: (listener) => (changed = listener) },
    links: {
      byId: (id) => state.links.get(id),
      open: () => [...state.links.values()].map(({ link }) => link),
      onChange: (listener) => (linksChanged = listener),
    },
    emergency: { current: () => undefined, onChange: ignore },
    onChange: (listener) => (anyChanged = listener),
    publicReaders: { note: () => undefined },
    requestLog: { answered: ignore },
    clock,
  })

  function respond(path: string): IncomingMessage {
    const request = new IncomingMessage(new Socket())
    markFromFront(request)
    const response = new ServerResponse(request)
    const { settings, revision } = state
    const at = (state.rendered += 1)
    const [, first = '', second] = path.split('/')
    const link = second === undefined ? undefined : state.links.get(first)
    const feed = second ?? first
    const version = state.versions.get(feed) ?? 0
    if (path === '/item' || path === '/list') {
      if (path === '/item' ? state.isWithdrawn : state.hasVanished) return messageOf(410, response)
      const isAllowed = path === '/item' ? () => state.revision === revision : undefined
      site.keepPage(response, path, { route: path, link: undefined, isAllowed })
      const shown = path === '/item' ? revision : undefined
      return messageOf(200, response, { at, settings, version, revision: shown })
    }
    const isOpen = second === undefined ? state.publicFeeds.has(feed as Feed) : link !== undefined
    if (!isOpen) return messageOf(403, response)
    const target = targetOf(`${second === undefined ? 'public' : 'members'} ${feed}`)
    site.keepFeed(response, { target, isDownload: false, link, route: path })
    return messageOf(200, response, { at, settings, version, revision: undefined })
  }

  return {
    respond,
    change(feed: Feed) {
      for (const profile of ['public', 'members']) {
        changed(targetOf(`${profile} ${feed}`), { isEvicted: false })
      }
      anyChanged()
    },
    resume: site.resume,
    linksChanged: () => linksChanged(),
    anyChanged: () => anyChanged(),
  }
}

type State = {
  settings: number
  readonly versions: Map<string, number>
  revision: number
  isWithdrawn: boolean
  hasVanished: boolean
  rendered: number
  readonly publicFeeds: Set<Feed>
  readonly links: Map<string, LinkEntry>
}

const entryOf = (id: string, editedAt: number): LinkEntry => ({
  link: { id, editedAt } as LinkEntry['link'],
  servesUntil: Infinity,
  noteUse: () => undefined,
  fetches: async () => [],
})

function startWorld() {
  const clock = createFakeClock('2026-03-05T15:00:00Z', turn)
  const times = timesOf(clock)
  const cache = createResponseCache(times)
  const state: State = {
    settings: 0,
    versions: new Map(),
    revision: 0,
    isWithdrawn: false,
    hasVanished: false,
    rendered: 0,
    publicFeeds: new Set(feeds),
    links: new Map(linkIds.map((id) => [id, entryOf(id, 0)])),
  }
  /** Purges, requests and responses that have been sent, but not received. */
  const purges: (() => void)[] = []
  const requests: { readonly reach: () => void; readonly fail: () => void }[] = []
  const responses: (() => void)[] = []
  /** The state that was reported to the front. */
  let known = { settings: 0, revision: 0, links: new Map(state.links) }
  const faults: unknown[] = []
  const pending: Promise<void>[] = []
  /** The latest rendering at which each URL was rejected. */
  const refusedAt = new Map<string, number>()
  let process = 0
  let isRunning = true
  let isHanging = false

  const frontOf = (own: number): SitePurges => ({
    expire: (site, names, ms) => {
      if (own === process)
        purges.push(() => void cached.refetch(cache.expire(site, names, ms), origin))
    },
    remove: (site, tags) => {
      if (own === process) purges.push(() => cache.remove(site, tags))
    },
    restart: (...values) => {
      if (own === process) purges.push(() => cache.restart(...values))
    },
  })

  let worker = createWorker(clock, frontOf(0), state)
  const parts = { cache, times, clock, limits }
  function get(_client: string, path: string): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    requests.push({
      reach() {
        const message = worker.respond(path)
        const { rendered } = state
        responses.push(() => {
          if (message.statusCode !== 200) refusedAt.set(path, rendered)
          resolve(message)
        })
      },
      fail: () => reject(new Error('ECONNRESET')),
    })
    return promise
  }

  const cached = createCachedFetch({
    ...parts,
    connection: () => (isRunning ? { get } : undefined),
  })

  function receivePurges(): void {
    for (const purge of purges.splice(0)) purge()
    // While no worker is running, changes made by other replicas stay unknown.
    if (isRunning) known = { ...state, links: new Map(state.links) }
  }

  function isAllowed({ at, settings, revision }: Body, { key, fields }: CachedUrl): boolean {
    const isLinkAllowed = fields.tags.every((tag) => {
      const [, id = '', editedAt] = /^link:(\w+)@(\d+)-/.exec(tag) ?? []
      const open = known.links.get(id)
      return id === '' || (open && Number(editedAt) >= (open.link.editedAt ?? 0))
    })
    const isItemAllowed = revision === undefined || revision >= known.revision
    const isRefused = at <= (refusedAt.get(key) ?? -1)
    return settings >= known.settings && isLinkAllowed && isItemAllowed && !isRefused
  }

  /** Starts the worker, or replaces its site. The front keeps older responses with the same settings. */
  function start(): void {
    worker = createWorker(clock, frontOf(process), state)
    worker.resume()
  }

  async function request(url: string): Promise<void> {
    const answer = await cached.answer({
      asked: { key: url, host: 'a', path: url, origin },
      client: '192.0.2.1',
      accept: 'gzip',
      rawHeaders: [],
      isShared: true,
    })
    if (answer.kind === 'cached') {
      const body = JSON.parse(answer.response.body.toString()) as Body
      if (!isAllowed(body, answer.url)) faults.push({ removed: body, url })
    } else if (answer.kind === 'failed' && cache.ifError({ asked: { key: url }, accept: 'gzip' })) {
      faults.push({ unavailable: url })
    }
  }

  const actions: { readonly [K in Step['kind']]: (step: Extract<Step, { kind: K }>) => unknown } = {
    request: ({ url }) => void pending.push(request(url)),
    change({ feed }) {
      state.versions.set(feed, (state.versions.get(feed) ?? 0) + 1)
      worker.change(feed)
    },
    edit({ link }) {
      if (!state.links.has(link)) return
      state.links.set(link, entryOf(link, clock.now()))
      worker.linksChanged()
    },
    revoke({ link }) {
      state.links.delete(link)
      worker.linksChanged()
    },
    withdraw() {
      state.revision += 1
      state.isWithdrawn = !state.isWithdrawn
      worker.anyChanged()
    },
    vanish: () => (state.hasVanished = !state.hasVanished),
    narrow() {
      state.settings += 1
      state.publicFeeds.delete('news')
      if (isRunning) start()
    },
    crash() {
      isRunning = false
      isHanging = false
      process += 1
      purges.length = 0
      for (const { fail } of requests.splice(0)) fail()
      cache.expireOrigin(origin)
    },
    restart() {
      if (isRunning) return
      isRunning = true
      // The process has started its site before the front sends requests to it.
      start()
      receivePurges()
    },
    replace({ change }) {
      for (const step of [{ kind: 'crash' }, change, { kind: 'restart' }] as const) take(step)
    },
    hang: () => (isHanging = isRunning),
    work: () => (isHanging = false),
    reach() {
      if (!isHanging) for (const { reach } of requests.splice(0)) reach()
    },
    purges: receivePurges,
    responses() {
      for (const respond of responses.splice(0)) respond()
    },
    wait: ({ ms }) => clock.advance(ms),
  }

  const take = (step: Step): unknown => actions[step.kind](step as never)

  return {
    async run(step: Step): Promise<void> {
      await take(step)
      await turn()
    },
    /** Resolves to the errors once all requests have been answered. */
    async end(): Promise<readonly unknown[]> {
      for (let time = 0; time < 4; time += 1) await clock.advance(10_000)
      await Promise.all(pending)
      return faults
    },
    cache,
    state,
  }
}

function messageOf(statusCode: number, response: ServerResponse, body?: Body): IncomingMessage {
  const text = JSON.stringify(body ?? null)
  const etag = Buffer.from(text).toString('base64url')
  return workerResponse(statusCode, { body: text, etag }, response.getHeaders())
}

test(
  'never sends removed responses, and always sends allowed ones',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const world = startWorld()
        for (const step of sequence) await world.run(step)
        expect(await world.end()).toEqual([])
      }),
      { numRuns: 10_000 },
    )
  },
)

test('sends the latest version once the worker responds', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const world = startWorld()
      for (const step of sequence) await world.run(step)
      for (const kind of ['work', 'restart'] as const) await world.run({ kind })
      for (let time = 0; time < 4; time += 1) {
        for (const kind of ['purges', 'reach', 'responses'] as const) await world.run({ kind })
      }
      await world.run({ kind: 'wait', ms: 60_000 })
      await world.run({ kind: 'request', url: '/events' })
      for (const kind of ['reach', 'responses'] as const) await world.run({ kind })
      const kept = world.cache.peek('/events')?.representation.responses.get('gzip')
      const body = JSON.parse(kept?.body.toString() ?? 'null') as Body
      expect(body.version).toBe(world.state.versions.get('events') ?? 0)
      expect(await world.end()).toEqual([])
    }),
    { numRuns: 1_000 },
  )
})

/** Lets all microtasks run. */
async function turn(): Promise<void> {
  for (let count = 0; count < 40; count += 1) await Promise.resolve()
}
