import { expect, test } from 'vitest'
import { distinctNames, namedParts, partNamesAfter, partOf } from '../../src/records/part.ts'
import { readRecords } from '../../src/records/read-records.ts'

const document = { id: 1, title: 'A', status: 2, public: 1, categoryId: 3, category: 'Forms' }
const documents = (...items: readonly object[]) =>
  readRecords(
    'documents',
    items.map((item, index) => ({ ...document, id: index + 1, ...item })),
  ).records

test.for([
  [{}, { id: 3, name: 'Forms' }],
  [{ category: '<b>Old</b> forms' }, { id: 3, name: 'Old forms' }],
  [{ category: '' }, { id: 3, name: '' }],
  [{ categoryId: 0 }, undefined],
  [{ categoryId: '' }, undefined],
] as const)('reads the part of a record with %j', ([change, part]) => {
  const [record] = documents(change)
  expect(record && partOf('documents', record)).toEqual(part)
})

test('remembers the names of parts, and their latest names', () => {
  const before = partNamesAfter('documents', undefined, documents({}, { categoryId: 4 }))
  expect(before).toEqual({ 3: 'Forms', 4: 'Forms' })
  expect(partNamesAfter('documents', before, documents({ category: 'Papers' }))).toEqual({
    3: 'Papers',
    4: 'Forms',
  })
  expect(partNamesAfter('documents', before, [])).toEqual(before)
  expect(partNamesAfter('events', undefined, [])).toBeUndefined()
})

test.for([{ status: 1 }, { status: 0 }, { public: 0 }, { category: '' }])(
  'does not remember the part of a document with %j',
  (change) => {
    expect(partNamesAfter('documents', undefined, documents(change))).toEqual({})
  },
)

test('remembers a limited number of names, and forgets those without records first', () => {
  const many = Array.from({ length: 150 }, (_, index) => ({ categoryId: index + 1 }))
  const before = partNamesAfter('documents', undefined, documents(...many))
  expect(Object.keys(before ?? {})).toHaveLength(100)
  const after = partNamesAfter('documents', before, documents({ categoryId: 999 })) ?? {}
  expect(Object.keys(after)).toHaveLength(100)
  expect(after[999]).toBe('Forms')
})

test('distinguishes parts with the same name, even if only one has records', () => {
  const current = [
    { id: 2, name: 'Training' },
    { id: 5, name: '' },
    { id: 4, name: 'Company' },
  ]
  const parts = namedParts(current, { 1: 'Training', 4: 'Old name' })
  expect(parts.map(({ id }) => id)).toEqual([4, 1, 2])
  expect(distinctNames(parts, [2, 4, 5])).toEqual(['Company', 'Training (2)'])
})
