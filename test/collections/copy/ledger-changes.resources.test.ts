import { describe, expect, test } from 'vitest'
import type { FeedResource } from '../../../src/records/resources.ts'
import { after, drill, halfHourly } from '../../support/ledger-changes.ts'

function sheet(taken: number, number = 5) {
  const signedUp = Array.from({ length: taken }, () => ({ name: 'Sam Hill', note: '' }))
  const groups = [
    { id: 1, name: 'Kitchen', slots: [{ id: 1, number, position: 'Cook', signedUp }] },
  ]
  const details = { sheet: { contact: 'Robin Vale' }, groups }
  const about = { title: 'Pancake crew', status: 2, date: '2026-03-14', eventDate: '' }
  return { id: 1, ...about, details }
}

/** Returns the changes of a record that is read like this, half an hour apart. */
const changesTo = async (resource: FeedResource, items: readonly object[]) => {
  const { collection } = await after(resource, halfHourly(...items.map((item) => [item])))
  return collection.ledger.get(1)?.changes
}

const openIn = async (sheets: readonly object[]) => {
  const changes = await changesTo('signup', sheets)
  return changes?.map(({ before, after: now }) => [before?.open, now?.open])
}

describe('a sign-up sheet', () => {
  test('is reported when few places are left, when it is full, and when places open again', async () => {
    const taken = [0, 1, 2, 3, 4, 5, 3, 2].map((count) => sheet(count))
    expect(await openIn(taken)).toEqual([
      [3, 2],
      [2, 1],
      [1, 0],
      [0, 2],
    ])
  })

  test('is not reported when its details are read, or when its places are unlimited', async () => {
    expect(await openIn([{ ...sheet(5), details: undefined }, sheet(5)])).toBeUndefined()
    expect(await openIn([sheet(3, 0), sheet(5, 0)])).toBeUndefined()
  })

  test('never stores names', async () => {
    const sheets = [sheet(4), sheet(5), { ...sheet(5), status: 1 }]
    const changes = JSON.stringify(await changesTo('signup', sheets))
    expect(changes).toContain('Pancake crew')
    expect(changes).not.toMatch(/Sam|Robin/)
  })
})

test('a rental has its type as title, and never a renter', async () => {
  const booking = { ...drill, type: 'Hall', typeId: 1, renter: 'Robin Vale', renterPhone: '555' }
  const other = { ...booking, id: 2 }
  const readings = halfHourly(
    [booking, other],
    [{ ...booking, renter: 'Sam Hill' }, other],
    [other],
  )
  const [first, ...rest] = (await after('rental', readings)).collection.ledger.get(1)?.changes ?? []
  expect(rest).toEqual([])
  expect(first?.before).toEqual({
    title: 'Hall',
    part: 1,
    startDate: '2026-03-03',
    startTime: '19:00:00',
  })
})

test('news stories and announcements have no changes, since they are items themselves', async () => {
  const story = { id: 1, headline: 'Fire', date: '2026-03-01 10:00:00', deployed: 1 }
  const stories = [story, { ...story, headline: 'Barn fire' }, { ...story, deployed: 0 }]
  const { collection } = await after('news', halfHourly(...stories.map((item) => [item])))
  expect(collection.ledger.get(1)).toMatchObject({ revision: 2 })
  expect(collection.ledger.get(1)).not.toHaveProperty('changes')
})
