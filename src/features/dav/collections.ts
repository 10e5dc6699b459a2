import { createHash } from 'node:crypto'
import { noneChosen, readOptions, type ChosenOptions } from '../../options/option.ts'
import { CollectionUnavailable } from '../../collections/collection.ts'
import { colorOf } from '../../feeds/calendar-feed.ts'
import type { Catalog } from '../../feeds/catalog.ts'
import { partOptions } from '../../feeds/feed-options.ts'
import { isCalendar, type Feed, type ServedFeed } from '../../feeds/feed.ts'
import { renderNotice } from '../../feeds/link-notice.ts'
import { feedMessages } from '../../feeds/messages.ts'
import { contactsVCard, memberContacts, noticeContact } from '../../feeds/member-contacts.ts'
import { members } from '../../feeds/catalog/members.ts'
import { forLink, targetOf, type Target } from '../../representations/target.ts'
import type { SiteContext } from '../../web/context.ts'
import type { Viewer } from '../../web/viewer.ts'
import type { ClosedLink } from '../../web/errors.ts'
import { itemOf, itemsOfCalendar, type DavItem } from './calendar-items.ts'

export type DavCollection = {
  readonly kind: 'calendars' | 'contacts'
  /** Last part of its path. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** Hex digits with `#`, or an empty string. */
  readonly color: string
  /** Position in the account. */
  readonly order: number
  /** Hash that identifies the content. Links that show the same content share it. */
  readonly contentId: string
  readonly items: () => Promise<readonly DavItem[]>
}

/** Space in the order for the parts of a feed, so that a new part does not move other calendars. */
const maxPartsInOrder = 1000

/** A collection without its position in the account. `content` identifies what it contains. */
type Content = Pick<DavCollection, 'name' | 'title' | 'description' | 'color' | 'items'> & {
  readonly content: string
}

type Split = { readonly of: readonly object[]; readonly items: readonly DavItem[] }

const splitsOf = (_site: SiteContext) => new WeakMap<object, Split>()

/** Caches items for the lifetime of their first source, so equal content has the same list. */
function itemsOnce(
  { kept }: SiteContext,
  of: readonly [object, ...object[]],
  make: () => readonly DavItem[],
): readonly DavItem[] {
  const splits = kept(splitsOf)
  const known = splits.get(of[0])
  if (known?.of.length === of.length && known.of.every((part, index) => part === of[index])) {
    return known.items
  }
  const items = make()
  splits.set(of[0], { of, items })
  return items
}

/** Resolves to a calendar's entries. The rendering time counts against the link. */
async function calendarItems(
  context: SiteContext,
  target: Target,
  { link }: Viewer,
): Promise<readonly DavItem[]> {
  const { identity } = (await context.representations.get(target, link?.link.id)).encodings
  return itemsOnce(context, [identity], () => itemsOfCalendar(identity))
}

function noticeCalendar(
  { site }: SiteContext,
  feed: ServedFeed,
  shown: Omit<Content, 'content' | 'items'>,
  { closed, link }: Viewer & { readonly closed: ClosedLink },
): Content {
  const { body } = renderNotice(feed, 'ics', { notice: closed.notice, site })
  const items = async () => itemsOfCalendar({ bytes: body })
  return { ...shown, content: `notice in ${shown.name} of ${link?.link.id}`, items }
}

/** A calendar with several parts becomes one for each part and one for the rest. */
async function calendarsOf(
  context: SiteContext,
  feed: Feed,
  viewer: Viewer,
): Promise<readonly Content[]> {
  const { site, overviews } = context
  const { profile, closed, link } = viewer
  const { title, summary: description } = feed.textIn(site.language)
  const shown = { name: feed.id, title, description, color: colorOf(feed, undefined) }
  if (closed) return [noticeCalendar(context, feed, shown, { ...viewer, closed })]
  const targetWith = (chosen: ChosenOptions) =>
    forLink(targetOf(feed, [feed], { chosen, format: 'ics', profile }), link?.link)
  const whole = targetWith(noneChosen(feed.options('ics')))
  const all = { ...shown, content: whole.name }
  const { parts } = await overviews.read(feed, profile)
  if (parts.length < 2) return [{ ...all, items: () => calendarItems(context, whole, viewer) }]
  const named = parts.map((part) => {
    const target = targetWith(partOptions(feed, 'ics', part))
    return {
      name: `${feed.id}-${part.id}`,
      title: `${title}: ${part.name}`,
      description,
      color: colorOf(feed, part),
      content: target.name,
      items: () => calendarItems(context, target, viewer),
    }
  })
  const restItems = async () => {
    const entries = await calendarItems(context, whole, viewer)
    const others = await Promise.all(named.map(({ items }) => items()))
    return itemsOnce(context, [entries, ...others], () => {
      const known = new Set(others.flat().map(({ name }) => name))
      return entries.filter(({ name }) => !known.has(name))
    })
  }
  const rest = { ...all, items: restItems }
  return (await restItems()).length === 0 ? named : [rest, ...named]
}

/** Lists the calendar of the member's own entries, with the options that are saved for `my.ics`. */
async function ownCalendar(
  context: SiteContext,
  viewer: Viewer,
  memberId: number,
): Promise<readonly Content[]> {
  const { site, catalog } = context
  const { link, profile, closed } = viewer
  const { myFeeds: feed } = catalog
  const { ownCategory: title, ownOnly: description } = feedMessages(site.language).combined
  const shown = { name: feed.id, title, description, color: '' }
  if (closed) return [noticeCalendar(context, feed, shown, { ...viewer, closed })]
  const saved = new URLSearchParams(link?.link.choice?.calendar)
  saved.delete('show')
  const reading = readOptions(feed.options('ics'), saved)
  const chosen = reading.ok ? reading.chosen : noneChosen(feed.options('ics'))
  const about = { chosen, format: 'ics', profile, memberId } as const
  const target = forLink(targetOf(feed, [], about), link?.link)
  await calendarItems(context, target, viewer)
  return [{ ...shown, content: target.name, items: () => calendarItems(context, target, viewer) }]
}

/** Lists the address book, which contains only the notice if the link is closed. */
function addressBook(
  context: SiteContext,
  { hasMembers, closed, link }: Viewer,
): readonly Content[] {
  const { site, collections } = context
  if (!hasMembers) return []
  const { title, summary: description } = members.textIn(site.language)
  const book = { name: members.id, title, description, color: '' }
  if (closed) {
    const notice = contactsVCard([noticeContact(closed.notice, site)], '3') ?? ''
    const items = async () => [itemOf('notice.vcf', notice)]
    return [{ ...book, content: `members of ${link?.link.id}`, items }]
  }
  const items = async () => {
    const source = await collections.read(members.resource)
    return itemsOnce(context, [source.ledger], () =>
      memberContacts(source, site).map((contact) =>
        itemOf(`members-${contact.memberId}.vcf`, contactsVCard([contact], '3') ?? ''),
      ),
    )
  }
  return [{ ...book, content: 'members', items }]
}

/**
 * Resolves to a link's collections of a kind, or to those with this name and its parts. Feeds that
 * have never been read are omitted from the list. Rejects with `CollectionUnavailable` if none is
 * left.
 */
export async function davCollections(
  context: SiteContext,
  viewer: Viewer,
  kind: DavCollection['kind'],
  name = '',
): Promise<readonly DavCollection[]> {
  const { catalog, collections, isOffered } = context
  if (kind === 'contacts') return addressBook(context, viewer).map(collectionFrom(kind, 0))
  const offered = viewer.feeds.filter((feed) => isCalendar(feed) && isOffered(feed))
  const memberId = collections.isSwitchedOff('members') ? undefined : viewer.link?.link.memberId
  const hasOwn = memberId !== undefined && offered.length > 0
  const listed = [
    ...offered.map((feed) => ({ id: feed.id, read: () => calendarsOf(context, feed, viewer) })),
    ...(hasOwn
      ? [{ id: catalog.myFeeds.id, read: () => ownCalendar(context, viewer, memberId) }]
      : []),
  ].map((each, index) => ({ ...each, firstOrder: index * maxPartsInOrder }))
  const reads = await Promise.allSettled(
    listed
      .filter(({ id }) => name === '' || isOf(id, name))
      .map(async ({ read, firstOrder }) => (await read()).map(collectionFrom(kind, firstOrder))),
  )
  const failures = reads.flatMap((read) => (read.status === 'rejected' ? [read.reason] : []))
  const isEmpty = failures.length === reads.length
  const failure = failures.find((error) => isEmpty || !(error instanceof CollectionUnavailable))
  if (failure !== undefined) throw failure
  return reads.flatMap((read) => (read.status === 'fulfilled' ? read.value : []))
}

const collectionFrom =
  (kind: DavCollection['kind'], firstOrder: number) =>
  ({ content, ...shown }: Content, index: number): DavCollection => ({
    ...shown,
    contentId: createHash('sha256').update(content).digest('base64url').slice(0, 22),
    kind,
    order: firstOrder + index,
  })

/** Returns true for the name of a feed's calendar or of one of its parts. */
const isOf = (feedId: string, name: string) => name === feedId || name.startsWith(`${feedId}-`)

/** Returns an empty collection for a path where a client may have one from before. */
export function formerCollection(
  { feeds, myFeeds }: Catalog,
  kind: DavCollection['kind'],
  name: string,
): DavCollection | undefined {
  const isKnown =
    kind === 'contacts' ? name === members.id : [...feeds, myFeeds].some(({ id }) => isOf(id, name))
  const shown = { title: name, description: '', color: '', order: 0 }
  return isKnown
    ? { kind, name, ...shown, contentId: 'none', items: async () => noItems }
    : undefined
}

const noItems: readonly DavItem[] = []
