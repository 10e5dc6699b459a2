import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changedFiles, filesIn, startExporting } from '../support/export.ts'
import { fewOn, lastRecordsOn } from '../support/few-records.ts'
import { waitFor } from '../support/wait-for.ts'

const minuteMs = 60_000

/** Options for tests that do not depend on the number of records. */
const sandbox = { datasetOn: lastRecordsOn(3) }

type Site = Awaited<ReturnType<typeof startExporting>>

const exportCount = ({ lines }: Site) =>
  lines.filter((line) => line.includes('"msg":"exported"')).length

/** Advances the clock until `count` exports have finished. */
async function exports(site: Site, count: number): Promise<void> {
  await waitFor(async () => {
    await site.clock.advance(1000)
    expect(exportCount(site)).toBeGreaterThanOrEqual(count)
  })
}

describe('--watch', { timeout: 60_000 }, () => {
  test('exports changes when the website or the date changes', async () => {
    const dataset = { now: lastRecordsOn(3)('2026-03-05') }
    // The details of sign-up sheets arrive one at a time, and each arrival triggers an export.
    const site = await startExporting({
      sandbox: { datasetOn: () => dataset.now },
      publicFeedIds: ['events', 'news'],
    })
    site.watch()
    await exports(site, 1)
    const before = filesIn(site.directory)
    const [event, ...events] = dataset.now.events
    if (!event) throw new Error('there are no events')
    dataset.now = { ...dataset.now, events: [{ ...event, title: 'Pancakes' }, ...events] }
    await site.clock.leap(5 * minuteMs)
    // On a busy machine, an export may run before the events have been read.
    const changed = await waitFor(async () => {
      await exports(site, exportCount(site) + 1)
      const files = changedFiles(before, filesIn(site.directory))
      expect(files).toContain(`events/${event.id}.html`)
      return files
    })
    expect(readFileSync(join(site.directory, 'events.ics'), 'latin1')).toContain('Pancakes')
    expect(changed.filter((file) => /^(?:news|assets)/.test(file))).toEqual([])

    const board = readFileSync(join(site.directory, 'board.html'), 'utf8')
    const exported = filesIn(site.directory)
    await site.clock.leap(14 * 60 * minuteMs)
    await exports(site, exportCount(site) + 1)
    expect(readFileSync(join(site.directory, 'board.html'), 'utf8')).not.toBe(board)
    expect(changedFiles(exported, filesIn(site.directory))).not.toContain(`events/${event.id}.html`)
  })

  test('exports a change that is read during an export', async () => {
    const dataset = { now: fewOn('2026-03-05') }
    const site = await startExporting({
      sandbox: { datasetOn: () => dataset.now },
      publicFeedIds: ['events', 'news'],
    })
    const file = join(site.directory, 'events.ics')
    site.watch()
    // The export goes on for a moment.
    await waitFor(async () => {
      await site.clock.advance(1000)
      expect(existsSync(file)).toBe(true)
    }, 1)
    const events = dataset.now.events.map((event) => ({ ...event, title: 'Pancakes' }))
    dataset.now = { ...dataset.now, events }
    await site.clock.leap(5 * minuteMs)
    await waitFor(async () => {
      await site.clock.advance(1000)
      expect(readFileSync(file, 'latin1')).toContain('Pancakes')
    })
  })

  test('updates the last read time on the board even if nothing else changes', async () => {
    const site = await startExporting({ sandbox, publicFeedIds: ['events'] })
    const readAt = () => {
      const text = readFileSync(join(site.directory, 'board/screen.json'), 'utf8')
      return (JSON.parse(text) as { readonly readAt: number }).readAt
    }
    const feed = () => filesIn(site.directory).get('events.ics')
    site.watch()
    await exports(site, 1)
    const [first, feedBefore] = [readAt(), feed()]
    await waitFor(async () => {
      await site.clock.advance(5_000)
      expect(readAt()).toBeGreaterThan(first)
    })
    // The website is read every five minutes, and the board is written every minute.
    expect(site.clock.now()).toBeLessThan(first + 9 * minuteMs)
    expect(feed()).toEqual(feedBefore)
    const last = readAt()
    await site.sandbox[Symbol.asyncDispose]()
    const down = site.clock.now()
    await waitFor(async () => {
      await site.clock.advance(60_000)
      expect(site.clock.now()).toBeGreaterThan(down + 20 * minuteMs)
    })
    expect(readAt()).toBeLessThan(down + minuteMs)
    expect(readAt()).toBeGreaterThanOrEqual(last)
  })

  test('waits for a website that is down, and retries after write errors', async () => {
    const site = await startExporting({ sandbox: { apiEnabled: false }, publicFeedIds: ['events'] })
    site.watch()
    const failures = () => site.lines.filter((line) => line.includes('the export failed')).length
    await waitFor(async () => {
      await site.clock.advance(15_000)
      expect(failures()).toBeGreaterThan(0)
    })
    expect(existsSync(join(site.directory, 'index.html'))).toBe(false)

    const other = await startExporting({ sandbox, publicFeedIds: ['events'] })
    const obstacle = join(other.directory, 'events.ics')
    mkdirSync(obstacle, { recursive: true })
    other.watch()
    await waitFor(async () => {
      await other.clock.advance(1000)
      expect(other.lines.join('')).toContain('has files that Feedhouse did not write')
    })
    rmSync(obstacle, { recursive: true })
    await exports(other, 1)
    expect(readFileSync(obstacle, 'utf8')).toMatch(/^BEGIN:VCALENDAR/)
  })
})
