import type { RenderedFeed } from '../feeds.ts'

const maxRepairedShown = 20
const repairedNamed = 5

/** What of a calendar cannot be shown as it is. Holds nothing personal. */
export type FeedStatus = {
  readonly name: string
  /** How many records have times that make no sense, and are shown as well as they can be. */
  readonly repairedCount: number
  /** The first of them. */
  readonly repaired: RenderedFeed['repaired']
  /** How many entries there are beyond those that one calendar shows. */
  readonly omittedCount: number
}

export function feedStatus(
  name: string,
  { repaired, omitted }: Pick<RenderedFeed, 'repaired' | 'omitted'>,
): FeedStatus {
  return {
    name,
    repairedCount: repaired.length,
    repaired: repaired.slice(0, maxRepairedShown),
    omittedCount: omitted,
  }
}

/** The same for people. */
export function feedSentences(feeds: readonly FeedStatus[]): readonly string[] {
  return feeds.flatMap(({ name, repairedCount, repaired, omittedCount }) => {
    const named = repaired.slice(0, repairedNamed).map(({ id, reason }) => `${id} ${reason}`)
    return [
      repairedCount > 0 &&
        `${name} has ${repairedCount === 1 ? '1 record' : `${repairedCount} records`} with times that make no sense, shown as well as they can be. Correct them on the website: ${named.join('; ')}${repairedCount > repairedNamed ? '; ...' : '.'}`,
      omittedCount > 0 &&
        `${name} has ${omittedCount} entries more than a calendar shows; it ends with an entry that says so.`,
    ].filter((sentence) => typeof sentence === 'string')
  })
}
