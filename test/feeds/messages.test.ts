import { beforeAll, expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import type { Collection } from '../../src/collections/collection.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { countyTitle, renderCounty } from '../../src/feeds/county.ts'
import { createRenderers, type Feed } from '../../src/feeds/feed.ts'
import { linkNotice } from '../../src/feeds/link-notice.ts'
import { contactsCsv, memberContacts } from '../../src/feeds/member-contacts.ts'
import { renderOpml } from '../../src/feeds/opml.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { combinedFeed } from '../support/combined-calendar.ts'
import { chosenOptions } from '../support/chosen-options.ts'
import { databaseFeed } from '../../src/feeds/database-feed.ts'
import { databaseFrom, gearSetting } from '../support/database-settings.ts'
import { collectionAfter, itemsOf, renderAnyFeed } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const name = 'Cedar Hollow FD'
const siteIn = (language: string) => ({ ...testSite, name, language })

const collections = new Map<FeedResource, Collection>()

beforeAll(async () => {
  const sample = sampleDatasetOn('2026-03-05')
  for (const { resource } of feeds) {
    const copy = await collectionAfter(resource, [itemsOf(sample, resource)], now - 86_400_000)
    collections.set(resource, copy)
  }
})

function sourceOf({ resource }: Feed): Collection {
  const collection = collections.get(resource)
  if (!collection) throw new TypeError(`no collection of ${resource}`)
  return collection
}

/** Returns the ids of a feed's items, and their dates of publication and of the last update. */
function factsIn(feed: Feed, language: string): readonly unknown[] {
  const site = siteIn(language)
  const options = { now, profile: 'full', site } as const
  return feed.formats.map((format) => {
    const { text, validFrom, validUntil } = renderAnyFeed(feed, sourceOf(feed), {
      ...options,
      format,
    })
    const facts = text.match(
      /^(?:UID|DTSTART|DTEND|SEQUENCE|LAST-MODIFIED|DTSTAMP|COLOR)\b.*$|<(guid|id|updated|published|pubDate|lastBuildDate|link)\b[^<]*>[^<]*<\/\1>|"(?:id|url|date_\w+)":"[^"]*"/gm,
    )
    if (!facts) throw new TypeError('no ids')
    return [format, facts, validFrom, validUntil]
  })
}

test.for(['es-US', 'fr-CA', 'de-DE'])('changes only texts in %s', (language) => {
  for (const feed of feeds) {
    expect(feed.textIn(language).summary).not.toBe(feed.textIn('en').summary)
    expect(factsIn(feed, language)).toEqual(factsIn(feed, 'en-US'))
  }
})

function combinedIn(language: string, format: 'ics' | 'json', query = ''): string {
  const feed = combinedFeed('all')
  const chosen = chosenOptions(feed, format, query)
  const sources = feed
    .sourcesFrom(feeds, format, chosen)
    .map((each) => ({ feed: each, source: sourceOf(each) }))
  const renderers = createRenderers(siteIn(language))
  const request = { format, profile: 'full', now, chosen } as const
  return atOnce(feed.render(sources, request, renderers)).body.toString()
}

/** Returns the labels of the fields for all options, and the values of their choices. */
function fieldsIn(language: string) {
  const options = [...feeds, combinedFeed('all')].flatMap((feed) =>
    feed.formats.flatMap((format) => Object.values(feed.options(format))),
  )
  const fields = options.flatMap((option) => option.fields?.(language) ?? [])
  return {
    labels: fields.flatMap(({ label, choices }) => [label, ...choices.map(([, text]) => text)]),
    values: fields.map(({ choices }) => choices.map(([value]) => value)),
  }
}

test.for([
  ['es-US', ['Recordatorio', '15 minutos antes', 'desaparecen', 'aparecen una vez', 'ninguno']],
  ['fr-CA', ['Rappel', '15 minutes avant', 'disparaissent', 'apparaissent une fois', 'inchangés']],
  ['de-DE', ['Erinnerung', '15 Minuten vorher', 'verschwinden', 'vollständiger Text', 'keine']],
] as const)('labels options in %s', ([language, expected]) => {
  const { labels, values } = fieldsIn(language)
  expect(labels).toEqual(expect.arrayContaining([...expected]))
  expect(values).toEqual(fieldsIn('en-US').values)
})

const county = { name: 'Cedar', publicUrl: 'https://feeds.example', timeZone: 'UTC' }
const link = { id: 'a', keyHash: '', label: 'Crew', profile: 'members', createdAt: 0 } as const
const revokedAt = Date.parse('2026-03-08T04:30:00Z')

test.for([
  [
    'es-US',
    `NAME:${name}: Todos los calendarios`,
    'SUMMARY:Alquiler: ',
    `${name}: Todas las noticias`,
    'Registros de una base de datos del sitio web, primero los cambios más recientes.',
    'se anuló el 7 de marzo de 2026,',
    `text="${name}: Avisos"`,
    'Miembro 7',
    ',Otro,jo@a.example,Celular,1,',
    'Cedar: Todos los departamentos',
  ],
  [
    'fr-CA',
    `NAME:${name}\u202f: Tous les calendriers`,
    'SUMMARY:Location\u202f: ',
    `${name}\u202f: Toutes les nouvelles`,
    'Fiches d’une base de données du site Web, les plus récemment modifiées en premier.',
    'a été retiré le 7 mars 2026;',
    `text="${name}\u202f: Annonces"`,
    'Membre 7',
    ',Autre,jo@a.example,Cellulaire,1,',
    'Cedar\u202f: Tous les services d’incendie',
  ],
  [
    'de-DE',
    `NAME:${name}: Alle Kalender`,
    'SUMMARY:Vermietung: ',
    `${name}: Alle Neuigkeiten`,
    'Einträge einer Datenbank auf der Website, die letzten Änderungen zuerst.',
    'wurde am 7. März 2026 widerrufen,',
    `text="${name}: Mitteilungen"`,
    'Mitglied 7',
    ',Sonstige,jo@a.example,Mobil,1,',
    'Cedar: Alle Feuerwehren',
  ],
] as const)('writes feeds in %s', async ([language, ...expected]) => {
  const [calendar, prefix, news, database, notice, outline, member, labels, countyName] = expected
  const site = siteIn(language)
  const text = combinedIn(language, 'ics', 'prefix=1')
  expect(text).toContain(calendar)
  expect(text).toContain(prefix)
  expect(JSON.parse(combinedIn(language, 'json'))).toMatchObject({ title: news, language })
  const gear = databaseFeed({ ...databaseFrom(gearSetting), date: undefined })
  expect(gear.textIn(language)).toEqual({ title: 'Gear', summary: database })
  expect(linkNotice({ ...link, revokedAt }, site, now).text).toContain(notice)
  expect(renderOpml(feeds, site.publicUrl, site)).toContain(outline)
  const people = [{ id: 7, email: 'jo@a.example', phone1: '1', phone1Type: 'Cell' }]
  const contacts = memberContacts(await collectionAfter('members/contacts', [people], now), site)
  expect(contacts[0]?.fullName).toBe(member)
  expect(contactsCsv(contacts, language)).toContain(labels)
  expect(countyTitle({ ...county, language }, 'ics')).toBe(countyName)
  expect(renderCounty({ ...county, language }, [], { format: 'ics', now })).toContain(countyName)
})
