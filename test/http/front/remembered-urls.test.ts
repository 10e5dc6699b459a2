import { expect, test } from 'vitest'
import { createRememberedUrls } from '../../../src/http/front/remembered-urls.ts'

const addressOf = (site: string, key = 'a') => ({
  site,
  key,
  isDownload: false,
  link: undefined,
  editedAt: undefined,
  route: '/a',
  countsAsUse: true,
})

test('many URLs of one site do not displace those of others', () => {
  const { remember, find } = createRememberedUrls(10)
  for (const path of ['/1', '/2', '/3']) remember(`ashton ${path}`, addressOf('ashton'))
  for (let index = 0; index < 100; index += 1) {
    remember(`milbrook /?junk=${index}`, addressOf('milbrook'))
  }
  expect(['/1', '/2', '/3'].map((path) => find(`ashton ${path}`)?.site)).toEqual([
    'ashton',
    'ashton',
    'ashton',
  ])
  const kept = Array.from({ length: 100 }, (_, index) => find(`milbrook /?junk=${index}`))
  expect(kept.filter(Boolean)).toHaveLength(7)
})

test('forgets the URL that was used the longest time ago', () => {
  const { remember, find } = createRememberedUrls(2)
  remember('/1', addressOf('ashton'))
  remember('/2', addressOf('ashton'))
  expect(find('/1')).toBeDefined()
  remember('/3', addressOf('ashton'))
  expect(['/1', '/2', '/3'].map((url) => find(url) !== undefined)).toEqual([true, false, true])
})

test('replaces what a URL stands for', () => {
  const { remember, find, keys } = createRememberedUrls(2)
  remember('/1', addressOf('ashton', 'a'))
  remember('/1', addressOf('milbrook', 'b'))
  remember('/2', addressOf('milbrook', 'c'))
  expect(find('/1')).toEqual(addressOf('milbrook', 'b'))
  expect(keys()).toEqual(new Set(['b', 'c']))
})

test('does not remember long URLs', () => {
  const { remember, find } = createRememberedUrls()
  const url = `/?${'a'.repeat(500)}`
  remember(url, addressOf('ashton'))
  expect(find(url)).toBeUndefined()
})
