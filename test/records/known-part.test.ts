import { describe, expect, test } from 'vitest'
import { knownPart, sizeOf } from '../../src/records/known-part.ts'
import { readRecords } from '../../src/records/read-records.ts'
import { feedResources } from '../../src/records/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { itemsOf } from '../support/feed-text.ts'

const sample = sampleDatasetOn('2026-03-05')

test.for(feedResources)(
  'reads the same records from %s with or without unknown properties',
  (resource) => {
    const items = itemsOf(sample, resource)
    const parts = items.map((item) => knownPart(resource, item))
    expect(items.length).toBeGreaterThan(0)
    expect(readRecords(resource, parts)).toEqual(readRecords(resource, items))
  },
)

test('drops unknown properties at every depth', () => {
  const item = {
    id: 1,
    headline: 'Parade',
    ballast: [{}, {}],
    images: [{ id: 2, url: '/a.jpg', ballast: {} }],
    text: { ballast: 1 },
  }
  expect(knownPart('news', item)).toEqual({
    id: 1,
    headline: 'Parade',
    images: [{ id: 2, url: '/a.jpg' }],
  })
})

test('keeps the details of a sign-up sheet', () => {
  const details = {
    sheet: { contact: 'Pat', ballast: 1 },
    groups: [
      { id: 1, name: 'Grill', slots: [{ id: 2, signedUp: [{ name: 'Robin', x: 1 }] }], x: 1 },
    ],
  }
  expect(knownPart('signup', { id: 1, details })).toEqual({
    id: 1,
    details: {
      sheet: { contact: 'Pat' },
      groups: [{ id: 1, name: 'Grill', slots: [{ id: 2, signedUp: [{ name: 'Robin' }] }] }],
    },
  })
})

test('reads names in any case, at every depth, and prefers the documented one', () => {
  const item = { ID: 1, Headline: 'Parade', IMAGES: [{ Id: 2, URL: '/a.jpg' }], HEADLINE: 'x' }
  const known = { id: 1, headline: 'x', images: [{ id: 2, url: '/a.jpg' }] }
  expect(knownPart('news', item)).toEqual(known)
  const both = { ID: 9, id: 1, headline: 'Parade', HEADLINE: 'x', ['__proto__']: { id: 3 } }
  expect(knownPart('news', both)).toEqual({ id: 1, headline: 'Parade' })
})

describe('an item that is not a record', () => {
  test.for([[null], [[1, 2]], [[{ id: 1 }]]])('is replaced with null: %j', ([item]) => {
    expect(knownPart('news', item)).toBeNull()
  })
})

test('measures the records, the objects nested in them and their text', () => {
  const items = [{ id: 1, title: 'Übung', images: [{ id: 2 }, { id: 3 }], links: ['x', []] }, 'yz']
  expect(sizeOf(items)).toEqual({ things: 6, textBytes: 9 })
})

test('measures lists that are nested very deeply', () => {
  const text = `${'['.repeat(100_000)}"x"${']'.repeat(100_000)}`
  expect(sizeOf(JSON.parse(text))).toEqual({ things: 1, textBytes: 1 })
})
