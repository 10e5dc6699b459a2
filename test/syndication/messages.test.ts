import { expect, test } from 'vitest'
import type { FeedItem } from '../../src/syndication/feed-item.ts'
import { draftFromAnnouncement } from '../../src/syndication/announcement-items.ts'
import { draftFromMinutes } from '../../src/syndication/document-items.ts'
import { draftFromEvent } from '../../src/syndication/event-items.ts'
import { draftFromTopic } from '../../src/syndication/forum-items.ts'
import { draftFromGuestbookEntry } from '../../src/syndication/guestbook-items.ts'
import { draftFromStory } from '../../src/syndication/news-items.ts'
import { draftFromQuiz, draftsFromCertification } from '../../src/syndication/training-items.ts'
import { itemsWith } from './item-source.ts'

const created = '2026-03-01 12:00:00'
const expiry = { id: 1, status: 1, certName: 'EMT', expires: '2026-01-10', created }
const files = [
  { id: 1, fileName: 'a.pdf', extension: 'pdf', fileSize: 2_621_440 },
  { id: 2, fileName: '', extension: 'txt', fileSize: 900 },
]
const meeting = { id: 1, status: 1, public: 1, meetingDate: '2026-03-05', files, created }
const graded = { graded: 1, passScore: 80, maxAttempts: 3 }
const quiz = { id: 1, status: 1, title: 'Pump', hours: 1.5, ...graded, created }
const guest = { id: 1, status: 0, name: 'Jo Reyes', website: 'jo.example', created }
const story = { id: 1, headline: 'Fire', address: '5 Main St', units: 'E1', date: created }
const topic = { id: 1, status: 1, title: 'Boots', replyCount: 2, lastPost: created, created }
const announcement = { id: 1, status: 1, headline: 'Bridge', expires: '2026-03-09 19:00:00' }

/** Returns one item of each kind. */
function itemsIn(language: string): readonly FeedItem[] {
  const more = { language }
  return [
    itemsWith('announce', announcement, draftFromAnnouncement)([{}], more),
    itemsWith('minutes', meeting, draftFromMinutes)([{}], more),
    itemsWith('discuss', topic, draftFromTopic)([{}], more),
    itemsWith('guestbook', guest, draftFromGuestbookEntry)([{}], more),
    itemsWith('news', story, draftFromStory)([{}], more),
    itemsWith('training/quizzes', quiz, draftFromQuiz)([{}], more),
    itemsWith('training/membercerts', expiry, (record, source) => {
      const [, expired] = draftsFromCertification(record, source, 90)
      if (!expired) throw new TypeError('no item')
      return expired
    })([{}], more),
  ].flatMap(([item]) => item ?? [])
}

/** Returns the titles and the text of the items, without markup. */
function linesIn(language: string): readonly string[] {
  return itemsIn(language).flatMap(({ title, contentHtml }) => [
    title,
    ...contentHtml.split(/<[^>]+>|\n/).flatMap((line) => line.trim() || []),
  ])
}

const factsOf = (item: FeedItem) => [item.id, item.url, item.publishedAt, item.updatedAt]

test.for([
  [
    'es-US',
    [
      'Hasta el lunes, 9 de marzo de 2026, 7:00 p.m.',
      '5 mar 2026: Sin título',
      'Reunión del jueves, 5 de marzo de 2026',
      'Archivo (TXT, 900 bytes)',
      'Abra estos archivos en el',
      '2 respuestas; último mensaje: domingo, 1 de marzo de 2026, 12:00 p.m.',
      'Pendiente: Jo Reyes',
      'Dirección:',
      '1.5 horas de capacitación.',
      'Máximo 3 intentos.',
      'EMT venció el 10 ene 2026',
    ],
  ],
  [
    'fr-CA',
    [
      'Jusqu’au lundi 9 mars 2026, 19 h.',
      '5 mars 2026\u202f: Sans titre',
      'Réunion du jeudi 5 mars 2026',
      'a.pdf (PDF, 2,5\u00a0Mo)',
      'Ouvrez ces fichiers sur le',
      '2 réponses, dernier message le dimanche 1er mars 2026, 12 h.',
      'En attente\u202f: Jo Reyes',
      'Adresse\u202f:',
      '1,5 heure de formation.',
      'Ouvrez «\u202fPump\u202f» sur le',
      'EMT a expiré le 10 janv. 2026',
    ],
  ],
  [
    'de-DE',
    [
      'Bis Montag, 9. März 2026, 19:00.',
      '5. März 2026: Ohne Titel',
      'Sitzung am Donnerstag, 5. März 2026',
      'Datei (TXT, 900 Byte)',
      'Öffnen Sie diese Dateien auf der',
      '2 Antworten, letzter Beitrag: Sonntag, 1. März 2026, 12:00.',
      'Wartet auf Freigabe: Jo Reyes',
      'Eingesetzte Kräfte:',
      '1,5 Ausbildungsstunden.',
      'Mit Bewertung: bestanden ab 80\u00a0%.',
      'EMT ist am 10. Jan. 2026 abgelaufen',
    ],
  ],
] as const)('writes items in %s', ([language, expected]) => {
  expect(linesIn(language)).toEqual(expect.arrayContaining([...expected]))
  expect(itemsIn(language).map(factsOf)).toEqual(itemsIn('en-US').map(factsOf))
})

test('does not repeat the period of a time', () => {
  const event = { id: 1, status: 1, startDate: '2026-03-05', location: 'Station 1', text: 'Hi...' }
  const [item] = itemsWith('events', event, (record, source) =>
    draftFromEvent(record, source, { allDay: false, start: '2026-03-05T19:00:00' }),
  )([{}], { language: 'es-US' })
  expect(item?.summary).toBe('jueves, 5 de marzo de 2026, 7:00 p.m. Station 1. Hi...')
})
