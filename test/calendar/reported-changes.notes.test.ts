import { expect, test } from 'vitest'
import { applyReading, type CollectionCopy } from '../../src/collections/copy/collection-copy.ts'
import { dayMs, eventOn, now, rendererOf, sequenceOf, sourceAfter } from './rendered-calendar.ts'

const drill = eventOn('2026-03-10', 1, {
  title: 'Drill',
  text: 'Bring gloves.',
  location: 'Station 1',
})
const dinner = eventOn('2026-03-12', 2)
const moved = { ...drill, startDate: '2026-03-11' }

const readings = [
  [drill, dinner],
  [moved, dinner],
] as const
const query = 'changes=note'
const note = 'Moved: Drill, now Wed, Mar 11 (was Tue, Mar 10).'

const descriptionsIn = ({ events }: ReturnType<ReturnType<typeof rendererOf>>) =>
  events.map(({ description }) => description)

test('starts the description of a changed entry with the change', async () => {
  const made = rendererOf()(await sourceAfter(...readings), { query })
  expect(descriptionsIn(made)).toEqual([`${note}\n\nBring gloves.`, ''])
})

test('changes nothing without the option', async () => {
  const source = await sourceAfter(...readings)
  const { text } = rendererOf()(source)
  expect(text).not.toContain('Moved')
  expect(rendererOf()(source, { query: 'changes=none' }).text).toBe(text)
  const unchanged = await sourceAfter([drill, dinner])
  expect(rendererOf()(unchanged, { query }).text).toBe(rendererOf()(unchanged).text)
})

test('removes the note after three days, with a new revision that never decreases', async () => {
  const source = await sourceAfter(...readings)
  const render = rendererOf()
  const { text: first, validUntil } = render(source, { query })
  expect(validUntil).toBe(now + 3 * dayMs)
  expect(render(source, { query, now: validUntil - 1 }).text).toBe(first)
  const later = render(source, { query, now: validUntil })
  expect(descriptionsIn(later)).toEqual(['Bring gloves.', ''])
  expect(later.validFrom).toBe(validUntil)
  expect(sequenceOf(later.text)).toBe(sequenceOf(first) + (3 * dayMs) / 1000)
  const muchLater = render(
    await sourceAfter(...readings, ...Array.from({ length: 3 }, () => readings[1])),
    { query, now: now + 200 * dayMs },
  )
  expect(sequenceOf(muchLater.text)).toBeGreaterThan(sequenceOf(first))
})

test('never decreases a revision while an entry is edited and its notes come and go', async () => {
  const edits: readonly (readonly [number, object])[] = [
    [0, drill],
    [1, moved],
    [2.5, { ...moved, text: 'Boots' }],
    [6, { ...moved, location: 'Station 2' }],
    [6.2, { ...moved, location: 'Station 3', text: 'Both' }],
    [12, { ...moved, location: 'Station 3', text: 'Neither' }],
    [120, { ...moved, location: 'Station 3' }],
  ]
  const render = rendererOf()
  const sequences: number[] = []
  let kept: CollectionCopy<'calendar'> | undefined
  for (const [index, [day, item]] of edits.entries()) {
    const [next = day + 20] = edits[index + 1] ?? []
    const reading = { items: async () => [item, dinner], calls: 1, days: undefined }
    for (let time = day; time < next; time += 0.5) {
      const at = now + time * dayMs
      kept = (await applyReading('calendar', kept, reading, at)).kept
      sequences.push(sequenceOf(render(kept.collection, { query, now: at }).text))
    }
  }
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
  // The first version, six edits, and five times the end of three days after a note or an edit.
  expect(new Set(sequences).size).toBe(12)
})

test('shows the note of an entry that is back on, but none for new and canceled entries', async () => {
  const back = await sourceAfter([drill, dinner], [dinner], [drill, dinner])
  const { events } = rendererOf()(back, { query })
  expect(events[0]?.description).toMatch(/^Back on: Drill, Tue, Mar 10, Station 1\.\n\n/)
  const gone = await sourceAfter([drill, dinner], [moved, dinner], [dinner])
  const { text } = rendererOf()(gone, { query: 'changes=note&cancelled=mark' })
  expect(text).toContain('SUMMARY:Canceled: Drill')
  expect(text).not.toContain('Moved')
  const added = await sourceAfter([dinner], [dinner, { ...drill, created: '2026-03-05 08:00:00' }])
  expect(rendererOf()(added, { query }).text).not.toContain('New:')
})
