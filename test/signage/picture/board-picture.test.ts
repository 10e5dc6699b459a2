import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { fontWidths } from '../../../src/pictures/font.ts'
import type { BoardItem } from '../../../src/signage/board-item.ts'
import { qrCodeOf } from '../../../src/web/qr-code.ts'
import { boardContents } from '../../support/board-contents.ts'
import { item } from '../../support/board-items.ts'
import {
  busyWeek,
  crowdedDay,
  drawingFor,
  emergency,
  germanWeek,
  hostileWeek,
} from '../../support/board-picture.ts'

type Line = {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly size: number
}

/** Returns the lines of text in a drawing, with their places in pixels. */
function linesIn(svg: string): readonly Line[] {
  const lines: Line[] = []
  let attributes: Record<string, string> = {}
  let runs: { text: string; isBold: boolean }[] = []
  const parser = new SaxesParser()
  parser.on('opentag', (tag) => {
    const own = tag.attributes as Record<string, string>
    if (tag.name === 'text') [attributes, runs] = [own, []]
    if (tag.name === 'tspan') runs.push({ text: '', isBold: own['font-weight'] === '700' })
  })
  parser.on('text', (text) => {
    const run = runs.at(-1)
    if (run) run.text += text
  })
  parser.on('closetag', ({ name }) => {
    if (name !== 'text') return
    const size = Number(attributes['font-size'])
    const { widthOf } = fontWidths()
    const width = runs.reduce((sum, { text, isBold }) => sum + widthOf(text, isBold), 0) * size
    const x = Number(attributes['x'])
    const shares = { start: 0, middle: 0.5, end: 1 } as const
    const left = x - width * shares[(attributes['text-anchor'] ?? 'start') as keyof typeof shares]
    const text = runs.map((run) => run.text).join('')
    lines.push({ text, left, right: left + width, baseline: Number(attributes['y']), size })
  })
  parser.write(svg).close()
  return lines
}

const textsOf = (content: Parameters<typeof drawingFor>[0]) =>
  linesIn(drawingFor(content).drawing.svg).map(({ text }) => text)

test('shows the date, the name, and the entries in the order of the board', () => {
  const texts = textsOf({ items: busyWeek, query: 'size=1600x1200&distance=0.3' })
  expect(texts.slice(0, 2)).toEqual(['Thursday, March 5', 'Cedar Hollow Volunteer Fire Department'])
  const shown = [
    'On duty now, until 6 AM',
    'Today',
    '12 – 1 PM',
    'Blood drive',
    'Changed · Social Hall',
  ]
  const later = [
    '7 – 9:30 PM',
    'Rooms in use today',
    'Tomorrow',
    'Sunday, March 8',
    'Can you help?',
  ]
  const places = [...shown, ...later].map((text) => texts.indexOf(text))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
  expect(texts.join(' ')).toContain('3 of 12 places open')
})

test('has neither a clock nor a countdown, so that it stays the same until an entry ends', () => {
  const items = busyWeek.filter(({ role }) => role !== 'duty')
  const at = (clock: string) => drawingFor({ items, clock }).drawing.svg
  expect(at('11:05:00')).toBe(at('11:59:00'))
  expect(at('13:01:00')).not.toBe(at('11:59:00'))
})

test('says how many entries are not shown', () => {
  const texts = textsOf({ items: crowdedDay })
  const shown = texts.filter((text) => text.startsWith('Meeting ')).length
  expect(shown).toBeGreaterThan(10)
  expect(texts).toContain(`+${200 - shown} more`)
})

test('says how many announcements are not shown', () => {
  const text = 'Come to the firehouse with your family and friends. '.repeat(7)
  const items = [1, 2, 3].map((id) =>
    item({ id: `a${id}`, role: 'announcement', title: `News ${id}`, text, end: null }),
  )
  expect(textsOf({ items, query: 'size=400x300' }).at(-1)).toBe('+2 more')
  const long = item({ role: 'announcement', title: '', text: text.trim(), end: null })
  expect(textsOf({ items: [long], query: 'size=296x128' }).at(-1)).toMatch(/…$/)
})

test('shows the whole emergency text and nothing else, even on a small display', () => {
  for (const size of ['800x480', '480x800', '400x300', '296x128']) {
    const texts = textsOf({ items: [...busyWeek, emergency], query: `size=${size}` })
    const [label, until, ...rest] = texts
    expect([label, until]).toEqual(['Emergency', 'until 6 PM'])
    expect(rest.join(' ')).toBe(`${emergency.title} ${emergency.text}`)
  }
})

test('says when the data are old, and that nothing is planned', () => {
  expect(textsOf({})).toContain('Nothing is planned')
  expect(textsOf({ ageMs: 5 * 60_000 }).join()).not.toContain('read')
  expect(textsOf({ ageMs: 60 * 60_000 })).toContain(
    'Website last read 9:00\u202FAM'.replace('\u202F', ' '),
  )
  expect(textsOf({ ageMs: 10 * 3_600_000 }).join()).toContain('No news since')
})

test('replaces titles that the font cannot draw, in the language of the picture', () => {
  const items = [item({ title: '消防訓練' })]
  expect(textsOf({ items }).join(' ')).toContain('Title that cannot be shown here (Han)')
  expect(textsOf({ items, query: 'lang=de' }).join(' ')).toContain(
    'Titel, der hier nicht darstellbar',
  )
})

test.for(['ja', 'ko', 'zh', 'ar', 'he', 'hi', 'th', 'fa', 'ka'])(
  'lang=%s has no date or sentence that the font cannot draw',
  (lang) => {
    const { hasCharacter } = fontWidths()
    const items = [...busyWeek, item({ title: '消防訓練' })]
    const text = textsOf({ items, query: `lang=${lang}&size=1600x1200`, ageMs: 36e5 }).join('')
    expect(Array.from(text).filter((character) => !hasCharacter(character))).toEqual([])
    expect(text).toContain('Thursday, March 5')
  },
)

test('keeps the dates of a language that the font can draw', () => {
  expect(textsOf({ query: 'lang=ru' })[0]).toBe('Четверг, 5 марта')
})

const sizes = [
  '800x480',
  '480x800',
  '1200x825',
  '600x800',
  '400x300',
  '296x128',
  '100x100',
  '2560x600',
]
const contents: readonly (readonly BoardItem[])[] = [
  busyWeek,
  germanWeek,
  hostileWeek,
  crowdedDay,
  [emergency],
  [],
  ...boardContents(40),
]

/** Rounding of baselines and sizes. */
const tolerance = 1.5

const codeBox = /<svg x="(\d+)" y="(\d+)" width="(\d+)"/

test.for(sizes)('no text leaves a picture of %s or covers other text or the code', async (size) => {
  const [width = 0, height = 0] = size.split('x').map(Number)
  const { hasCharacter } = fontWidths()
  const code = await qrCodeOf('https://cedarhollow.example/')
  const withCode = contents.flatMap((items) => ['', code].map((each) => ({ items, code: each })))
  for (const content of withCode) {
    const { svg } = drawingFor({ ...content, query: `size=${size}` }).drawing
    const lines = linesIn(svg)
    const [, codeLeft = width, codeTop = height, side = 0] = (codeBox.exec(svg) ?? []).map(Number)
    expect(side).toBeLessThanOrEqual(height / 3)
    expect(
      lines.filter(
        ({ right, baseline }) => right > codeLeft + tolerance && baseline > codeTop + tolerance,
      ),
    ).toEqual([])
    for (const { text, left, right, baseline } of lines) {
      expect(Array.from(text).filter((character) => !hasCharacter(character))).toEqual([])
      expect.soft(left, text).toBeGreaterThanOrEqual(-tolerance)
      expect.soft(right, text).toBeLessThanOrEqual(width + tolerance)
      expect.soft(baseline, text).toBeLessThanOrEqual(height)
    }
    const capital = 0.66
    const covered = lines.flatMap((line, index) =>
      lines.slice(index + 1).flatMap((other) => {
        const isBeside =
          line.right <= other.left + tolerance || other.right <= line.left + tolerance
        const isAbove =
          line.baseline <= other.baseline - capital * other.size + tolerance ||
          other.baseline <= line.baseline - capital * line.size + tolerance
        return isBeside || isAbove ? [] : [`${line.text} / ${other.text}`]
      }),
    )
    expect(covered).toEqual([])
  }
})
