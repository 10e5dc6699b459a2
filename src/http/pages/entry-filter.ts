import type { FeedPart } from '../../feeds/feed-overview.ts'
import type { Feed } from '../../feeds/feed.ts'
import { sourceList, textFrom, type SourceChoice } from '../../feeds/source-list.ts'
import { readOptions, type OptionSet } from '../../options/option.ts'
import { BadOption } from '../server/errors.ts'

/** With more calendars than this, only the feed as a whole can be hidden. */
const maxPartChips = 12

/** A feed that the viewer may read, with its calendars or rental types. */
export type FilteredFeed = { readonly feed: Feed; readonly parts: readonly FeedPart[] }

/** A link that shows or hides a feed, or one of its calendars. */
export type FilterChip = {
  readonly feedId: string
  readonly name: string
  readonly isOn: boolean
  /** Value of `show` after following the link; empty if everything is shown. */
  readonly show: string
}

export type EntryFilter = {
  /** The feeds to show, with the ids of their parts; an empty list of parts means all. */
  readonly chosen: readonly SourceChoice[]
  /** Canonical value of `show`; empty if everything is shown. */
  readonly show: string
  readonly chips: readonly FilterChip[]
}

type FilterOptions = { readonly show: readonly SourceChoice[] | undefined }

/** A feed, or one of its parts. */
type Token = { readonly feedId: string; readonly part: number | undefined; readonly name: string }

/**
 * Reads which feeds and calendars a page shows from the option `show`, which combined calendars also have.
 * Throws `BadOption` for an invalid value.
 */
export function readEntryFilter(
  feeds: readonly FilteredFeed[],
  query: URLSearchParams,
): EntryFilter {
  const options: OptionSet<FilterOptions> = {
    show: {
      name: 'show',
      type: sourceList(
        feeds.map(({ feed }) => feed),
        'ics',
      ),
      defaultValue: undefined,
    },
  }
  const reading = readOptions(options, query)
  if (!reading.ok) throw new BadOption(reading.reason)
  const { show } = reading.chosen.values
  const tokens = feeds.flatMap(tokensOf)
  const isOn = ({ feedId, part }: Token) =>
    show === undefined ||
    show.some(
      (choice) =>
        choice.feedId === feedId &&
        (choice.parts.length === 0 || (part !== undefined && choice.parts.includes(part))),
    )
  const on = tokens.filter(isOn)
  const showOf = (shown: readonly Token[]) =>
    shown.length === 0 || shown.length === tokens.length ? '' : textOf(choicesOf(shown, tokens))
  return {
    chosen: show ?? feeds.map(({ feed }) => ({ feedId: feed.id, parts: [] })),
    show: showOf(on),
    chips: tokens.map((token) => ({
      feedId: token.feedId,
      name: token.name,
      isOn: on.includes(token),
      show: showOf(tokens.filter((each) => (each === token) !== on.includes(each))),
    })),
  }
}

function tokensOf({ feed, parts }: FilteredFeed): readonly Token[] {
  if (parts.length < 2 || parts.length > maxPartChips) {
    return [{ feedId: feed.id, part: undefined, name: feed.title }]
  }
  return parts.map(({ id, name }) => ({ feedId: feed.id, part: id, name }))
}

/** Groups tokens by feed. A feed with all of its parts needs no numbers. */
function choicesOf(shown: readonly Token[], all: readonly Token[]): readonly SourceChoice[] {
  const byFeed = Map.groupBy(shown, ({ feedId }) => feedId)
  return [...byFeed].map(([feedId, tokens]) => {
    const isWhole = tokens.length === all.filter((each) => each.feedId === feedId).length
    return { feedId, parts: isWhole ? [] : tokens.flatMap(({ part }) => part ?? []) }
  })
}

function textOf(choices: readonly SourceChoice[]): string {
  return choices.map(({ feedId, parts }) => textFrom(feedId, parts)).join(',')
}
