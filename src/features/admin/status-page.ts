import { DateTime } from 'luxon'
import { hourMs } from '../../clock.ts'
import { agesByHour, agesUntil } from '../../collections/copy/hourly-ages.ts'
import {
  acceptHeld,
  keepHolding,
  type AcceptResult,
  type KeepResult,
} from '../../collections/copy/stored-collections.ts'
import type { CollectionStatus } from '../../collections/status/status.ts'
import { sourcesOf } from '../../feeds/combined-feed.ts'
import { changesOf } from '../../feeds/changes.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { urlWarning } from '../../links/url-warning.ts'
import { fullClock, shortDayInWords } from '../../records/date-words.ts'
import type { FeedResource } from '../../records/resources.ts'
import { daysAfter, siteDateAt, siteTimeAt } from '../../records/site-time.ts'
import { withFallback } from '../../store/store-error.ts'
import { pageMessages } from '../../web/messages.ts'
import type { Following } from '../../followers/following.ts'
import type { AdminContext, AdminPages } from './admin-context.ts'
import { adminMessages } from './messages.ts'
import type { StatusMessages } from './messages/status/en.ts'
import { barChart, publicReadersChart, readersChart } from './charts.ts'

/** A refresh token is valid for a year. */
const maxTokenAge = { days: 366 }

const chartDays = 30

/** Returns the hour that begins at this time, like `3:00 PM – 4:00 PM`. */
function hourInWords(at: number, { timeZone, language }: Site): string {
  const [from, to] = [at, at + hourMs].map((each) =>
    fullClock(siteTimeAt(each, timeZone), language),
  )
  return `${from} – ${to}`
}

async function callsChart({ actions, site, clock }: AdminContext, maxPerDay: number) {
  const counts = await actions.callsPerHour()
  const hours = counts.map((count, index) => ({
    label: hourInWords(clock.now() - (counts.length - index) * hourMs, site),
    count,
  }))
  return barChart(hours, Math.floor(maxPerDay / hours.length))
}

function ageChart(
  { collections, site, clock }: AdminContext,
  { name, intervalSeconds }: CollectionStatus,
) {
  const copy = collections.copyOf(name)
  if (!copy) return undefined
  const now = clock.now()
  const hours = agesByHour(now, agesUntil(now, copy.fetchedAt, copy.ages))
  const bars = hours.map(({ at, minutes = 0 }) => {
    return { label: hourInWords(at, site), count: minutes }
  })
  return barChart(bars, intervalSeconds / 60)
}

/** Counts the changes to calendar entries that people may have noticed. */
function changesChart({ catalog, collections, site, clock }: AdminContext) {
  const sources = sourcesOf(catalog.feeds, collections.copyOf)
  const dayAt = (instant: number) => siteDateAt(instant, site.timeZone)
  const today = dayAt(clock.now())
  const changes = changesOf(sources, site).map(({ at }) => dayAt(at))
  const bars = Array.from({ length: chartDays }, (_, index) => {
    const day = daysAfter(today, index + 1 - chartDays)
    const count = changes.filter((changed) => changed === day).length
    return { label: shortDayInWords(day, today, site.language), count }
  })
  return barChart(bars)
}

async function pageWith(
  admin: AdminContext,
  state: { readonly notice?: string; readonly done?: string | null },
) {
  const { actions, catalog, site, following, clock, dayOf, timeOf, texts } = admin
  const { links, messages } = actions
  const status = await admin.status()
  const records = status.collections.map((collection) => ({
    collection,
    title: collectionTitle(catalog.feeds, collection.name, site.language),
    ...collectionState(collection, texts.status.records.states),
  }))
  const refreshToken = await withFallback(messages.refreshTokenAge)
  const channels = (await withFallback(messages.channels)) ?? []
  const charts = {
    ages: records.flatMap(({ collection, title }) => {
      const chart = ageChart(admin, collection)
      return chart ? [{ title, chart }] : []
    }),
    calls: await withFallback(() => callsChart(admin, status.budget.day.max)),
    changes: changesChart(admin),
    publicReaders: await withFallback(async () =>
      publicReadersChart(await admin.publicReaders.days(), clock.now(), site),
    ),
    readers: await withFallback(async () => readersChart(await links.list(), clock.now(), site)),
  }
  const followers = following && (await withFallback(() => followersShown(following)))
  const parts = {
    charts,
    followers,
    status,
    collections: records,
    messages: { channels, refreshToken },
  }
  return { template: 'admin/status', shown: { ...parts, time: timeOf, dayOf, ...state } }
}

/** Serves the status with its buttons, and the page that checks the public URL. */
export function statusPage({ page, form }: AdminPages): void {
  page('/status', (admin, query) => pageWith(admin, { done: query.get('done') }))

  function decideOnHeld(
    decision: string,
    done: string,
    decide: (
      admin: AdminContext,
      resource: FeedResource,
      sent: URLSearchParams,
    ) => Promise<AcceptResult | KeepResult>,
  ): void {
    form(`/collections/:id/${decision}`, async (admin, sent, id) => {
      const { catalog, collections } = admin
      const resource = catalog.keptResources.find((name) => name === id)
      if (!resource) return undefined
      const result = await decide(admin, resource, sent)
      await collections.load()
      if (result.ok) return { done, about: { resource }, redirect: '/status' }
      const notice = admin.texts.status.records.notDecided[result.reason](resource)
      return { ...(await pageWith(admin, { notice })), status: 409 }
    })
  }
  decideOnHeld('accept', 'held records accepted', ({ actions, clock }, resource, sent) =>
    acceptHeld(actions.documents, resource, {
      now: clock.now(),
      version: sent.get('version') ?? '',
    }),
  )
  decideOnHeld('hold', 'held records kept on hold', ({ actions }, resource) =>
    keepHolding(actions.documents, resource),
  )

  form('/messages/test', async ({ actions }) => {
    await actions.messages.sendTest()
    return { done: 'test message sent', redirect: '/status?done=tested#messages' }
  })

  form('/refresh-token', async (admin, sent) => {
    const { actions, site, clock } = admin
    const { timeZone: zone } = site
    const day = DateTime.fromISO(sent.get('created') ?? '', { zone })
    const today = DateTime.fromMillis(clock.now(), { zone })
    if (!day.isValid || day > today || day < today.minus(maxTokenAge)) {
      const notice = admin.texts.status.calls.dateFault
      return { ...(await pageWith(admin, { notice })), status: 400 }
    }
    await actions.messages.setRefreshTokenCreation(day.toMillis())
    return { done: 'date of the refresh token saved', redirect: '/status' }
  })

  page('/address', async ({ publicUrl, publicFeeds, doctor, site }) => {
    const warning = urlWarning(publicUrl, pageMessages(site.language).doctor.warnings)
    const address = await doctor.checkPublic(publicFeeds, site.language)
    return { template: 'admin/address', shown: { publicUrl, warning, address } }
  })
}

export function collectionTitle(
  feeds: readonly Feed[],
  name: FeedResource,
  language: string,
): string {
  const titles = feeds
    .filter(({ resource }) => resource === name)
    .map(({ textIn }) => textIn(language).title)
  const others: Readonly<Partial<Record<FeedResource, string>>> =
    adminMessages(language).status.records.titles
  return titles.length > 0 ? titles.join(', ') : (others[name] ?? name)
}

function collectionState(
  collection: CollectionStatus,
  states: StatusMessages['records']['states'],
) {
  const { held, refusedSince, isSwitchedOff, failure, records } = collection
  if (held) return { state: states[held.isHeldByRequest ? 'heldOnRequest' : 'held'], isBad: true }
  if (refusedSince !== null) {
    return { state: states[isSwitchedOff ? 'switchedOff' : 'refused'], isBad: !isSwitchedOff }
  }
  if (failure) return { state: states.failing, isBad: true }
  return { state: states[records === null ? 'waiting' : 'good'], isBad: false }
}

/** Resolves to undefined if following is turned off and the site has no followers. */
async function followersShown({ followers, waiting, hasMail, pushKey }: Following) {
  const counts = await followers.counts()
  const { mail, push } = counts.following
  const isOn = hasMail || pushKey !== undefined
  if (!isOn && mail + push + counts.rejected === 0) return undefined
  return { ...counts, waiting: await waiting() }
}
