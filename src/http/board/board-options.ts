import { boardEntries } from '../../feeds/feed-overview.ts'
import { createParameters, type OptionsReading } from '../../feeds/parameters.ts'
import { boardKinds, type BoardKind } from '../../signage/board-item.ts'
import { languageFrom } from './board-languages.ts'

/** How a board is shown: the parameters of its address. */
export type BoardOptions = {
  readonly show: readonly BoardKind[]
  readonly theme: 'dark' | 'light' | 'auto'
  /** How long a page stays, in seconds. */
  readonly rotate: number
  /** How many items of each feed, at most. */
  readonly limit: number
  /** Entries on a page, at most. */
  readonly rows: number
  /** Lines of text that fit on it at that distance. */
  readonly lines: number
  /** From how far it can be read: about 5 or 10 m. */
  readonly distance: 'near' | 'far'
  /** BCP 47, a language or a language and a region. */
  readonly lang: string
  /** In place of the site's name. */
  readonly title: string | undefined
  /** Whether pages fade. */
  readonly hasMotion: boolean
}

const defaultRotateSeconds = 12
const defaultRows = 7
/** From afar a title may take two of them. */
const linesThatFit = { near: 21, far: 8 }
const maxTitleLength = 80
const defaultLanguage = 'en-US'

export function readBoardOptions(query: URLSearchParams): OptionsReading<BoardOptions> {
  const parameters = createParameters(query)
  const distance = parameters.oneOf('distance', ['near', 'far'])
  const lang =
    parameters.text('lang', isLanguage, 'a language, like en, en-GB or es') ?? defaultLanguage
  const options: BoardOptions = {
    show: parameters.someOf('show', boardKinds),
    theme: parameters.oneOf('theme', ['dark', 'light', 'auto']),
    limit: parameters.wholeNumber('limit', 1, boardEntries) ?? boardEntries,
    rotate: parameters.wholeNumber('rotate', 5, 300) ?? defaultRotateSeconds,
    rows: parameters.wholeNumber('rows', 3, 12) ?? defaultRows,
    distance,
    lines: linesThatFit[distance],
    lang: languageFrom(lang) ?? defaultLanguage,
    title:
      parameters.text(
        'title',
        (text) => text.length <= maxTitleLength,
        `at most ${maxTitleLength} characters`,
      ) || undefined,
    hasMotion: parameters.oneOf('motion', ['1', '0']) === '1',
  }
  return parameters.reading(options)
}

function isLanguage(text: string): boolean {
  return languageFrom(text) !== undefined
}
