import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { renderSitemap } from '../../src/export/sitemap.ts'

const publicUrl = 'https://example.org/fd'

/** Returns the URLs in a sitemap, and the number of links to translations. */
function readSitemap(xml: string) {
  const urls: string[] = []
  const links: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  let text = ''
  parser.on('opentag', ({ local, attributes }) => {
    text = ''
    if (local === 'link')
      links.push(
        Object.values(attributes)
          .map(({ value }) => value)
          .join(' '),
      )
  })
  parser.on('text', (part) => (text += part))
  parser.on('closetag', ({ local }) => {
    if (local === 'loc') urls.push(text)
  })
  parser.write(xml).close()
  return { urls, links }
}

test('lists the translations of each page', () => {
  const site = { publicUrl, language: 'es-PR', staticLanguages: ['en'] } as const
  expect(readSitemap(renderSitemap(['/', '/a&b'], site))).toEqual({
    urls: [
      'https://example.org/fd/',
      'https://example.org/fd/en/',
      'https://example.org/fd/a&b',
      'https://example.org/fd/en/a&b',
    ],
    links: [
      'alternate es https://example.org/fd/',
      'alternate en https://example.org/fd/en/',
      'alternate es https://example.org/fd/',
      'alternate en https://example.org/fd/en/',
      'alternate es https://example.org/fd/a&b',
      'alternate en https://example.org/fd/en/a&b',
      'alternate es https://example.org/fd/a&b',
      'alternate en https://example.org/fd/en/a&b',
    ],
  })
})

test('lists at most 50,000 pages, without links if there are no translations', () => {
  const paths = Array.from({ length: 50_001 }, (_, index) => `/news/${index}`)
  const { urls, links } = readSitemap(renderSitemap(paths, { publicUrl, language: 'en-US' }))
  expect([urls.length, urls.at(-1), links]).toEqual([50_000, `${publicUrl}/news/49999`, []])
})
