import { expect, test } from 'vitest'
import type { BoardItem } from '../../../src/signage/board-item.ts'
import { fewRecords } from '../../support/few-records.ts'
import { startTestService } from '../../support/service.ts'

test.for([
  [
    'es-US',
    ['Nueva pantalla', 'Tamaño de la pantalla', '>43 pulgadas<', '>Inglés (Estados Unidos)<'],
    'hasta 5.9 metros (19 pies)',
    ['aria-label="Tarjetas"', '>Véalo en su teléfono<', 'Última lectura del sitio web: 10:00'],
  ],
  [
    'fr-CA',
    ['Nouvel écran', 'Taille de l’écran', '>43 pouces<', '>Anglais (États-Unis)<'],
    'jusqu’à 5,9 mètres (19 pieds)',
    ['aria-label="Encadrés"', '>Sur votre téléphone<', 'Dernière mise à jour à 10'],
  ],
  [
    'de-DE',
    ['Neuer Bildschirm', 'Größe des Bildschirms', '>43 Zoll<', '>Englisch (USA)<'],
    'aus höchstens 5,9 Metern lesbar',
    ['aria-label="Karten"', '>Aufs Handy holen<', 'Stand: 10:00\u{a0}Uhr'],
  ],
] as const)('writes new screens and boards in %s', async ([language, texts, size, boardTexts]) => {
  await using service = await startTestService({ sandbox: fewRecords, language })
  const page = async (path: string) => (await fetch(`${service.url}${path}`)).text()
  const composer = await page('/board/new?submitted=1&show=news&distance=10&inches=32')
  for (const text of [...texts, size]) expect(composer).toContain(text)
  const board = await page('/board')
  for (const text of boardTexts) expect(board).toContain(text)
  expect(await page('/board?lang=en')).toContain('>Get this on your phone<')
})

test.for([
  ['es', 'es-US', /: 10:00\sa\.m\./],
  ['es-ES', 'es-ES', /: 10:00</],
  ['fr', 'fr-CA', / à 10\sh</],
  ['pt', 'pt', / 10:00</],
] as const)('writes times on boards in %s as in %s', async ([lang, tag, time]) => {
  await using service = await startTestService({ sandbox: fewRecords })
  const { text } = await service.get(`/board?lang=${lang}`)
  expect(text).toContain(`<html lang="${tag}"`)
  expect(text).toMatch(time)
})

test('writes the content of boards in their language', async () => {
  await using service = await startTestService({ publicFeedIds: ['events', 'announcements'] })
  const textOf = async (path: string) => (await service.get(path)).text
  const itemsIn = async (lang: string) =>
    JSON.parse(await textOf(`/board.json${lang}`)) as readonly BoardItem[]
  const english = await itemsIn('')
  expect(await itemsIn('?lang=en-GB')).toEqual(english)
  for (const [lang, when, until] of [
    ['es', 'viernes, 6 de marzo de 2026', 'Hasta el jueves, 12 de marzo'],
    ['fr', 'vendredi 6 mars 2026', 'Jusqu’au jeudi 12 mars'],
    ['de', 'Freitag, 6. März 2026', 'Bis Donnerstag, 12. März'],
  ] as const) {
    const items = await itemsIn(`?lang=${lang}`)
    expect(items.map(({ id, start }) => [id, start])).toEqual(
      english.map(({ id, start }) => [id, start]),
    )
    expect(items[0]?.when).toContain(when)
    expect(items.find(({ title }) => title === 'Burn ban in effect')?.text).toContain(until)
    for (const path of ['board.rss', 'board/concerto.json']) {
      expect(await textOf(`/${path}?lang=${lang}`)).toContain(when)
    }
  }
})
