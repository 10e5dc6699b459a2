import { createTextFit, estimatedWidth } from '../../signage/board-text.js'
import type { BoardItem } from '../../signage/board-item.ts'
import { dutyHtml, pageHtml } from '../../signage/board-html.js'
import type { AsOf } from '../../signage/board-header.js'
import { wordsOf } from '../../signage/board-language.js'
import { layoutOf } from '../../signage/board-layout.js'
import { smallestReadable } from '../../signage/board-sizes.js'
import {
  activeTime,
  clockTime,
  dateName,
  shortDate,
  type TimeOptions,
} from '../../signage/board-times.js'
import { viewOf } from '../../signage/board-view.js'

/** The screen's own script knows its size, and replaces the first page. */
const assumedScreen = { width: 1920, height: 1080 }

const fit = createTextFit(estimatedWidth)

/** Returns the HTML that a board shows before its script runs. */
export function firstPageOf(
  items: readonly BoardItem[],
  options: {
    readonly name: string
    /** Current date and time at the site. */
    readonly now: string
    readonly instant: number
    readonly lang: string
    readonly distance: number
    readonly inches: number
    readonly rows: number | undefined
    readonly asOf: AsOf
    readonly hasCode: boolean
  },
): {
  readonly duty: string
  readonly agenda: string
  readonly cards: string
  readonly emergency: EmergencyHtml | null
} {
  const { now, instant, lang, rows } = options
  const view = viewOf(items, options)
  const today = now.slice(0, 10)
  const { duty, panels } = layoutOf(view, {
    ...options,
    screen: { ...assumedScreen, smallest: smallestReadable(assumedScreen, options) },
    fit,
    time: { now, instant, lang },
    clock: {
      time: clockTime(now, lang),
      date: dateName(today, lang),
      shortDate: shortDate(today, lang),
    },
    maxRows: rows,
  })
  const firstOf = (id: string) => panels.find((panel) => panel.id === id)
  const agenda = firstOf('agenda')
  const cards = firstOf('cards')
  return {
    duty: duty ? dutyHtml(duty, lang) : '',
    agenda: agenda || !cards ? pageHtml(agenda?.pages[0], lang) : '',
    cards: cards ? pageHtml(cards.pages[0], lang) : '',
    emergency: view.emergency ? emergencyHtml(view.emergency, options) : null,
  }
}

type EmergencyHtml = { readonly label: string; readonly text: string; readonly until: string }

/** Returns the whole emergency text, because screens without JavaScript show only one page. */
function emergencyHtml(item: BoardItem, time: TimeOptions): EmergencyHtml {
  const notices = { items: [item], size: 0, stretch: 1, hasLabel: false }
  return {
    label: wordsOf(time.lang).emergency,
    text: pageHtml({ notices, story: null }, time.lang),
    until: activeTime(item, time),
  }
}
