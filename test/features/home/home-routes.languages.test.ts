import supertest from 'supertest'
import { expect, test } from 'vitest'
import { identityFrom } from '../../../src/feeds/identity.ts'
import { testSite } from '../../support/site.ts'
import { siteApplication } from '../../http/site-application.ts'

/* The pages where people subscribe, in other languages. */

const languages = [
  {
    language: 'es-US',
    home: ['<h1>Síganos en su calendario</h1>', '>Agregar al Calendario de Google</a>'],
    feeds: ['<h1>Todas las opciones de suscripción</h1>', '>Dirección del calendario <'],
    fault: 'Elija al menos un calendario.',
    copied: '"copied":"Copiado"',
    unused: 'El parámetro “alram” de la dirección no tiene ningún efecto. ¿Quiso decir “alarm”?',
  },
  {
    language: 'fr-CA',
    home: ['<h1>Abonnez-vous à notre calendrier</h1>', '>Ajouter à Google Agenda</a>'],
    feeds: ['<h1>Tous les abonnements et adresses</h1>', '>Adresse du calendrier <'],
    fault: 'Choisissez au moins un calendrier.',
    copied: '"copied":"Copié"',
    unused: 'Le paramètre « alram » de l’adresse n’a aucun effet. Vouliez-vous dire « alarm »?',
  },
  {
    language: 'de-DE',
    home: ['<h1>Unsere Termine in Ihrem Kalender</h1>', '>Zu Google Kalender hinzufügen</a>'],
    feeds: ['<h1>Alle Abos und Adressen</h1>', '>Kalenderadresse <'],
    fault: 'Wählen Sie mindestens einen Kalender aus.',
    copied: '"copied":"Kopiert"',
    unused: '„alram“ in der Adresse hat keine Wirkung. Meinten Sie „alarm“?',
  },
]

test.for(languages)('offers subscriptions in $language', async (expected) => {
  await using application = siteApplication({ site: { ...testSite, language: expected.language } })
  const pageAt = async (path: string) => (await supertest(application.listener).get(path)).text
  const home = await pageAt('/')
  for (const text of [...expected.home, expected.copied]) expect(home).toContain(text)
  const feeds = await pageAt('/feeds')
  for (const text of [...expected.feeds, expected.copied]) expect(feeds).toContain(text)
  expect(await pageAt('/?show=')).toContain(expected.fault)
  const misspelled = await pageAt('/feeds?feed=events&alram=30')
  expect(misspelled).toContain(`<p class="note">${expected.unused}</p>`)
})

test('marks the place of a website whose language Feedhouse does not support', async () => {
  const identity = identityFrom({ place: 'Borgo San Lorenzo' }, 'Ashton')
  await using application = siteApplication({ site: { ...testSite, language: 'it-IT', identity } })
  const { text } = await supertest(application.listener).get('/poster')
  const places = text.match(/<span[^>]*>Borgo San Lorenzo</g)
  expect(new Set(places)).toEqual(new Set(['<span dir="auto" lang="it-IT">Borgo San Lorenzo<']))
})
