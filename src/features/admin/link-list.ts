import type { ListedLink } from '../../links/stored-links.ts'
import { withoutAccents } from '../../search/accents.ts'

export const linkSorts = ['newest', 'name', 'used', 'expires'] as const

type LinkSort = (typeof linkSorts)[number]

const maxSearchLength = 100

const linksPerPage = 50

/**
 * Search, order and page of the list of links, which are kept in the URLs of all its pages and
 * forms.
 */
export type LinkListView = {
  readonly q: string
  readonly sort: LinkSort
  /** Starts at 1. May exceed the number of pages. */
  readonly page: number
}

export const plainView: LinkListView = { q: '', sort: 'newest', page: 1 }

/** Reads a view. Ignores invalid values. */
export function readListView(parameters: URLSearchParams): LinkListView {
  const q = (parameters.get('q') ?? '').trim().slice(0, maxSearchLength)
  const sort = linkSorts.find((each) => each === parameters.get('sort')) ?? plainView.sort
  const [page = 1] = /^[1-9]\d{0,3}$/.exec(parameters.get('page') ?? '') ?? []
  return { q, sort, page: Number(page) }
}

/** Returns the query string that reproduces a view, or an empty string for the default view. */
export function viewQuery({ q, sort, page }: LinkListView): string {
  const query = new URLSearchParams()
  if (q !== '') query.set('q', q)
  if (sort !== plainView.sort) query.set('sort', sort)
  if (page !== plainView.page) query.set('page', String(page))
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** Changes to a link, as named in the list's URL. */
const linkChanges = ['saved', 'paused', 'resumed', 'revoked'] as const

export type LinkChange = (typeof linkChanges)[number]

export function listAfter(change: LinkChange, view: LinkListView): string {
  const query = new URLSearchParams(viewQuery(view))
  query.set('done', change)
  return `?${query.toString()}#existing-links`
}

/** Returns the change in a URL's query that the list confirms, or undefined if there is none. */
export function changeIn(parameters: URLSearchParams): LinkChange | undefined {
  return linkChanges.find((change) => change === parameters.get('done'))
}

/** Returns the names of a link's profile and feeds, in the page's language. */
type ScopeOf = (link: ListedLink) => readonly string[]

/** Returns one page of a view's links. Current links come before ended ones. */
export function linkListPage(
  all: readonly ListedLink[],
  view: LinkListView,
  scopeOf: ScopeOf,
  isCurrent: (link: ListedLink) => boolean,
) {
  const matching = linksIn(all, view, scopeOf)
  const inOrder = [...matching.filter(isCurrent), ...matching.filter((link) => !isCurrent(link))]
  const pageCount = Math.max(1, Math.ceil(inOrder.length / linksPerPage))
  const page = Math.min(view.page, pageCount)
  /** Undefined if there is no such page. */
  const queryOf = (other: number) =>
    other < 1 || other > pageCount ? undefined : viewQuery({ ...view, page: other })
  return {
    links: inOrder.slice((page - 1) * linksPerPage, page * linksPerPage),
    matchCount: inOrder.length,
    page,
    pageCount,
    previousQuery: queryOf(page - 1),
    nextQuery: queryOf(page + 1),
  }
}

/** Returns the links that contain every word of the search, in the chosen order. */
export function linksIn(links: readonly ListedLink[], { q, sort }: LinkListView, scopeOf: ScopeOf) {
  const words = comparable(q).trim().split(/\s+/)
  const textOf = (link: ListedLink) => comparable([...partsOf(link), ...scopeOf(link)].join(' '))
  return links
    .filter((link) => words.every((word) => textOf(link).includes(word)))
    .toSorted(orders[sort])
}

const comparable = (text: string) => withoutAccents(text).toLowerCase()

function partsOf({ id, label, profile, feedIds = [], memberId }: ListedLink) {
  return [id, label, profile, ...feedIds, memberId]
}

const collator = new Intl.Collator('en', { numeric: true })

const orders: Readonly<Record<LinkSort, (a: ListedLink, b: ListedLink) => number>> = {
  newest: (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1),
  name: (a, b) => collator.compare(a.label, b.label) || orders.newest(a, b),
  used: (a, b) => (b.lastUse?.at ?? 0) - (a.lastUse?.at ?? 0) || orders.newest(a, b),
  expires: (a, b) =>
    (a.expiresAt ?? Number.MAX_VALUE) - (b.expiresAt ?? Number.MAX_VALUE) || orders.newest(a, b),
}
