import { expect, test } from 'vitest'
import { siteIn, type Site } from '../../src/feeds/site.ts'
import type { Language } from '../../src/records/messages.ts'
import { languageLinks, pageLinks, readLanguage } from '../../src/web/translation.ts'
import { testSite } from '../support/site.ts'

const site: Site = { ...testSite, publicUrl: 'https://feeds.example.org/fd' }

test.for([
  ['agenda', 'agenda?lang=es'],
  ['./', './?lang=es'],
  ['?show=events', '?show=events&lang=es'],
  ['news?', 'news?lang=es'],
  ['feeds#website', 'feeds?lang=es#website'],
  ['feeds?feed=news#a#b', 'feeds?feed=news&lang=es#a#b'],
  ['https://feeds.example.org/fd/news', 'https://feeds.example.org/fd/news?lang=es'],
])('keeps the language in a link to %s', ([url = '', translated]) => {
  expect(pageLinks(siteIn(site, 'es')).linkTo(url)).toBe(translated)
})

test('leaves links and forms in the website’s language and on static hosts unchanged', () => {
  for (const each of [siteIn(site, 'en'), siteIn({ ...site, isStatic: true }, 'fr')]) {
    const { linkTo, languageField } = pageLinks(each)
    expect([linkTo('agenda?show=events'), languageField]).toEqual(['agenda?show=events', ''])
  }
})

const urlsOf = (language: Language | undefined, path: string, query = '') =>
  languageLinks({ path, query: new URLSearchParams(query) }, siteIn(site, language)).map(
    ({ url, isCurrent }) => (isCurrent ? `[${url}]` : url),
  )

test('links to each language, relative to the page', () => {
  expect(urlsOf(undefined, '/')).toEqual(['[./]', './?lang=es', './?lang=fr', './?lang=de'])
  expect(urlsOf('de', '/month/2026-03', 'show=events&lang=de')).toEqual([
    '2026-03?show=events',
    '2026-03?show=events&lang=es',
    '2026-03?show=events&lang=fr',
    '[2026-03?show=events&lang=de]',
  ])
  const [, spanish] = languageLinks({ path: '/agenda', query: new URLSearchParams() }, site)
  expect(spanish).toMatchObject({
    language: 'es',
    name: 'Español',
    absoluteUrl: 'https://feeds.example.org/fd/agenda?lang=es',
  })
})

const read = (query: string, language = 'en-US') =>
  readLanguage(new URLSearchParams(query), { language })

test('reads the language, or undefined for the website’s own', () => {
  expect([read(''), read('lang=en'), read('lang=es'), read('lang=en', 'de-AT')]).toEqual([
    undefined,
    undefined,
    'es',
    'en',
  ])
  for (const query of ['lang=', 'lang=xx', 'lang=ES', 'lang=es-PR']) {
    expect(() => read(query)).toThrow('lang must be en or es or fr or de.')
  }
  expect(() => read('lang=es&lang=fr')).toThrow('lang appears more than once.')
})
