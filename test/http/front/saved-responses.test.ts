import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { PublishedResponse } from '../../../src/http/front/prepared-response.ts'
import type { Address } from '../../../src/http/front/protocol.ts'
import { createPublishedResponses } from '../../../src/http/front/published-responses.ts'
import { loadResponses, saveResponses } from '../../../src/http/front/saved-responses.ts'
import { createSentResponses } from '../../../src/http/front/sent-responses.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { temporaryDirectory } from '../../support/service.ts'

const response = (text: string): PublishedResponse => ({
  lastModified: 'Thu, 05 Mar 2026 15:00:00 GMT',
  commonHeaders: ['Cache-Control', 'no-cache'],
  contentHeaders: [],
  downloadHeaders: [],
  failedHeaders: [],
  hasTime: false,
  encodings: {
    identity: { bytes: Buffer.from(text), length: text.length, etag: `"${text}"` },
  },
})

const sent = (text: string) => createSentResponses().remember(text, response(text))

const address = (key: string, link?: string): Address => ({
  site: '',
  key,
  isDownload: false,
  link,
  editedAt: undefined,
  route: '/:feed',
  countsAsUse: true,
})

const request = {
  kind: 'listen',
  host: '127.0.0.1',
  port: 0,
  proxies: 0,
  isAlone: true,
  logLevel: 'info',
  shares: [],
  settingNames: ['PORT'],
} as const

/** A front with a public feed at two URLs and a private feed. */
function publishedFeeds() {
  const published = createPublishedResponses(createFakeClock())
  published.receive(0, 'news', sent('news'), Infinity)
  published.receive(0, 'crew', sent('crew'), Infinity)
  published.setLinks('', new Map([['aaaabbbb', Infinity]]))
  published.remember('/news.rss', address('news'))
  published.remember('/news.rss?utm=1', address('news'))
  published.remember('/l/key/crew.ics', address('crew', 'aaaabbbb'))
  return published
}

function savedFile() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  return join(directory.path, 'responses')
}

test('restores public responses as outdated ones', async () => {
  const file = savedFile()
  await saveResponses(file, { settings: 'a', request, responses: publishedFeeds().saved() })
  const saved = loadResponses(file, () => 'a')
  expect(saved?.request).toEqual(request)
  const restored = createPublishedResponses(createFakeClock())
  restored.restore(saved?.responses ?? [])
  for (const url of ['/news.rss', '/news.rss?utm=1']) {
    expect(restored.find(url)).toBeUndefined()
    expect(restored.find(url, 'any')?.address).toEqual(address('news'))
  }
  expect(restored.find('/l/key/crew.ics', 'any')).toBeUndefined()
})

test('drops restored responses once their site has started', () => {
  const restored = createPublishedResponses(createFakeClock())
  restored.restore(publishedFeeds().saved())
  expect(restored.saved()).toEqual([])
  restored.setLinks('other', new Map())
  expect(restored.find('/news.rss', 'any')).toBeDefined()
  restored.setLinks('', new Map())
  expect(restored.find('/news.rss', 'any')).toBeUndefined()
})

test('reads a file only once', async () => {
  const file = savedFile()
  await saveResponses(file, { settings: 'a', request, responses: publishedFeeds().saved() })
  expect(loadResponses(file, () => 'a')?.responses).toHaveLength(1)
  expect(loadResponses(file, () => 'a')).toBeUndefined()
})

test('saves nothing about private feeds, for the user only', async () => {
  const file = savedFile()
  await saveResponses(file, { settings: 'a', request, responses: publishedFeeds().saved() })
  expect(readFileSync(file, 'latin1')).not.toMatch(/crew|\/l\//)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(file, '..'))).toEqual(['responses'])
})

test('ignores a file that is missing, damaged, incomplete or from other settings', async () => {
  const file = savedFile()
  expect(loadResponses(file, () => 'a')).toBeUndefined()
  await saveResponses(file, { settings: 'a', request, responses: publishedFeeds().saved() })
  expect(loadResponses(file, () => 'b')).toBeUndefined()
  await saveResponses(file, { settings: 'a', request, responses: publishedFeeds().saved() })
  truncateSync(file, statSync(file).size - 1)
  expect(loadResponses(file, () => 'a')).toBeUndefined()
  for (const text of ['', 'not a saved file', '\0\0\0\0']) {
    writeFileSync(file, text)
    expect(loadResponses(file, () => 'a')).toBeUndefined()
  }
})

/** A response of 40 MB. */
const large = (key: string) => ({
  key,
  response: response('x'.repeat(20_000_000)),
  addresses: [],
})

test('leaves out responses beyond the size limit', async () => {
  const file = savedFile()
  const responses = [large('a'), large('b')]
  await saveResponses(file, { settings: 'a', request, responses })
  expect(loadResponses(file, () => 'a')?.responses.map(({ key }) => key)).toEqual(['a'])
})

test('rejects if the directory cannot be written, and leaves nothing behind', async () => {
  const file = join(savedFile(), 'missing', 'responses')
  await expect(saveResponses(file, { settings: 'a', request, responses: [] })).rejects.toThrow(
    'ENOENT',
  )
})
