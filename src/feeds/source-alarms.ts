import type { ValueType } from '../options/option.ts'
import { wholeNumbers } from '../options/value-types.ts'
import type { Feed } from './feed.ts'
import { textFrom, tokenFrom, wordsFrom } from './source-list.ts'

/** Reminder times before the start, for all feeds and for single ones. */
export type SourceAlarms = {
  readonly forAll: readonly number[]
  readonly byFeed: Readonly<Record<string, readonly number[]>>
}

/** Stands for no reminders: with `60,rental:none`, only rentals have none. */
const noneWord = 'none'

/** Creates a value type for reminder times, which may differ by feed. Messages name only `offered`. */
export function sourceAlarms(
  { feeds, offered }: { readonly feeds: readonly Feed[]; readonly offered: readonly Feed[] },
  limits: { readonly maxMinutes: number; readonly maxCount: number },
): ValueType<SourceAlarms> {
  const { maxMinutes, maxCount } = limits
  const minutes = wholeNumbers({ min: 0, max: maxMinutes, maxCount, example: '' })
  const feedIds = feeds.map(({ id }) => id)
  const offeredIds = offered.map(({ id }) => id)

  const readAll = (texts: readonly string[]): SourceAlarms | undefined => {
    const forAll = texts.filter((text) => !text.includes(':') && text !== '')
    const tokens = texts.filter((text) => text.includes(':')).map(tokenFrom)
    const byFeed = new Map(
      tokens.map(({ feedId, numbers = [] }) => [
        feedId,
        String(numbers) === noneWord ? [] : minutes.read(numbers),
      ]),
    )
    const everywhere = minutes.read(forAll)
    const isValid =
      everywhere &&
      forAll.length + tokens.length === texts.length &&
      byFeed.size === tokens.length &&
      [...byFeed].every(([feedId, read]) => feedIds.includes(feedId) && read)
    if (!isValid) return undefined
    const known = feedIds.flatMap((id) => {
      const read = byFeed.get(id)
      return read ? [[id, read] as const] : []
    })
    return { forAll: everywhere, byFeed: Object.fromEntries(known) }
  }

  return {
    isList: true,
    read: readAll,
    format: ({ forAll, byFeed }) =>
      [
        ...forAll.map(String),
        ...Object.entries(byFeed).map(([feedId, numbers]) =>
          numbers.length === 0 ? `${feedId}:${noneWord}` : textFrom(feedId, numbers),
        ),
      ].join(','),
    expected: (name) =>
      `at most ${maxCount} whole numbers from 0 to ${maxMinutes}, and at most as many after each of ${wordsFrom(offeredIds)}, like ${name}=60,${offeredIds[0]}:30.1440`,
    documented: `1 to ${maxCount} numbers, each 0 to ${maxMinutes}, for all feeds or after the name of one`,
  }
}
