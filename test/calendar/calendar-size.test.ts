import { expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { createCalendarRenderer } from '../../src/calendar/calendar-renderer.ts'
import { calendarRecipe } from '../../src/calendar/record-recipes.ts'
import {
  dayMs,
  eventsFrom,
  idsOf,
  now,
  rendererOf,
  site,
  sourceAfter,
} from './rendered-calendar.ts'

/** The largest calendar that Google accepts. */
const maxBytes = 1_000_000

const withTexts = (count: number, text: string) =>
  eventsFrom('2026-03-06', count).map((event) => ({ ...event, text }))

const words = (length: number) => 'word '.repeat(length / 5).trim()
const { diagnose } = createCalendarRenderer({ ...site, urlOf: () => undefined })

test('leaves descriptions of a calendar that is small enough alone', async () => {
  const source = await sourceAfter(withTexts(85, words(10_000)))
  const { events, text } = rendererOf()(source)
  expect(Buffer.byteLength(text)).toBeGreaterThan(850_000)
  expect(events.every(({ description }) => description === words(10_000))).toBe(true)
  expect(atOnce(diagnose(calendarRecipe, source, now))).toMatchObject({ omitted: 0 })
  expect(atOnce(diagnose(calendarRecipe, source, now)).shortenedTo).toBeUndefined()
})

test.for<[number, number, number]>([
  [100, 10_000, 4_000],
  [300, 10_000, 1_000],
  [1_200, 9_500, 300],
])(
  'shortens descriptions of %i entries with %i characters to %i',
  async ([count, length, most]) => {
    const source = await sourceAfter(withTexts(count, words(length)))
    const { events, body } = rendererOf()(source)
    expect(body.length).toBeLessThan(maxBytes)
    expect(events).toHaveLength(count)
    for (const { description = '' } of events) {
      expect(description).toMatch(/word…$/)
      expect(description.length).toBeLessThanOrEqual(most + 1)
    }
    expect(atOnce(diagnose(calendarRecipe, source, now))).toMatchObject({
      omitted: 0,
      shortenedTo: most,
    })
  },
)

test('then omits the entries farthest from today, with a notice', async () => {
  const titled = eventsFrom('2026-03-06', 1_000).map((event) => ({
    ...event,
    title: `${'é'.repeat(600)} ${event.id}`,
  }))
  const source = await sourceAfter(titled)
  const rendered = rendererOf()(source)
  const { events, body, validUntil } = rendered
  expect(body.length).toBeLessThan(maxBytes)
  const shown = events.length - 1
  expect(shown).toBeGreaterThan(600)
  expect(idsOf(rendered).slice(0, shown)).toEqual(
    titled.slice(0, shown).map(({ id }) => String(id)),
  )
  expect(events.at(-1)?.summary).toBe(`${1_000 - shown} more entries are not shown`)
  expect(validUntil).toBeLessThanOrEqual(now + dayMs)
  expect(atOnce(diagnose(calendarRecipe, source, now))).toMatchObject({ omitted: 1_000 - shown })
})
