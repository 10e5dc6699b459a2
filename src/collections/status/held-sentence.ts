import type { CollectionState } from '../collections.ts'
import { publishesAt, type Held } from '../copy/loss-guard.ts'

type At = (instant: number) => string

/** Returns one message about all held collections, with advice. */
export function heldSentences(collections: readonly CollectionState[], at: At): readonly string[] {
  const held = collections.flatMap(({ resource, kept }) =>
    kept?.held ? [{ resource, held: kept.held, published: kept.collection.records.length }] : [],
  )
  if (held.length === 0) return []
  const lossesOf = (isUnreadable: boolean) =>
    listed(
      held
        .filter(({ held: loss }) => loss.isUnreadable === isUnreadable)
        .map(
          ({ resource, held: loss, published }) =>
            `${resource} (${loss.records} instead of ${published} since ${at(loss.since)}${noteOn(loss, at)})`,
        ),
    )
  const [lacking, unreadable] = [lossesOf(false), lossesOf(true)]
  const copies = held.length === 1 ? 'copy stays' : 'copies stay'
  const name = held.length === 1 ? held[0]?.resource : 'NAME'
  const isTimed = held.some(({ held: loss }) => publishesAt(loss) !== undefined)
  const sentences = [
    lacking && `The website no longer has most of the records in ${lacking}.`,
    unreadable &&
      `Most records in ${unreadable} cannot be read. Ask the website's operator what has changed, and look for a newer version of Feedhouse.`,
    `The last good ${copies} published until the records are back. If they were removed on purpose, accept the loss on the admin page, or run npx feedhouse collections accept ${name}.`,
    isTimed && `To keep the last good copy longer, run npx feedhouse collections hold ${name}.`,
  ]
  return [sentences.filter(Boolean).join(' ')]
}

function noteOn(held: Held, at: At): string {
  const timed = publishesAt(held)
  return [
    held.isHeldByRequest ? '; held by operator request' : '',
    timed === undefined ? '' : `; published after ${at(timed)} if nothing changes`,
  ].join('')
}

function listed(texts: readonly string[]): string {
  return [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter(Boolean).join(' and ')
}
