import { createTextFit, estimatedWidth } from '../../src/signage/board-text.ts'
import type { BoardItem } from '../../src/signage/board-item.ts'
import { layoutOf } from '../../src/signage/board-layout.ts'
import { boardMessages } from '../../src/signage/messages.ts'
import { smallestReadable } from '../../src/signage/board-sizes.ts'
import { viewOf } from '../../src/signage/board-view.ts'

export const estimatedFit = createTextFit(estimatedWidth)

/** Returns the layout of a board on March 5, 2026, with estimated widths of text. */
export function layoutFor(
  items: readonly BoardItem[],
  options: {
    readonly width?: number
    readonly height?: number
    readonly distance?: number
    readonly inches?: number
    readonly maxRows?: number
    readonly name?: string
    readonly lang?: string
    readonly clock?: string
  } = {},
) {
  const {
    width = 1920,
    height = 1080,
    distance = 3,
    inches = 55,
    maxRows,
    lang = 'en-US',
    clock = '10:00:00',
  } = options
  const time = {
    now: `2026-03-05T${clock}`,
    instant: Date.parse(`2026-03-05T${clock}-05:00`),
    lang,
    words: boardMessages(lang),
  }
  return layoutOf(viewOf(items, time), {
    screen: { width, height, smallest: smallestReadable({ width, height }, { distance, inches }) },
    fit: estimatedFit,
    time,
    name: options.name ?? 'Cedar Hollow Volunteer Fire Department',
    asOf: { text: 'Website last read 10:00 AM', level: '' },
    hasCode: false,
    maxRows,
  })
}
