import { describe, expect, test } from 'vitest'
import {
  changeIn,
  linkListPage,
  linksIn,
  readListView,
  viewQuery,
} from '../../../src/features/admin/link-list.ts'
import type { ListedLink } from '../../../src/links/stored-links.ts'

const link: ListedLink = {
  id: 'aaaaaaaa',
  keyHash: '',
  label: 'Hall screen',
  feedIds: undefined,
  profile: 'members',
  createdAt: 1,
  expiresAt: undefined,
  revokedAt: undefined,
  lastUse: undefined,
}

const lastUse = { at: 5, client: 'Apple' } as const
const links: readonly ListedLink[] = [
  link,
  { ...link, id: 'b', label: 'José 10', createdAt: 3, expiresAt: 900, memberId: 42 },
  { ...link, id: 'c', label: 'jose 9', createdAt: 2, profile: 'full', feedIds: ['rental'] },
  { ...link, id: 'd', label: 'Ána', createdAt: 2, expiresAt: 800, lastUse },
]

/** The scope of a link in German. */
const scopeOf = ({ feedIds }: ListedLink) => (feedIds ? ['Vermietung'] : ['Alle Inhalte'])

const idsIn = (query: string) =>
  linksIn(links, readListView(new URLSearchParams(query)), scopeOf).map(({ id }) => id)

test.for([
  ['q=JOSE', ['b', 'c']],
  ['q=jose+rental', ['c']],
  ['q=alle+inhalte+hall', ['aaaaaaaa']],
  ['q=vermietung', ['c']],
  ['q=42', ['b']],
  ['q=aaaa', ['aaaaaaaa']],
  ['q=nobody', []],
  ['', ['b', 'c', 'd', 'aaaaaaaa']],
  ['sort=name', ['d', 'aaaaaaaa', 'c', 'b']],
  ['sort=used', ['d', 'b', 'c', 'aaaaaaaa']],
  ['sort=expires', ['d', 'b', 'c', 'aaaaaaaa']],
  ['sort=constructor', ['b', 'c', 'd', 'aaaaaaaa']],
] as const)('lists for "%s" the links %j', ([query, ids]) => {
  expect(idsIn(query)).toEqual(ids)
})

test.for(['newest', 'name', 'used', 'expires'])(
  'sorted by %s, links that are alike are sorted by creation, then by id',
  (sort) => {
    const alike = [
      { ...link, id: 'y' },
      { ...link, id: 'x' },
      { ...link, id: 'z', createdAt: 2 },
    ]
    const view = readListView(new URLSearchParams({ sort }))
    expect(linksIn(alike, view, scopeOf).map(({ id }) => id)).toEqual(['z', 'x', 'y'])
  },
)

describe('a page of the list', () => {
  const many = Array.from({ length: 120 }, (_, index) => {
    return { ...link, id: `n${index}`, label: `Crew ${index}`, createdAt: index }
  })
  const pageOf = (query: string) =>
    linkListPage(
      many,
      readListView(new URLSearchParams(query)),
      scopeOf,
      ({ createdAt }) => createdAt > 9,
    )

  test('has 50 links, and the queries of its neighbors', () => {
    const first = pageOf('sort=name')
    expect(first.links).toHaveLength(50)
    const counts = { matchCount: 120, page: 1, pageCount: 3 }
    expect(first).toMatchObject({ ...counts, nextQuery: '?sort=name&page=2' })
    expect(first.previousQuery).toBeUndefined()
    const neighbors = { previousQuery: '?sort=name', nextQuery: '?sort=name&page=3' }
    expect(pageOf('sort=name&page=2')).toMatchObject(neighbors)
  })

  test('has the ended links last', () => {
    const { links: last, nextQuery } = pageOf('page=3')
    const ended = Array.from({ length: 10 }, (_, index) => `n${9 - index}`)
    expect(last.map(({ id }) => id).slice(-10)).toEqual(ended)
    expect([last.length, nextQuery]).toEqual([20, undefined])
  })

  test('is the last one if the URL names a later one', () => {
    expect(pageOf('page=99').page).toBe(3)
    expect(pageOf('q=crew+1&page=2')).toMatchObject({ page: 1, pageCount: 1, matchCount: 39 })
    for (const page of ['0', '-1', 'x', '1e9', '']) expect(pageOf(`page=${page}`).page).toBe(1)
  })
})

test('repeats only the values that differ from the defaults', () => {
  const view = readListView(new URLSearchParams({ q: ' a&b ', sort: 'newest' }))
  expect(viewQuery(view)).toBe('?q=a%26b')
  expect(viewQuery(readListView(new URLSearchParams({ sort: 'x' })))).toBe('')
  expect(readListView(new URLSearchParams({ q: 'x'.repeat(200) })).q).toHaveLength(100)
})

test.for([
  ['done=revoked', 'revoked'],
  ['done=toString', undefined],
  ['done=<b>', undefined],
  ['', undefined],
] as const)('confirms only known changes: %s', ([query, change]) => {
  expect(changeIn(new URLSearchParams(query))).toBe(change)
})
