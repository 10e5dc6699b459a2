import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { hourMs, minuteMs } from '../../src/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import { hashWithCode, pageCode } from '../../src/representations/presentation-changed-at.ts'
import { filesIn, startExporting } from '../support/export.ts'
import { lastRecordsOn } from '../support/few-records.ts'
import { startedOnce } from '../support/started-once.ts'

vi.setConfig({ testTimeout: 60_000 })

const freshMs = 5 * minuteMs

/** Exports a site that the tests share, since each finds the same as the export of the one before it. */
const shared = startedOnce(async () => {
  await using starting = new AsyncDisposableStack()
  const dataset = { now: lastRecordsOn(2)('2026-03-05') }
  const site = await startExporting({
    sandbox: { datasetOn: () => dataset.now },
    publicFeedIds: ['events', 'news'],
    onEnd: (end) => starting.defer(end),
  })
  let isPrecompressed = false
  let changes: Parameters<typeof site.once>[1] = {}
  const exported = {
    ...site,
    dataset,
    /** Exports again, with the settings of the last export and these changes. */
    once: (more: typeof changes = {}, isCompressed = isPrecompressed) => {
      changes = { ...changes, ...more }
      isPrecompressed = isCompressed
      return site.once(isPrecompressed, changes)
    },
  }
  await exported.once()
  const running = starting.move()
  return { ...exported, [Symbol.asyncDispose]: () => running.disposeAsync() }
})

/** Marks a page of the site in a way that only an export that renders it notices. */
async function startMarked() {
  const site = await shared()
  const path = join(site.directory, 'agenda.html')
  const text = readFileSync(path, 'utf8')
  const { atimeMs, mtimeMs } = statSync(path)
  writeFileSync(path, 'x'.repeat(Buffer.byteLength(text)))
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
  const isRendered = () => readFileSync(path, 'utf8').includes('<!doctype html>')
  return { ...site, isRendered }
}

test('renders nothing but the board if nothing has changed', async () => {
  const { once, isRendered, clock, directory } = await startMarked()
  const board = () => readFileSync(join(directory, 'board/screen.json'), 'utf8')
  const files = [...filesIn(directory).keys()].filter((file) => !file.startsWith('.feedhouse/'))
  const before = board()
  await clock.leap(freshMs)
  const { counts } = await once()
  expect(counts.written + counts.unchanged).toBe(files.length)
  expect(counts).toMatchObject({ removed: 0 })
  expect(isRendered()).toBe(false)
  // The board shows when the website was last read.
  expect(board()).not.toBe(before)
})

type Marked = Awaited<ReturnType<typeof startMarked>>

const reasons: readonly { name: string; change: (site: Marked) => unknown }[] = [
  {
    name: 'a changed record',
    async change({ dataset, clock, once }) {
      const [event, ...events] = dataset.now.events
      if (!event) throw new Error('there are no events')
      dataset.now = { ...dataset.now, events: [{ ...event, title: 'Pancakes' }, ...events] }
      await clock.leap(freshMs)
      await once()
    },
  },
  {
    name: 'a changed setting',
    change: ({ once, site }) => once({ site: { ...site, name: 'Ashton Fire' } }),
  },
  {
    name: 'another language',
    change: ({ once }) => once({ config: readConfig({ EXPORT_LANGUAGES: 'es' }) }),
  },
  {
    name: 'another picture',
    change: ({ once }) => once({ config: readConfig({ EXPORT_PICTURES: '200x100-2.png' }) }),
  },
  {
    name: 'another public URL',
    change: ({ once }) => once({ publicUrl: 'https://x.example' }),
  },
  { name: 'another public feed', change: ({ once }) => once({ publicFeedIds: ['events'] }) },
  { name: 'compressed copies', change: ({ once }) => once({}, true) },
  {
    name: 'the next day',
    async change({ clock, once }) {
      // The clock starts at 10 AM.
      await clock.leap(14 * hourMs + minuteMs)
      await once()
    },
  },
  {
    name: 'an hour',
    async change({ clock, once }) {
      await clock.leap(hourMs)
      await once()
    },
  },
  {
    name: 'another version of Feedhouse',
    async change({ directory, once }) {
      const path = join(directory, '.feedhouse/rendered.json')
      const state = JSON.parse(readFileSync(path, 'utf8'))
      writeFileSync(path, JSON.stringify({ ...state, inputs: hashWithCode('other', ['LICENSE']) }))
      await once()
    },
  },
  {
    name: 'a damaged state file',
    async change({ directory, once }) {
      writeFileSync(join(directory, '.feedhouse/rendered.json'), '{"inputs":')
      await once()
    },
  },
  {
    name: 'a deleted file',
    async change({ directory, once }) {
      rmSync(join(directory, 'events.ics'))
      await once()
    },
  },
  {
    name: 'an edited file',
    async change({ directory, once }) {
      writeFileSync(join(directory, 'index.html'), 'mine')
      await once()
    },
  },
]

test.for(reasons)('renders everything again after $name', async ({ change }) => {
  const marked = await startMarked()
  await marked.once()
  expect(marked.isRendered()).toBe(false)
  await change(marked)
  expect(marked.isRendered()).toBe(true)
})

test('the hash of the code depends on sources, templates and packages', () => {
  expect(pageCode).toEqual(expect.arrayContaining(['src', 'templates', 'package-lock.json']))
  const hashes = ['src', 'src/export', 'templates', 'missing'].map((folder) =>
    hashWithCode('same', [folder]),
  )
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(hashWithCode('same', ['LICENSE'])).not.toBe(hashWithCode('same', ['LICENSE', 'README.md']))
  expect(hashWithCode('same', ['LICENSE'])).not.toBe(hashWithCode('other', ['LICENSE']))
})
