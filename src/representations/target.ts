import type { Collection } from '../collections/collection.ts'
import type { CollectionReader, Copies } from '../collections/collections.ts'
import { sourcesOf } from '../feeds/combined-feed.ts'
import type { Feed, FeedRequest, ServedFeed } from '../feeds/feed.ts'
import { type FeedFormat, isCalendarFormat } from '../feeds/formats.ts'
import type { FeedLink } from '../links/feed-link.ts'
import { noneChosen, type ChosenOptions } from '../options/option.ts'
import type { Language } from '../records/messages.ts'
import { personalResources, type FeedResource } from '../records/resources.ts'

/** What to render: a feed with its options, in a format, for a profile. Several URLs can share a target. */
export type Target = {
  readonly feed: ServedFeed
  /** Feeds whose records are shown. */
  readonly sources: readonly Feed[]
  readonly chosen: ChosenOptions
  readonly format: FeedFormat
  readonly profile: FeedRequest['profile']
  /** The member whose own entries are also shown. */
  readonly memberId?: number
  /** Undefined for the website's language. */
  readonly language?: Language | undefined
  /** When an edit of the link last changed how its entries look. */
  readonly entriesChangedAt?: number
  /** Identical for all equivalent URLs. */
  readonly name: string
}

export function targetOf(
  feed: ServedFeed,
  sources: readonly Feed[],
  {
    chosen,
    format,
    profile,
    memberId,
  }: Pick<Target, 'chosen' | 'format' | 'profile'> & { readonly memberId?: number | undefined },
): Target {
  const ids = sources.map(({ id }) => id).join(',')
  const shown = ids === feed.id ? '' : ` of ${ids}`
  const query = chosen.query === '' ? '' : `?${chosen.query}`
  const name = `${profile} ${feed.id}.${format}${shown}${query}`
  const target = { feed, sources, chosen, format, profile }
  return memberId !== undefined && feed.hasPersonalEntries?.(format, sources)
    ? { ...target, memberId, name: `${name} for member ${memberId}` }
    : { ...target, name }
}

/** Returns true for a target without options, in the website's language. */
export function isPlain({ chosen, language }: Target): boolean {
  return chosen.query === '' && language === undefined
}

export function inLanguage(target: Target, language: Language | undefined): Target {
  return language === undefined
    ? target
    : { ...target, language, name: `${target.name} in ${language}` }
}

/**
 * Returns the target for a link. Links share it until an edit changes how the entries of one look,
 * because some apps ignore a changed entry unless its LAST-MODIFIED is later.
 */
export function forLink(target: Target, link: FeedLink | undefined): Target {
  const { feed, format, name } = target
  const { profileChangedAt = 0, choiceChangedAt = 0 } = link ?? {}
  const ofChoice = feed.savedQuery ? choiceChangedAt : 0
  const entriesChangedAt = Math.max(profileChangedAt, ofChoice)
  return entriesChangedAt === 0 || !isCalendarFormat(format)
    ? target
    : { ...target, entriesChangedAt, name: `${name} changed at ${entriesChangedAt}` }
}

export function resourcesOf({ sources, memberId }: Target): readonly FeedResource[] {
  const resources: readonly FeedResource[] = sources.map(({ resource }) => resource)
  return [...new Set([...resources, ...(memberId === undefined ? [] : personalResources)])]
}

/**
 * Returns feeds, and others that combine them, without options, in each of their formats. Omits
 * formats for which a feed has no sources.
 */
export function plainTargets(
  feeds: readonly Feed[],
  combinedFeeds: readonly ServedFeed[],
  profile: Target['profile'],
): readonly Target[] {
  return [...feeds, ...combinedFeeds].flatMap((feed) =>
    feed.formats.flatMap((format): readonly Target[] => {
      const chosen = noneChosen(feed.options(format))
      const sources = feed.sourcesFrom(feeds, format, chosen)
      return sources.length === 0 ? [] : [targetOf(feed, sources, { chosen, format, profile })]
    }),
  )
}

/** The last good copies of the records that a target shows. */
export type SourceCopies = {
  readonly sources: readonly { readonly feed: Feed; readonly source: Collection }[]
  /** The records for the member's own entries, if the target has a member. */
  readonly personal: FeedRequest['personal']
  /** All of these copies, without duplicates. */
  readonly collections: readonly Collection[]
}

/** Identifies the version of all records that a target shows. */
export type Ledgers = readonly Collection['ledger'][]

/** Returns the copies for a target. Omits sources without one. */
export function copiesOf(target: Target, { copyOf }: CollectionReader): SourceCopies {
  const { sources, memberId } = target
  return {
    sources: sourcesOf(sources, copyOf),
    personal: memberId === undefined ? undefined : personalCopies(memberId, copyOf),
    collections: resourcesOf(target).flatMap((resource) => copyOf(resource) ?? []),
  }
}

export function personalCopies(
  memberId: number,
  copyOf: Copies['copyOf'],
): NonNullable<FeedRequest['personal']> {
  return {
    memberId,
    members: copyOf('members'),
    signup: copyOf('signup'),
    training: copyOf('training'),
  }
}

/**
 * Waits for the first copy of each source, and returns the copies that exist. Rejects with
 * `CollectionUnavailable` only if no feed has a copy, so that one failing source does not take down
 * a combined feed.
 */
export async function readCopies(
  target: Target,
  collections: CollectionReader,
): Promise<SourceCopies> {
  const reads = await Promise.allSettled(
    resourcesOf(target).map((resource) => collections.read(resource)),
  )
  const copies = copiesOf(target, collections)
  const failed = reads.find((read) => read.status === 'rejected')
  const isEmpty = (target.sources.length === 0 ? copies.collections : copies.sources).length === 0
  if (isEmpty && failed) throw failed.reason
  return copies
}

export function ledgersOf({ collections }: SourceCopies): Ledgers {
  return collections.map(({ ledger }) => ledger)
}

export function areSameLedgers(a: Ledgers, b: Ledgers): boolean {
  return a.length === b.length && a.every((ledger, index) => ledger === b[index])
}
