import { expect, test } from 'vitest'
import { startTestService } from '../../support/service.ts'

test.for([
  [
    'es-US',
    ['Nueva pantalla', 'Tamaño de la pantalla', '>43 pulgadas<', '>Inglés (Estados Unidos)<'],
    'hasta a 5.9 metros (19 pies)',
    ['aria-label="Tarjetas"', '>En su teléfono<', 'Última lectura del sitio web: 10:00'],
  ],
  [
    'fr-CA',
    ['Nouvel écran', 'Taille de l’écran', '>43 pouces<', '>Anglais (États-Unis)<'],
    'jusqu’à 5,9 mètres (19 pieds)',
    ['aria-label="Cartes"', '>Sur votre téléphone<', 'Site Web lu à 10'],
  ],
  [
    'de-DE',
    ['Neuer Bildschirm', 'Größe des Bildschirms', '>43 Zoll<', '>Englisch (Vereinigte Staaten)<'],
    'bis zu einer Entfernung von 5,9 Metern (19 Fuß)',
    ['aria-label="Karten"', '>Aufs Handy holen<', 'Website zuletzt gelesen: 10:00 Uhr'],
  ],
] as const)('writes new screens and boards in %s', async ([language, texts, size, boardTexts]) => {
  await using service = await startTestService({ language })
  const page = async (path: string) => (await fetch(`${service.url}${path}`)).text()
  const composer = await page('/board/new?submitted=1&show=news&distance=10&inches=32')
  for (const text of [...texts, size]) expect(composer).toContain(text)
  const board = await page('/board')
  for (const text of boardTexts) expect(board).toContain(text)
  expect(await page('/board?lang=en')).toContain('>Get this on your phone<')
})
