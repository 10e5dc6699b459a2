import { expect, test } from 'vitest'
import { duplicatesText, storedDuplicatesSchema } from '../../src/feeds/shared-duplicates.ts'

const group = [{ resource: 'events', id: 1, changedAt: 5, state: 'listed' }]

test('reads what it has stored', () => {
  const history = storedDuplicatesSchema.parse({
    occasions: [group],
    listed: ['events'],
    changedAt: { events: 5 },
  })
  expect(
    storedDuplicatesSchema.parse(JSON.parse(duplicatesText(history.history, { events: 5 }))),
  ).toEqual(history)
})

test('drops groups that a newer version has stored', () => {
  const newer = [{ resource: 'podcasts', id: 1, changedAt: 5, state: 'draft' }]
  const stored = { occasions: [newer, group, []], listed: [], changedAt: {} }
  expect(storedDuplicatesSchema.parse(stored).history.groups).toEqual([group])
})
