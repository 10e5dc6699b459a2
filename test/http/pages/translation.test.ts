import { expect, test } from 'vitest'
import { siteIn, type Site } from '../../../src/feeds/site.ts'
import type { Language } from '../../../src/records/messages.ts'
import {
  languageLinks,
  readLanguage,
  withTranslatedLinks,
} from '../../../src/http/pages/translation.ts'
import { testSite } from '../../support/site.ts'

const site: Site = { ...testSite, publicUrl: 'https://feeds.example.org/fd' }

const linkTo = (href: string) =>
  /"(.*)"/.exec(
    withTranslatedLinks(`<a class="x>" href="${href}">x</a>`, siteIn(site, 'es'), '/fd').slice(13),
  )?.[1]

test.for([
  ['agenda', 'agenda?lang=es'],
  ['./', './?lang=es'],
  ['?show=events', '?show=events&amp;lang=es'],
  ['feeds#website', 'feeds?lang=es#website'],
  ['/fd/', '/fd/?lang=es'],
  ['https://feeds.example.org/fd/news', 'https://feeds.example.org/fd/news?lang=es'],
  ['agenda?lang=de', 'agenda?lang=de'],
  ['news?show=1&amp;lang=de', 'news?show=1&amp;lang=de'],
  ['#top', '#top'],
  ['/other/', '/other/'],
  ['//example.com/', '//example.com/'],
  ['https://www.example.org/', 'https://www.example.org/'],
  ['https://feeds.example.org/fdx', 'https://feeds.example.org/fdx'],
  ['webcal://feeds.example.org/fd/all.ics', 'webcal://feeds.example.org/fd/all.ics'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
])('translates the link %s to %s', ([href = '', translated]) => {
  expect(linkTo(href)).toBe(translated)
})

const translate = (html: string) => withTranslatedLinks(html, siteIn(site, 'fr'), '')

test('adds the language to forms', () => {
  expect(translate('<form action="news">')).toBe(
    '<form action="news"><input type="hidden" name="lang" value="fr">',
  )
  expect(translate('<form method="post" action="feeds#my">')).toBe(
    '<form method="post" action="feeds?lang=fr#my">',
  )
})

test('leaves pages in the website’s language unchanged', () => {
  expect(withTranslatedLinks('<a href="agenda">', siteIn(site, 'en'), '')).toBe('<a href="agenda">')
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
