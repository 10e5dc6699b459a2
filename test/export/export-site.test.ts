import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { minuteMs } from '../../src/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { embedPaths } from '../../src/web/embed-options.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { changedFiles, filesIn, startExporting } from '../support/export.ts'
import { fewOn, lastRecordsOn } from '../support/few-records.ts'
import { readRules, startStaticHost } from '../support/static-host.ts'

const freshMs = 5 * 60_000

vi.setConfig({ testTimeout: 60_000 })

/** Options for tests of pictures or files, which do not depend on the number of records. */
const sandbox = { datasetOn: lastRecordsOn(3) }

/** Returns the URLs in a page, a list of feeds, or a feed. */
function addressesIn(text: string, at: string): readonly string[] {
  const named = [
    ...text.matchAll(/(?:href|src|xmlUrl)="([^"]+)"/g),
    ...text.matchAll(/value="(http[^"]+)"/g),
    ...text.matchAll(/<link>([^<]+)<\/link>/g),
    ...text.matchAll(/"(?:url|feed_url|home_page_url|pictureUrl)":"([^"]+)"/g),
    ...text.matchAll(/^(?:URL|SOURCE)[^:]*:(\S+)/gm),
  ].map(([, address = '']) => address.replaceAll('&amp;', '&'))
  return named
    .filter((address) => URL.canParse(address, at))
    .map((address) => new URL(address.replace(/^webcal:/, 'http:'), at).href.replace(/#.*/, ''))
}

const feeds = standardCatalog.feedsOf({ feedIds: undefined })

/** Number of files that a test requests from the static host at the same time. */
const concurrentVisits = 20

test(
  'exports everything that pages, lists and feeds link to, with the right content types',
  { timeout: 60_000 },
  async () => {
    const site = await startExporting({
      sandbox: { datasetOn: (today) => ({ ...fewOn(today), news: sampleDatasetOn(today).news }) },
    })
    const host = await startStaticHost(site.directory)
    const config = readConfig({ EXPORT_LANGUAGES: 'en es' })
    await site.once(false, { publicUrl: host.url, config })
    const seen = new Map<string, string>()
    const visit = async (at: string): Promise<readonly string[]> => {
      const response = await fetch(at)
      expect([at, response.status]).toEqual([at, 200])
      seen.set(at, response.headers.get('Content-Type') ?? '')
      const text = await response.text()
      if (/image|css|javascript/.test(seen.get(at) ?? '')) return []
      const named = addressesIn(text, at).filter((address) => address.startsWith(host.url))
      expect(named.filter((address) => address.includes('?'))).toEqual([])
      return named
    }
    const start = ['/', '/board', '/es/board', ...embedPaths(feeds)]
    let waiting = new Set(start.map((path) => host.url + path))
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, concurrentVisits)
      const named = await Promise.all(batch.map(visit))
      waiting = new Set([...waiting, ...named.flat()].filter((at) => !seen.has(at)))
    }
    const typeOf = (path: string) => seen.get(host.url + path)
    expect(typeOf('/')).toBe('text/html; charset=utf-8')
    expect(typeOf('/events.ics')).toBe('text/calendar; charset=utf-8')
    expect(typeOf('/news.json')).toBe('application/feed+json; charset=utf-8')
    expect(typeOf('/feeds.opml')).toMatch(/^text\/x-opml/)
    expect(typeOf('/es/')).toBe('text/html; charset=utf-8')
    expect(typeOf('/es/events.ics')).toBe('text/calendar; charset=utf-8')
    expect([...seen.keys()].filter((at) => at.includes('/en/'))).toEqual([])
    const files = filesIn(site.directory)
    expect([...files.keys()].filter((file) => file.startsWith('es/assets'))).toEqual([])
    expect(files.get('es/feeds.opml')?.text).toContain(`xmlUrl="${host.url}/es/news.rss"`)
    expect(files.get('es/news.rss')?.text).toContain(`${host.url}/icon-144.png`)
    expect(typeOf('/parts/rental/type-2.ics')).toBe('text/calendar')
    expect([...seen.keys()].filter((at) => /\/calendar\/\d+$/.test(at)).length).toBeGreaterThan(10)
    expect([...seen.keys()].filter((at) => at.includes('/board/images/')).length).toBeGreaterThan(1)
  },
)

/** Removes the links to translations, which depend on EXPORT_LANGUAGES, and empty lines. */
/** Removes links to translations and to the search, which the export does not have. */
const withoutMissingLinks = (page: string) =>
  page
    .replaceAll(/<a class="to-search[^]*?<\/a>/g, '')
    .replaceAll(/<link rel="alternate" hreflang.*|<nav class="languages[^]*?<\/nav>/g, '')
    .replaceAll(/\n+/g, '\n')

describe('an export of everything', () => {
  let site: Awaited<ReturnType<typeof startExporting>>
  const text = (file: string) => readFileSync(join(site.directory, file), 'utf8')

  beforeAll(async () => {
    let endAll: (() => Promise<void>) | undefined
    site = await startExporting({ onEnd: (end) => (endAll = end) })
    await site.once()
    return () => endAll?.()
  })

  test('exports the same feeds that the service serves, except that URLs for a single part of a feed differ', async () => {
    const url = await site.serve(site.publicUrl)
    for (const { id, formats } of feeds) {
      for (const format of formats) {
        const answer = await fetch(`${url}/${id}.${format}`)
        expect(await answer.text()).toBe(text(`${id}.${format}`))
      }
    }
    const item = [...filesIn(site.directory).keys()].find((file) =>
      /^announcements\/\d+\.html$/.test(file),
    )
    for (const path of [
      '/feeds.opml',
      '/changes.atom',
      '/board/concerto.json',
      '/embed/news',
      `/${item?.slice(0, -5)}`,
    ]) {
      const file = /\.\w+$/.test(path) ? path.slice(1) : `${path.slice(1)}.html`
      const answer = await (await fetch(`${url}${path}`)).text()
      // Files are read later, so their dates always have a year.
      const ending = path === '/embed/news' ? 'webp' : 'jpeg'
      expect(
        withoutMissingLinks(answer).replaceAll(/(images\/[\w-]{22}(?:\.small)?)/g, `$1.${ending}`),
      ).toBe(
        withoutMissingLinks(
          path === '/embed/news' ? text(file).replaceAll(/, \d{4}(?=<| ·)/g, '') : text(file),
        ),
      )
    }
    const part = await (await fetch(`${url}/news.rss?category=2`)).text()
    expect(text('parts/news/category-2.rss')).toBe(
      part.replaceAll('/news.rss?category=2', '/parts/news/category-2.rss'),
    )
    expect(part).toContain('/news.rss?category=2')
  })

  test('omits features that need a running service', async () => {
    expect(text('index.html')).not.toMatch(/<form|\?show=/)
    expect(text('index.html')).toContain('"webcal://feeds.example.org/all.ics"')
    const page = text('feeds.html')
    expect(page).not.toMatch(/<form|download=1|\?calendar=|\?category=/)
    expect(page).toMatch(/"https:\/\/feeds\.example\.org\/parts\/news\/category-\d+\.rss"/)
    expect(page).toMatch(/"webcal:\/\/feeds\.example\.org\/parts\/calendar\/calendar-\d+\.ics"/)
  })

  test('sends the page for unknown paths with security headers', async () => {
    const host = await startStaticHost(site.directory)
    const { status, headers } = await fetch(`${host.url}/no-such-page`)
    expect([status, headers.get('X-Content-Type-Options'), headers.get('Referrer-Policy')]).toEqual(
      [404, 'nosniff', 'strict-origin-when-cross-origin'],
    )
    const [general = '', ...others] = (headers.get('Content-Security-Policy') ?? '').split(', ')
    expect([general, others]).toEqual([
      expect.stringMatching(
        /^default-src 'self';script-src 'self' 'sha256-\S+';base-uri 'none';form-action 'self';object-src 'none'$/,
      ),
      [],
    ])
  })

  test('adds only restrictions to the page for unknown paths that all other pages have', async () => {
    const policies = readRules(site.directory)
      .flatMap(({ headers }) => headers)
      .filter(([name]) => name === 'Content-Security-Policy')
      .map(
        ([, value]) =>
          new Map(value.split(';').map((each) => each.split(/ (.*)/) as [string, string])),
      )
    const [, ...ofPages] = policies
    expect(ofPages.length).toBeGreaterThan(10)
    for (const policy of ofPages) {
      const { 'frame-ancestors': _, ...sources } = Object.fromEntries(policy)
      expect(sources).toMatchObject({ 'default-src': "'none'", 'base-uri': "'none'" })
      for (const value of Object.values(sources)) {
        expect(value).toMatch(/^'(?:none|self)'(?: 'sha256-[\w+/]{43}=')?$/)
      }
    }
  })
})

test('rewrites only changed files, and removes obsolete files', async () => {
  const dataset = { now: fewOn('2026-03-05') }
  const site = await startExporting({
    sandbox: { datasetOn: () => dataset.now },
    publicFeedIds: ['events', 'news'],
  })
  const first = await site.once()
  const before = filesIn(site.directory)
  expect(first.counts).toMatchObject({ unchanged: 0, removed: 0 })
  const second = await site.once()
  expect(second.counts).toEqual({ written: 0, unchanged: first.counts.written, removed: 0 })
  expect(changedFiles(before, filesIn(site.directory))).toEqual([])

  const [story, ...others] = dataset.now.news.filter(({ deployed }) => deployed === 1)
  const [gone] = others
  dataset.now = {
    ...dataset.now,
    news: dataset.now.news
      .filter(({ id }) => id !== gone?.id)
      .map((each) => (each.id === story?.id ? { ...each, headline: 'The pump is back' } : each)),
  }
  await site.clock.leap(freshMs)
  const third = await site.once()
  const changed = changedFiles(before, filesIn(site.directory))
  // The story's page and both copies of its picture.
  expect(third.counts.removed).toBe(3)
  expect(changed).toContain(`news/${story?.id}.html`)
  expect(changed).toContain(`news/${gone?.id}.html`)
  expect(filesIn(site.directory).has(`news/${gone?.id}.html`)).toBe(false)
  expect(readFileSync(join(site.directory, 'news.rss'), 'utf8')).toContain('The pump is back')
  expect(
    changed.filter(
      (file) =>
        !/^news|^all\.(?!ics)|^parts\/news|^embed\/news|^board|^index|^feeds|^headers|^\.feed|^sitemap/.test(
          file,
        ),
    ),
  ).toEqual([])
})

test('writes a deleted picture again', async () => {
  const site = await startExporting({ sandbox, publicFeedIds: ['news'] })
  await site.once()
  const before = filesIn(site.directory)
  const picture = [...before.keys()].find((file) => file.startsWith('board/images/')) ?? ''
  rmSync(join(site.directory, picture))
  expect((await site.once()).counts).toMatchObject({ written: 1, removed: 0 })
  expect(filesIn(site.directory).get(picture)?.text).toBe(before.get(picture)?.text)
})

test('never overwrites or removes files that it did not write', async () => {
  const site = await startExporting({ sandbox, publicFeedIds: ['events', 'news'] })
  mkdirSync(join(site.directory, 'news'), { recursive: true })
  const foreign = ['CNAME', 'news/mine.html', 'robots.txt']
  for (const file of foreign) writeFileSync(join(site.directory, file), 'mine')
  await site.once()
  await site.once(false, { publicFeedIds: ['events'] })
  const files = filesIn(site.directory)
  for (const file of foreign) expect(files.get(file)?.text).toBe('mine')
  expect([...files.keys()].filter((file) => file.startsWith('news'))).toEqual(['news/mine.html'])
  writeFileSync(join(site.directory, 'news.rss'), 'mine')
  await expect(site.once()).rejects.toThrow(
    /has files that Feedhouse did not write .*: news\.rss\./,
  )
  expect(filesIn(site.directory)).toEqual(new Map([...files, ['news.rss', expect.anything()]]))
})

test('exports the last good copy while the website is down, and exports nothing if there is no copy', async () => {
  const site = await startExporting({ sandbox, publicFeedIds: ['calendar', 'events'] })
  const up = await site.once()
  const before = filesIn(site.directory)
  await site.clock.leap(freshMs)
  const down = { ...site.site, url: 'https://localhost:1' }
  const { counts, warnings } = await site.once(false, {
    site: { ...down, url: site.site.url, refreshToken: 'x' },
  })
  expect(counts).toEqual({ written: 0, unchanged: up.counts.written, removed: 0 })
  expect(warnings.join('\n')).toMatch(/events has not been read since .* the last good copy/)
  const cold = await startExporting({ sandbox, publicFeedIds: ['calendar', 'events'] })
  await expect(cold.once(false, { site: down, directory: site.directory })).rejects.toThrow(
    /There is no copy of calendar yet, and the website could not be read\.[^]*Nothing was written or removed/,
  )
  expect(changedFiles(before, filesIn(site.directory))).toEqual([])
})

test('reports an unusable directory', async () => {
  const site = await startExporting()
  writeFileSync(site.directory, 'a file')
  await expect(site.once()).rejects.toThrow(/is a file\. Set --out to a writable directory/)
  rmSync(site.directory)
  mkdirSync(join(site.directory, '.feedhouse'), { recursive: true })
  const manifest = { feedhouse: 'export', files: ['../store.sqlite'], headers: {} }
  writeFileSync(join(site.directory, '.feedhouse/manifest.json'), JSON.stringify(manifest))
  await expect(site.once()).rejects.toThrow(/was changed by another program/)
})

test('reports a write error and continues with the next export', async () => {
  const site = await startExporting({ sandbox, publicFeedIds: ['rental'] })
  mkdirSync(site.directory)
  writeFileSync(join(site.directory, 'parts'), 'mine')
  await expect(site.once()).rejects.toThrow(
    /parts\/\S+ cannot be written \(\w+\)\. Existing files were kept/,
  )
  expect(filesIn(site.directory).has('index.html')).toBe(false)
  rmSync(join(site.directory, 'parts'))
  const { counts } = await site.once()
  expect(counts.unchanged).toBeGreaterThan(0)
  expect(filesIn(site.directory).has('index.html')).toBe(true)
})

test('prevents concurrent exports to the same directory', async () => {
  const site = await startExporting({ sandbox, publicFeedIds: ['events'] })
  await site.once()
  const outcomes = await Promise.allSettled([site.once(), site.once()])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: `Another export is writing to ${site.directory}.` },
  })
  await expect(site.once()).resolves.toMatchObject({ counts: { written: 0 } })
})

test('writes at most one header rule per path besides the common one, and no more than hosts allow', async () => {
  const site = await startExporting({ publicUrl: 'https://example.org/feeds' })
  await site.once()
  const [common, ...rules] = readRules(site.directory)
  expect(common?.pattern).toBe('/feeds/*')
  expect(rules.length).toBeLessThan(99)
  const patterns = rules.map(({ pattern }) => pattern)
  for (const pattern of patterns) {
    expect(pattern).toMatch(/^\/feeds\//)
    const others = patterns.filter((other) => other !== pattern && other.endsWith('*'))
    expect(others.filter((other) => pattern.startsWith(other.slice(0, -1)))).toEqual([])
  }
  // Files that share a directory share a rule, except for the board's data.
  const ofFiles = patterns.filter((pattern) => /^\/feeds\/.+\/[^*]+$/.test(pattern))
  expect(ofFiles).toEqual(['/feeds/board/concerto.json', '/feeds/board/screen.json'])
  // Hosts join the values of a header, which only works for policies.
  const repeated = rules.flatMap(({ headers }) =>
    headers.map(([name]) => name).filter((name) => common?.headers.some(([each]) => each === name)),
  )
  expect(new Set(repeated)).toEqual(new Set(['Content-Security-Policy']))
  const longest = Math.max(
    ...rules.flatMap(({ headers }) => headers.map(([, value]) => value.length)),
  )
  expect(longest).toBeLessThan(1900)
  const uploads: readonly { readonly file: string }[] = JSON.parse(
    readFileSync(join(site.directory, 'headers.json'), 'utf8'),
  )
  expect(uploads.at(-1)).toEqual({
    file: 'index.html',
    key: 'index.html',
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
  })
  expect(uploads[0]).toMatchObject({
    file: 'sitemap.xml',
    contentType: 'application/xml; charset=utf-8',
  })
  expect(uploads[1]?.file).toMatch(/^assets\//)
  const ownFiles = ['.feedhouse/manifest.json', '.feedhouse/rendered.json']
  const own = ['_headers', 'nginx.conf', '.htaccess', 'headers.json', ...ownFiles]
  const nginx = readFileSync(join(site.directory, 'nginx.conf'), 'utf8')
  for (const path of ['_headers', 'nginx.conf', '.htaccess', 'headers.json', '.feedhouse/']) {
    expect(nginx).toContain(`location ^~ /feeds/${path} {\n    return 404;\n}`)
  }
  const listed = uploads.map(({ file }) => file)
  expect([...filesIn(site.directory).keys()].sort()).toEqual([...listed, ...own].sort())
})

test('draws pictures of the board in each language', async () => {
  const site = await startExporting({ sandbox, publicFeedIds: ['events'] })
  const sizes = Array.from({ length: 6 }, (_, index) => `${200 + index}x100-2`)
  const names = [...sizes.map((size) => `${size}.png`), '400x300-2.bmp']
  const config = readConfig({ EXPORT_PICTURES: names.join(), EXPORT_LANGUAGES: 'es' })
  await site.once(false, { config })
  const pictures = ['board.png', ...names.map((name) => `board/${name}`)]
  const read = (file: string) => readFileSync(join(site.directory, file))
  for (const file of [...pictures, ...pictures.map((each) => `es/${each}`)]) {
    expect([file, read(file).length > 100]).toEqual([file, true])
  }
  const served = await fetch(`${await site.serve(site.publicUrl)}/board/400x300-2.bmp`)
  expect(read('board/400x300-2.bmp')).toEqual(Buffer.from(await served.arrayBuffer()))
  expect(read('es/board.png')).not.toEqual(read('board.png'))
  const rule = readRules(site.directory).find(({ pattern }) => pattern === '/board/400x300-2.bmp')
  const headers = Object.fromEntries(rule?.headers ?? [])
  expect(headers).toMatchObject({ 'Content-Type': 'image/bmp' })
  expect(headers).not.toHaveProperty('Expires')
})

test('redraws the pictures of the board when the data is old, even if nothing else changes', async () => {
  const site = await startExporting({ sandbox, publicFeedIds: ['events'] })
  await site.once()
  const file = join(site.directory, 'board.png')
  const before = readFileSync(file)
  await site.sandbox[Symbol.asyncDispose]()
  // A picture that is not redrawn stays unchanged.
  writeFileSync(file, 'old')
  await site.clock.leap(29 * minuteMs)
  await site.once()
  expect(readFileSync(file, 'utf8')).toBe('old')
  await site.clock.leap(2 * minuteMs)
  await site.once()
  expect(readFileSync(file).length).toBeGreaterThan(before.length)
  writeFileSync(file, 'old')
  await site.clock.leap(minuteMs)
  await site.once()
  expect(readFileSync(file).length).toBeGreaterThan(before.length)
})
