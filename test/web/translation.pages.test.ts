import { expect, test } from 'vitest'
import { pageMessages } from '../../src/web/messages.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { sampleEvent } from '../support/sample-event.ts'
import { startTestService } from '../support/service.ts'

/* The pages that show the feeds' content, in other languages. */

const dataset = {
  ...sampleDatasetOn('2026-03-05'),
  events: [
    sampleEvent(7, '2026-03-06T17:00:00', '2026-03-06T20:00:00', {
      title: 'Fish fry',
      location: 'Station 1',
    }),
    sampleEvent(8, '2026-01-06T17:00:00', '2026-01-06T20:00:00', { title: 'Bingo' }),
  ],
}

const languages = [
  {
    language: 'es-US',
    agenda: ['<html lang="es-US">', '<h1>Calendario</h1>', '>Siguientes ›</a>', '(visible)'],
    months: ['>Este mes</a>', 'No hay nada programado este mes. <a href="../">Suscríbase ahora'],
    event: ['<dt>Cuándo</dt>', '>Agregar este evento</a>', 'data-copied="Copiada"'],
    ended: 'Este evento ya terminó.',
    news: ['>Buscar</button>', '0 noticias con “zq”.'],
    poster: 'Toque el botón de su calendario',
    embed: 'Calendario completo',
    missing: 'Página no encontrada.',
    closed: '“Actas” no es público.',
  },
  {
    language: 'fr-CA',
    agenda: ['<html lang="fr-CA">', '<h1>Calendrier</h1>', '>Plus tard ›</a>', '(affiché)'],
    months: ['>Ce mois-ci</a>', 'Rien de prévu ce mois-ci. <a href="../">Suivez le calendrier'],
    event: ['<dt>Quand</dt>', '>Ajouter cet événement</a>', 'data-copied="Copié"'],
    ended: 'Cet événement est terminé.',
    news: ['>Rechercher</button>', '0 nouvelle avec «\u202Fzq\u202F».'],
    poster: 'Touchez le bouton de votre calendrier',
    embed: 'Calendrier complet',
    missing: 'Page introuvable.',
    closed: '«\u202FProcès-verbaux\u202F» n’est pas public.',
  },
  {
    language: 'de-DE',
    agenda: ['<html lang="de-DE">', '<h1>Kalender</h1>', '>Später ›</a>', '(eingeblendet)'],
    months: ['>Aktueller Monat</a>', 'In diesem Monat ist nichts geplant. <a href="../">Jetzt'],
    event: ['<dt>Wann</dt>', '>Diesen Termin übernehmen</a>', 'data-copied="Kopiert"'],
    ended: 'Dieser Termin ist vorbei.',
    news: ['>Suchen</button>', '0 Neuigkeiten mit „zq“.'],
    poster: 'Ihren Kalender antippen',
    embed: 'Ganzer Kalender',
    missing: 'Seite nicht gefunden.',
    closed: '„Protokolle“ ist nicht öffentlich.',
  },
]

test.for(languages)('shows content in $language', async (expected) => {
  const publicFeedIds = ['events', 'news', 'rental']
  await using service = await startTestService({
    language: expected.language,
    sandbox: { datasetOn: () => dataset },
    publicFeedIds,
  })
  await service.readAll()
  const at = async (path: string) => (await service.get(path, { accept: 'text/html' })).text
  const { warnings } = pageMessages(expected.language).doctor
  const pages = {
    '/agenda': expected.agenda,
    '/month/2028-07': expected.months,
    '/events/7': expected.event,
    '/events/8': [expected.ended],
    '/news?q=zq': expected.news,
    '/poster': [expected.poster, `<p class="fault">${warnings.machine}</p>`],
    '/embed/next': [expected.embed],
    '/nothing': [expected.missing],
    '/minutes.rss': [expected.closed],
    '/agenda?from=x': ['<h1 class="sentence" lang="en">from must be a date'],
  }
  for (const [path, texts] of Object.entries(pages)) {
    const page = await at(path)
    for (const text of texts) expect(page).toContain(text)
  }
  // Programs get English messages.
  expect((await service.get('/nothing', { accept: '*/*' })).text).toBe('Page not found.\n')
})

test('sends messages in the URL’s language', async () => {
  await using service = await startTestService()
  await service.readAll()
  const link = await service.addLink({ expiresAt: service.clock.now() + 1000 })
  await service.clock.advance(2000)
  const paths = {
    '/nothing?lang=es': ['Página no encontrada.', 'href="/?lang=es"'],
    '/nothing?lang=xx': ['Page not found.'],
    [`${link}?lang=de`]: ['<html lang="de', 'Unsere Website'],
  }
  for (const [path, texts] of Object.entries(paths)) {
    const { text } = await service.get(path, { accept: 'text/html' })
    for (const each of texts) expect(text).toContain(each)
  }
})

test('marks the text of a website whose language Feedhouse does not support', async () => {
  await using service = await startTestService({
    language: 'it-IT',
    sandbox: { datasetOn: () => dataset },
  })
  await service.readAll()
  const { text } = await service.get('/events/7', { accept: 'text/html' })
  expect(text).toContain('<html lang="en">')
  expect(text).toContain('<h1 dir="auto" lang="it-IT">Fish fry</h1>')
  expect(text).toContain('<dt>When</dt>')
  const place = ' · <span dir="auto" lang="it-IT">Station 1'
  for (const path of ['/', '/agenda', '/feeds', '/embed/next'])
    expect((await service.get(path)).text).toContain(place)
})

test('limits the parameters that links to translations repeat', async () => {
  await using service = await startTestService({ sandbox: { datasetOn: () => dataset } })
  await service.readAll()
  const lengthOf = async (query: string) => (await service.get(`/agenda?${query}`)).text.length
  const plain = await lengthOf('show=events')
  expect((await lengthOf(`show=events${'&a'.repeat(7000)}`)) - plain).toBeLessThan(5_000)
})
