import { randomBytes } from 'node:crypto'
import { setImmediate as yieldToRequests } from 'node:timers/promises'
import { includesMembers, membersWarning } from '../../feeds/catalog/members.ts'
import { isCalendar, withText } from '../../feeds/feed.ts'
import { memberFault } from '../../feeds/personal-members.ts'
import { websiteLanguageOf } from '../../feeds/site.ts'
import { urlWarning } from '../../links/url-warning.ts'
import { mediumDay } from '../../records/date-words.ts'
import { spokenTag } from '../../records/messages.ts'
import { siteDateAt } from '../../records/site-time.ts'
import { hasEnded, stateOf, type FeedLink } from '../../links/feed-link.ts'
import { newLinkId, type ListedLink } from '../../links/stored-links.ts'
import { pageMessages } from '../../web/messages.ts'
import { qrCodeSvg } from '../../web/qr-code.ts'
import {
  emptyLinkForm,
  memberChoicesFrom,
  overlapDays,
  renewalFormFrom,
  type LinkForm,
  type RenewalForm,
} from './link-form.ts'
import { columns, maxRows } from './link-import.ts'
import { linkListPage, linkSorts, plainView, viewQuery, type LinkListView } from './link-list.ts'
import { appName, readersChart } from './charts.ts'
import type { AdminContext } from './admin-context.ts'
import { adminMessages } from './messages.ts'

/** Number of QR codes drawn before other requests get a turn. */
const codesPerTurn = 10

type Uses = {
  readonly lastUse?: ListedLink['lastUse']
  readonly fetches?: ListedLink['fetches'] | undefined
}

type ShownForm = {
  readonly form?: LinkForm
  readonly faults?: readonly string[]
  readonly view?: LinkListView
}

type NewLinkOnCard = { readonly link: FeedLink; readonly url: string; readonly old?: FeedLink }

export function linkPages(context: AdminContext) {
  const { site, catalog, collections, doctor, clock, dayOf, timeOf, texts } = context
  const feeds = catalog.linkFeeds.map((feed) => withText(feed, site.language))
  const { members, knownMembers, memberName } = membersOf(context)
  const titles = new Map(feeds.map(({ id, title }) => [id, title]))
  const titlesOf = ({ feedIds }: FeedLink) => feedIds?.map((id) => titles.get(id) ?? id)
  const scopeOf = (link: FeedLink) => [
    texts.links.profiles[link.profile],
    ...(titlesOf(link) ?? [texts.links.allFeeds]),
  ]

  const listed = (link: FeedLink & Uses) => ({
    ...link,
    state: stateOf(link, clock.now()),
    feedTitles: titlesOf(link),
    created: dayOf(link.createdAt),
    expires: dayOf(link.expiresAt),
    revoked: dayOf(link.revokedAt),
    paused: dayOf(link.pausedAt),
    member: memberName(link.memberId),
    lastUsed: timeOf(link.lastUse?.at),
    apps: doctor.appsFrom(link.fetches ?? [], site.language),
    readers: readersOf(link, context),
  })

  const formParts = ({ form, faults = [], view = plainView }: ShownForm) => ({
    form: form ?? emptyLinkForm(newLinkId(randomBytes)),
    faults,
    feeds,
    members: knownMembers(),
    viewQuery: viewQuery(view),
  })

  const warning = urlWarning(site.publicUrl, pageMessages(site.language).doctor.warnings)
  const warningFor = (link: FeedLink) => membersWarning(link, texts.links.membersTexts)

  return {
    knownMembers,

    /** Shows a page of the list. `links` is undefined if they cannot be read. */
    list(links: readonly ListedLink[] | undefined, view: LinkListView) {
      const now = clock.now()
      const page = links && linkListPage(links, view, scopeOf, (link) => !hasEnded(link, now))
      const list = page && { ...page, links: page.links.map(listed) }
      return { view, sorts: linkSorts, linkCount: links?.length, list, ...formParts({ view }) }
    },

    /** Shows a new link with its URL, which is never shown again. */
    async created({ link, url, old }: NewLinkOnCard) {
      const cards = [await cardOf({ link, url }, context)]
      const links = { link: listed(link), old: old && listed(old) }
      const shown = { url, ...links, cards, warning, membersWarning: warningFor(link) }
      return { template: 'admin/link', shown }
    },

    create: (shown: ShownForm) => ({ template: 'admin/link-new', shown: formParts(shown) }),

    createMany: (shown: ShownForm) => ({
      template: 'admin/link-import',
      shown: { maxRows, columns, ...formParts(shown) },
    }),

    edit(link: FeedLink & Uses, shown: ShownForm, renewal?: RenewalForm, renewalFault?: string) {
      const warnings = {
        memberFault: memberFault(
          link,
          members(),
          !collections.isSwitchedOff('members'),
          texts.links.memberFaults,
        ),
        membersWarning: warningFor(link),
      }
      const suggested = renewalFormFrom(link, { ...site, now: clock.now() })
      const renewing = { overlapDays, renewal: renewal ?? suggested, renewalFault }
      const parts = { ...warnings, ...renewing, ...formParts(shown) }
      const days = readersChart([link], clock.now(), site)
      return { template: 'admin/link-edit', shown: { link: listed(link), days, ...parts } }
    },

    /** Shows a card for each new link, whose URLs are never shown again. */
    async cards(links: readonly NewLinkOnCard[]) {
      const cards = []
      for (const [index, link] of links.entries()) {
        if (index % codesPerTurn === codesPerTurn - 1) await yieldToRequests()
        cards.push(await cardOf(link, context))
      }
      const withMembers = links.find(({ link }) => includesMembers(link))
      const warnings = { warning, membersWarning: withMembers && warningFor(withMembers.link) }
      return { template: 'admin/cards', shown: { cards, ...warnings } }
    },
  }
}

function membersOf({ collections, texts }: AdminContext) {
  const members = () => collections.copyOf('members')?.records
  const knownMembers = () => {
    const records = members()
    return records && memberChoicesFrom(records)
  }
  const memberName = (id: number | undefined) => {
    if (id === undefined) return undefined
    return knownMembers()?.find((member) => member.id === id)?.label ?? texts.links.member(id)
  }
  return { members, knownMembers, memberName }
}

/** Returns the kinds of apps that use a link, most recently used first. */
function readersOf({ fetches = [], lastUse }: Uses, { doctor, site }: AdminContext) {
  // Uses stored by an older version have only one client.
  const last = lastUse && { app: lastUse.client, at: lastUse.at }
  const seen = fetches.length === 0 && last ? [last] : fetches
  const late = doctor.appsFrom(fetches, site.language).filter(({ state }) => state === 'late')
  const isLate = (app: string) => late.some((each) => each.app === app)
  return seen.map(({ app, at }) => ({ name: appName(app, site.language), at, isLate: isLate(app) }))
}

async function cardOf({ link, url }: NewLinkOnCard, { site, catalog }: AdminContext) {
  // The address also works without the trailing slash.
  const key = url.split('/').at(-2) ?? ''
  const shown = catalog.feedsOf(link)
  const language = websiteLanguageOf(site)
  const { contents, yours, until, ...texts } = adminMessages(language).cards
  const expires = link.expiresAt && siteDateAt(link.expiresAt, site.timeZone)
  return {
    link,
    language: spokenTag(language),
    content: yours([
      ...(shown.some(isCalendar) ? [contents.calendar] : []),
      ...(shown.every(isCalendar) ? [] : [contents.news]),
      ...(includesMembers(link) ? [contents.members] : []),
    ]),
    codeName: texts.qrCode(link.label),
    howToOpen: texts.howToOpen,
    until: expires && until(mediumDay(expires, language)),
    base: url.slice(0, -key.length - 1),
    groups: key.match(/.{1,4}/g) ?? [],
    qrCode: await qrCodeSvg(url),
  }
}
