import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { news } from '../../../src/feeds/catalog/news-feeds.ts'
import type { SiteContext } from '../../../src/web/context.ts'
import { createItemPictures } from '../../../src/features/items/item-pictures.ts'
import { PicturesBusy } from '../../../src/pictures/picture-source.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { contextWith } from '../../support/context.ts'
import { startExporting } from '../../support/export.ts'
import { startTestService } from '../../support/service.ts'
import { testSite } from '../../support/site.ts'

const sample = sampleDatasetOn('2026-03-05')
const pictured = sample.news.find(({ images, deployed }) => images.length > 0 && deployed === 1)
if (!pictured) throw new TypeError('the sample has no story with a picture')

const dataset = {
  ...sample,
  news: [
    pictured,
    {
      ...pictured,
      id: 7,
      images: [],
      text: '<p>Before <img src="/files/gone.jpg" alt="The &quot;old&quot; engine &amp; crew"> after</p>',
    },
  ],
}

const datasetOn = () => dataset

/** Returns the beginning of a PNG. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'.padEnd(64, '\0'), 'latin1')
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return header
}

const imagesIn = (html: string) =>
  [...html.replace(/<\/article>[^]*/, '').matchAll(/<img [^>]*src="([^"]*)"/g)].map(
    ([, src]) => src,
  )

/** Returns the URLs and widths in `srcset`. */
const copiesIn = (html: string) =>
  [...html.matchAll(/(?: srcset="|, )([^" ]+) (\d+)w/g)].map(([, path = '', width]) => [
    path,
    width,
  ])

const service = await startTestService({ publicFeedIds: ['news'], sandbox: { datasetOn } })
afterAll(() => service[Symbol.asyncDispose]())
await service.readAll()

/** Returns a function that rewrites the pictures of a story. */
const hostedWith = (fetchPicture: SiteContext['fetchPicture'], isStatic = false) => {
  const site = { ...testSite, isStatic }
  const { hosted } = createItemPictures(contextWith({ site, basePath: '', fetchPicture }))
  return (html: string) => hosted(html, news, 7)
}

const textOf = async (address: string) => (await fetch(address)).text()

test('loads the pictures in a story only from Feedhouse', async () => {
  const page = await fetch(`${service.url}/news/${pictured.id}`)
  const [path, ...others] = imagesIn(await page.text())
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self';")
  for (const each of [path, ...others]) {
    expect(each).toMatch(new RegExp(`^/board/images/news-${pictured.id}-[\\w-]{22}\\.\\d+x\\d+$`))
  }
  const picture = await fetch(`${service.url}${path}`)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
  // Pages that a browser has stored use the URL without a size.
  const [older = ''] = String(path).split('.')
  const original = await fetch(`${service.url}${older}`)
  expect([original.status, original.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const [resizedBytes, bytes] = await Promise.all([picture.arrayBuffer(), original.arrayBuffer()])
  expect(resizedBytes.byteLength).toBeLessThan(bytes.byteLength)
})

test('reserves the space of a picture, and keeps the width that the author has chosen', async () => {
  const text = await textOf(`${service.url}/news/${pictured.id}`)
  const [, width, height] = /<img src="[^"]*\.(\d+)x(\d+)"/.exec(text) ?? []
  expect(text).toContain(` width="${width}" height="${height}"`)
  const png = { type: 'image/png', bytes: pngHeader(3000, 1500) }
  const hosted = hostedWith(async () => png)
  const html = ['', ' width="300" height="999"', ' width="5000"']
    .map((size, index) => `<img src="https://www.example.org/${index}.png"${size} alt="" />`)
    .join('')
  const images = await hosted(html)
  expect([...images.matchAll(/ (?:width|height)="\d+"/g)].join('')).toBe(
    ' width="1200" height="600" width="300" height="150" width="1200" height="600"',
  )
  expect(images.match(/loading="lazy"/g)).toHaveLength(2)
  expect(images.match(/fetchpriority="high"/g)).toHaveLength(1)
  expect(await hosted(`<p>${'word '.repeat(200)}</p>${html}`)).not.toContain('fetchp')
})

test('offers a smaller copy of a large picture for phones', async () => {
  const text = await textOf(`${service.url}/news/${pictured.id}`)
  const copies = copiesIn(text)
  expect(copies.length).toBeGreaterThan(0)
  expect(text).toContain('px" fetchpriority="high"')
  for (const [path, width] of copies) {
    const picture = await fetch(`${service.url}${path}`)
    const metadata = await sharp(await picture.arrayBuffer()).metadata()
    expect([metadata.format, metadata.width]).toEqual(['webp', Number(width)])
  }
  expect(new Set(copies.map(([, width]) => width))).toEqual(new Set(['1200', '720']))
})

test('finds a picture by its URL on a replica that has never served its page', async () => {
  await using other = await startTestService({ publicFeedIds: ['news'], sandbox: { datasetOn } })
  const feed = await textOf(`${other.url}/news.rss`)
  const [, source = ''] = /<media:content url="([^"]+\.jpg)"/.exec(feed) ?? []
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 22)
  const picture = await fetch(`${other.url}/board/images/news-${pictured.id}-${hash}`)
  expect(picture.status).toBe(200)
})

test.for(['news-7-', 'news-999-', 'events-7-', 'nothing-7-'])(
  'responds with 404 to a request for the picture %s, which is not on any page',
  async (name) => {
    const address = `${service.url}/board/images/${name}${'a'.repeat(22)}`
    expect((await fetch(address)).status).toBe(404)
  },
)

test('shows the alternative text in place of a missing picture', async () => {
  const page = await textOf(`${service.url}/news/7`)
  expect(imagesIn(page)).toEqual([])
  expect(page).toContain('Before The &quot;old&quot; engine &amp; crew after')
})

test.for([
  {
    isStatic: false,
    shows: /^<img src="\/board\/images\/news-7-[\w-]{22}" alt="An engine" fetchpriority="high">$/,
  },
  { isStatic: true, shows: /^An engine$/ },
])(
  'handles a picture that cannot be fetched yet when isStatic is $isStatic',
  async ({ isStatic, shows }) => {
    const hosted = hostedWith(async () => {
      throw new PicturesBusy('many wait')
    }, isStatic)
    const html = '<img src="https://www.example.org/a.jpg" alt="An engine">'
    expect(await hosted(html)).toMatch(shows)
  },
)

test('serves pictures under a link without the key in their URLs', async () => {
  await using station = await startTestService({ publicFeedIds: [], sandbox: { datasetOn } })
  const link = await station.addLink({})
  const [path] = imagesIn(await textOf(`${link}news/${pictured.id}`))
  expect(path).not.toContain('/l/')
  expect((await fetch(`${station.url}${path}`)).status).toBe(200)
})

test('exports pictures as files with common file extensions', async () => {
  const site = await startExporting({ publicFeedIds: ['news'], sandbox: { datasetOn } })
  await site.once()
  const page = (id: number) => readFileSync(join(site.directory, 'news', `${id}.html`), 'utf8')
  const copies = copiesIn(page(pictured.id)).map(([path]) => path)
  const paths = [...new Set([...imagesIn(page(pictured.id)), ...copies])]
  const files = readdirSync(join(site.directory, 'board', 'images'))
  expect(paths.length).toBeGreaterThan(1)
  for (const path of paths) {
    expect(path).toMatch(/^\/board\/images\/news-\d+-[\w-]{22}\.\d+x\d+\.webp$/)
    expect(files).toContain(path?.split('/').at(-1))
  }
  expect(page(7)).toContain('Before The &quot;old&quot; engine &amp; crew after')
  for (const path of imagesIn(readFileSync(join(site.directory, 'index.html'), 'utf8'))) {
    expect(files).toContain(path?.split('/').at(-1))
  }
  const exported = page(pictured.id)
  await site.sandbox[Symbol.asyncDispose]()
  await site.once()
  expect(page(pictured.id)).toBe(exported)
  expect(readdirSync(join(site.directory, 'board', 'images')).sort()).toEqual(files.sort())
})
