import type { Feed } from '../../src/feeds/feed.ts'
import type { FeedOption } from '../../src/options/option.ts'

/**
 * Returns the rows about options for the given feeds from the table in docs/feeds.md, by their
 * examples.
 */
export function documentedOptions(
  feeds: readonly Feed[],
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const taken = feeds.flatMap((feed) =>
    feed.formats.flatMap((format) =>
      Object.values(feed.options(format)).map((option) => ({ feed, format, option })),
    ),
  )
  const options = new Set(taken.map(({ option }) => option))
  return new Map(
    [...options].map((option) => {
      const takers = taken.filter((each) => each.option === option)
      const formats = new Set(takers.map(({ format }) => format))
      const isOfAll = feeds.every((feed) =>
        feed.formats.every(
          (format) => !formats.has(format) || Object.values(feed.options(format)).includes(option),
        ),
      )
      const names = isOfAll ? [...formats].map((format) => `.${format}`) : idsOf(takers)
      return [option.example, rowOf(option, names)]
    }),
  )
}

function idsOf(takers: readonly { readonly feed: Feed }[]): readonly string[] {
  return [...new Set(takers.map(({ feed }) => feed.id))]
}

function rowOf({ example, type, meaning }: FeedOption<unknown>, on: readonly string[]) {
  return {
    option: `\`${example}\``,
    on: on.map((name) => `\`${name}\``).join(', '),
    values: type.documented,
    meaning,
  }
}
