import { expect, test } from 'vitest'
import { changeInWords } from '../../src/calendar/change-in-words.ts'
import { ownEntries, ownTitle } from '../../src/calendar/personal-sections.ts'
import { rentalRecipe } from '../../src/calendar/record-recipes.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { changesOf } from '../../src/feeds/changes.ts'
import type { RecordFacts } from '../../src/records/recorded-change.ts'
import { renderCombined } from '../support/combined-calendar.ts'
import { collectionAfter, renderFeed } from '../support/feed-text.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { testSite } from '../support/site.ts'
import { now, rendererOf, eventsFrom, sourceAfter } from './rendered-calendar.ts'

const hourMs = 3_600_000

const drill = {
  id: 1,
  title: 'Drill',
  status: 2,
  startDate: '2026-03-10',
  startTime: '19:00:00',
  allDay: 0,
  calendarId: 3,
  calendar: 'Company',
  contact: 'Chief Cole',
}
const others = [2, 3, 4].map((id) => ({ ...drill, id, title: '' }))
const bingo = { ...drill, id: 6, title: 'Bingo' }
const hall = { ...drill, typeId: 3, type: 'Hall', renter: 'Pat Okafor', details: '' }
const slots = [
  { id: 1, number: 1, position: 'Driver', signedUp: [{ name: 'Ann Cole' }] },
  { id: 2, number: 3, position: '', signedUp: [{ name: 'Ann Cole' }] },
]
const sheet = {
  id: 5,
  title: 'Standby crew',
  status: 2,
  date: '2026-03-14',
  eventDate: '',
  details: { sheet: { contact: 'Capt. Okafor' }, groups: [{ id: 51, name: '', slots }] },
}
const certification = { id: 90, status: 2, memberId: 7, member: 'Ann Cole', expires: '2026-03-30' }

/** The website's records an hour ago, and now. */
const readings = {
  calendar: [
    [drill, { ...drill, id: 5, title: 'Meeting' }, bingo, ...others],
    [{ ...drill, startDate: '2026-03-11' }, bingo, ...others],
  ],
  events: [
    [drill, bingo, ...others],
    [drill, bingo, ...others],
  ],
  rental: [
    [hall, ...others],
    [{ ...hall, startTime: '20:00:00' }, ...others],
  ],
  signup: [[sheet], [sheet]],
  'training/membercerts': [[certification], [certification]],
} as const

const ann = { id: 7, firstName: 'Ann', lastName: 'Cole', status: 1 }

type Calendar = keyof typeof readings

const copyOf = (resource: Calendar) => collectionAfter(resource, readings[resource], now - hourMs)

async function calendarIn(language: string, resource: Calendar) {
  const [id = ''] = resource.split('/')
  const site = { ...testSite, language }
  const query = resource.startsWith('training') ? '' : 'changes=note&cancelled=mark'
  return renderFeed(id, await copyOf(resource), { now, profile: 'full', query, site }).text
}

const entryIn = async (language: string, resource: Calendar, index = 0) => {
  const { summary = '', description = '' } =
    readCalendar(await calendarIn(language, resource)).events[index] ?? {}
  return [summary, ...description.split(/\n+/)]
}

test.for([
  [
    'es',
    ['Cancelado: Meeting', 'Contacto: Chief Cole'],
    ['Hall: Pat Okafor', 'Reservado por: Pat Okafor'],
    ['Standby crew', '2 de 4 puestos libres', 'Grupo', 'Driver: Ann Cole'],
    'Puesto: Ann Cole; 2 libres',
    ['Ann Cole: Vencimiento de una certificación', 'Estado en el sitio web: Por vencer'],
    'Para usted: Driver y Grupo, Standby crew',
  ],
  [
    'fr-CA',
    ['Annulé\u202F: Meeting', 'Personne-ressource\u202F: Chief Cole'],
    ['Hall\u202F: Pat Okafor', 'Locataire\u202F: Pat Okafor'],
    ['Standby crew', '2 places libres sur 4', 'Groupe', 'Driver\u202F: Ann Cole'],
    'Place\u202F: Ann Cole; 2 libres',
    ['Ann Cole\u202F: Une certification expire', 'État sur le site Web\u202F: Expire bientôt'],
    'Pour vous\u202F: Driver et Groupe, Standby crew',
  ],
  [
    'de',
    ['Abgesagt: Meeting', 'Kontakt: Chief Cole'],
    ['Hall: Pat Okafor', 'Mieter: Pat Okafor'],
    ['Standby crew', '2 von 4 Plätzen frei', 'Gruppe', 'Driver: Ann Cole'],
    'Platz: Ann Cole; 2 frei',
    ['Ann Cole: Ein Zertifikat läuft ab', 'Status auf der Website: Läuft bald ab'],
    'Ihr Dienst: Driver und Gruppe, Standby crew',
  ],
] as const)('writes entries in the language %s', async (expected) => {
  const [language, canceled, rental, signUp, position, expiry, own] = expected
  const { events } = readCalendar(await calendarIn(language, 'calendar'))
  expect(events.map(({ summary, description }) => [summary, description])).toContainEqual(canceled)
  expect(await entryIn(language, 'rental', 3)).toEqual(expect.arrayContaining([...rental]))
  expect(await entryIn(language, 'signup')).toEqual(expect.arrayContaining([...signUp, position]))
  expect(await entryIn(language, 'training/membercerts')).toEqual(expiry)
  const members = await collectionAfter('members', [[ann]], now)
  const source = { memberId: 7, members, signup: await copyOf('signup'), training: undefined }
  const titles = ownEntries(source as never, language).map((entry) => ownTitle(entry, language))
  expect(titles).toEqual([own])
})

const facts = (change: Partial<RecordFacts>): RecordFacts => ({
  title: 'Hall',
  startDate: '2026-03-10',
  place: 'Station 1',
  ...change,
})

test.for([
  [
    'es-US',
    'Reprogramado: Hall (alquiler), ahora mié 11 mar (antes: mar 10 mar)',
    'Cambio de lugar: Hall (alquiler), mar 10 mar, ahora en Hall 2 (antes: Station 1); queda 1 puesto libre',
    'Vuelve a haber 2 puestos libres: Hall (alquiler), mar 10 mar',
    'Sí se realizará: Alquiler, mar 10 mar, Station 1',
    'Ahora: martes, 10 de marzo de 2026, Station 1',
  ],
  [
    'fr-CA',
    'Déplacé\u202F: Hall (location), maintenant mer. 11 mars (auparavant mar. 10 mars)',
    'Nouveau lieu\u202F: Hall (location), mar. 10 mars, maintenant Hall 2 (auparavant Station 1); il reste 1 place',
    '2 places de nouveau libres\u202F: Hall (location), mar. 10 mars',
    'Aura finalement lieu\u202F: Location, mar. 10 mars, Station 1',
    'Maintenant\u202F: mardi 10 mars 2026, Station 1',
  ],
  [
    'de',
    'Verschoben: Hall (Vermietung), jetzt Mi 11. März (bisher Di 10. März)',
    'Neuer Ort: Hall (Vermietung), Di 10. März, jetzt Hall 2 (bisher Station 1); noch 1 Platz frei',
    'Wieder 2 Plätze frei: Hall (Vermietung), Di 10. März',
    'Findet doch statt: Vermietung, Di 10. März, Station 1',
    'Jetzt: Dienstag, 10. März 2026, Station 1',
  ],
])('describes changes in the language %s', ([language = '', ...expected]) => {
  const inWords = (before: RecordFacts | undefined, after: RecordFacts) =>
    changeInWords({ revision: 1, since: now, at: now, before, after, isBack: true }, rentalRecipe, {
      timeZone: testSite.timeZone,
      language,
    })
  const back = inWords(undefined, facts({ title: '' }))
  expect([
    inWords(facts({}), facts({ startDate: '2026-03-11' }))?.text,
    inWords(facts({ open: 5 }), facts({ place: 'Hall 2', open: 1 }))?.text,
    inWords(facts({ open: 0 }), facts({ open: 2 }))?.text,
    back?.text,
    ...(back?.details ?? []),
  ]).toEqual(expected)
})

test.for([
  ['es', 'Hay 2 eventos más que no se muestran', 'Este calendario muestra los 1'],
  ['fr', '2 autres activités ne sont pas affichées', 'Ce calendrier présente les 1'],
  ['de', '2 weitere Termine werden nicht angezeigt', 'Dieser Kalender zeigt die 1'],
])('reports omitted entries in the language %s', async (expected) => {
  const [language = '', title, text] = expected
  const source = await sourceAfter(eventsFrom('2026-03-05', 3))
  const { events } = rendererOf({ maxEntries: 1, language })(source)
  expect(events.map(({ summary }) => summary)).toContain(title)
  expect(events.map(({ description }) => description).join()).toContain(text)
})

test('gives entries and changes the same ids and revisions in all languages', async () => {
  const resources = Object.keys(readings) as Calendar[]
  const copies = await Promise.all(resources.map(copyOf))
  const sources = feeds.flatMap((feed) => {
    const source = copies.find(({ resource }) => resource === feed.resource)
    return source ? [{ feed, source }] : []
  })
  const members = await collectionAfter('members', [[ann]], now)
  const training = await collectionAfter('training', [[certification]], now)
  const idsIn = async (language: string) => {
    const calendars = await Promise.all(resources.map((each) => calendarIn(language, each)))
    const site = { ...testSite, language }
    const about = { now, site, profile: 'full', memberId: 7, query: 'changes=note' } as const
    const combined = renderCombined([...copies, members, training], { ...about, id: 'my' })
    const groups = combined.duplicates
    return {
      entries: [...calendars, combined.text].map((text) =>
        text.match(/^(?:UID|SEQUENCE|LAST-MODIFIED):.*$/gm),
      ),
      changes: changesOf(sources, site, groups).map(({ id, kind, feed }) => [feed.id, kind, id]),
      groups,
    }
  }
  const english = await idsIn('en-US')
  expect(english.entries.map((lines) => lines?.length)).toEqual([18, 15, 12, 3, 3, 51])
  expect(english.groups).toHaveLength(2)
  expect(english.changes.length).toBeGreaterThan(2)
  for (const language of ['es-US', 'fr-CA', 'de']) expect(await idsIn(language)).toEqual(english)
})
