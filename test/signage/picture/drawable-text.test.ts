import { expect, test } from 'vitest'
import { fontWidths } from '../../../src/pictures/font.ts'
import { drawableItem, drawableText } from '../../../src/signage/picture/drawable-text.ts'
import { item } from '../../support/board-items.ts'

const { hasCharacter } = fontWidths()

test.for([
  ['Übung: Löschangriff – 19:30 Uhr', 'Übung: Löschangriff – 19:30 Uhr'],
  ['Пожарная дружина · Πυροσβεστική', 'Пожарная дружина · Πυροσβεστική'],
  ['Fish fry 🐟 on Friday', 'Fish fry on Friday'],
  ['🎄 Christmas party 🎄', 'Christmas party'],
  ['𝐁𝐨𝐥𝐝 ｗｉｄｅ', 'Bold wide'],
  ['Bie\u0302n ba\u0309n', 'Biên bản'],
  ['right\u202E to\u200B left\u0000\u0007', 'right to left'],
  ['two\u00A0words\tand more\nlines', 'two words and more\nlines'],
  ['\uD800broken', 'broken'],
  ['消防訓練', ''],
])('draws %j as %j', ([text = '', expected]) => {
  expect(drawableText(text, hasCharacter)).toBe(expected)
})

test.for([
  ['消防団の訓練', 'en', 'no title (Japanese)'],
  ['مهرجان الإطفاء', 'de', 'no title (Arabisch)'],
  ['👩‍🚒👩‍🚒', 'en', 'no title'],
  ['消防 – 19:30', 'en', '– 19:30'],
  ['', 'en', ''],
])('the title %j becomes %j: %j', ([title = '', lang = '', expected]) => {
  const texts = { inScript: 'no title ({script})', otherwise: 'no title' }
  const drawn = drawableItem(item({ title, location: '東京' }), lang, texts, hasCharacter)
  expect([drawn.title, drawn.location]).toEqual([expected, ''])
})
