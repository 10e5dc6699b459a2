import type { ListedLink } from '../../links/stored-links.ts'

/** Orders of the list of links, with their names on the admin page. */
export const linkSorts = {
  newest: 'Newest first',
  name: 'Name',
  used: 'Last used first',
  expires: 'Expiring first',
} as const

type LinkSort = keyof typeof linkSorts

const maxSearchLength = 100

/** Search and order of the list of links, as URL parameters or hidden form fields. */
export type LinkListView = { readonly q: string; readonly sort: LinkSort }

export const plainView: LinkListView = { q: '', sort: 'newest' }

/** Reads a view. Ignores invalid values. */
export function readListView(parameters: URLSearchParams): LinkListView {
  const q = (parameters.get('q') ?? '').trim().slice(0, maxSearchLength)
  const sort = parameters.get('sort') ?? ''
  return { q, sort: isSort(sort) ? sort : plainView.sort }
}

/** Returns the fields that reproduce a view, without default values. */
export function viewFields({ q, sort }: LinkListView): readonly (readonly [string, string])[] {
  return [
    ...(q === '' ? [] : [['q', q] as const]),
    ...(sort === plainView.sort ? [] : [['sort', sort] as const]),
  ]
}

/** Returns the query string that reproduces a view, or an empty string for the default view. */
export function viewQuery(view: LinkListView): string {
  const query = new URLSearchParams(Object.fromEntries(viewFields(view))).toString()
  return query === '' ? '' : `?${query}`
}

/** Sentences that confirm a change to a link, by its name in the URL of the list. */
const changeTexts = {
  saved: 'Your changes are saved.',
  paused: 'The link is paused.',
  resumed: 'The link works again.',
  revoked: 'The link is revoked.',
} as const

export type LinkChange = keyof typeof changeTexts

/** Returns the query string and fragment that show the list of links after a change. */
export function listAfter(change: LinkChange, view: LinkListView): string {
  const query = new URLSearchParams(Object.fromEntries(viewFields(view)))
  query.set('done', change)
  return `?${query.toString()}#existing-links`
}

/** Returns the sentence about the change that a URL names; undefined if it names none. */
export function changeTextIn(parameters: URLSearchParams): string | undefined {
  const change = parameters.get('done') ?? ''
  return isChange(change) ? changeTexts[change] : undefined
}

function isChange(text: string): text is LinkChange {
  return Object.hasOwn(changeTexts, text)
}

/** Returns the links that contain every word of the search, in the chosen order. */
export function linksIn(
  links: readonly ListedLink[],
  { q, sort }: LinkListView,
): readonly ListedLink[] {
  const words = comparable(q).split(/\s+/)
  return links
    .filter((link) => words.every((word) => comparable(textOf(link)).includes(word)))
    .toSorted(orders[sort])
}

function isSort(text: string): text is LinkSort {
  return Object.hasOwn(linkSorts, text)
}

function textOf({ id, label, profile, feedIds, memberId }: ListedLink): string {
  return [id, label, profile, ...(feedIds ?? ['all feeds']), memberId ?? ''].join(' ')
}

/** Removes differences in case and accents. */
function comparable(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

const collator = new Intl.Collator('en', { numeric: true })

const orders: Readonly<Record<LinkSort, (a: ListedLink, b: ListedLink) => number>> = {
  newest: (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1),
  name: (a, b) => collator.compare(a.label, b.label) || orders.newest(a, b),
  used: (a, b) => (b.lastUse?.at ?? 0) - (a.lastUse?.at ?? 0) || orders.newest(a, b),
  expires: (a, b) =>
    (a.expiresAt ?? Number.MAX_VALUE) - (b.expiresAt ?? Number.MAX_VALUE) || orders.newest(a, b),
}
