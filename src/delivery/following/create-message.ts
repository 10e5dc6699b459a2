import { createHash } from 'node:crypto'
import { dayMs } from '../../clock.ts'
import { changesOf } from '../../feeds/changes.ts'
import { training } from '../../feeds/catalog/training.ts'
import { isCalendar, type DayRange, type ListedEntry } from '../../feeds/feed.ts'
import { withOwn } from '../../feeds/listed-own-entries.ts'
import { withLanguage, type Site } from '../../feeds/site.ts'
import { entriesIn, newsIn } from '../../feeds/week-content.ts'
import type { DueMessage } from '../../followers/due-message.ts'
import type { Follower } from '../../followers/follower.ts'
import type { EmergencyText, EmergencyTexts } from '../../site/emergency-text.ts'
import { choiceInWords } from '../../features/follow/follow-choice.ts'
import { escapeHtml } from '../../text/html.ts'
import {
  dayInWords,
  daysInWords,
  endOfSpan,
  firstDayOf,
  fullDayInWords,
  isLong,
  isOnDay,
  momentInWords,
  shortClock,
  soonestFirst,
  weekdayInWords,
} from '../../records/date-words.ts'
import { firstExpiryDays, isReminded } from '../../records/expiry-days.ts'
import { daysAfter, siteDateAt, siteTimeAt, type SiteDate } from '../../records/site-time.ts'
import { shortenedText } from '../../text/text.ts'
import type { DuplicateGroups } from '../../feeds/duplicates.ts'
import { titleFromChanges, type ChangeItem } from '../notifications/change-webhooks.ts'
import {
  createFollowedChanges,
  type FollowedChangesOptions,
  type FoundChanges,
} from './followed-changes.ts'
import { alarmHtml, buttonHtml, linkHtml, renderWeek } from './mail-html.ts'
import { followTexts } from './message-texts.ts'
import type { CreateMessage, FollowUrls, MessageContent } from './messages.ts'
import { followedSite, readerFor, type Reader } from './reader.ts'

const weekDays = 7

/** An email about an empty week names the next entry if it is within this number of days. */
const nextDays = 31

const maxSummaryLength = 200
const maxTitles = 3
const maxTitleLength = 60

export type MessageOptions = FollowedChangesOptions & {
  readonly emergency: EmergencyTexts['current']
  readonly urlsFor: (follower: Follower) => FollowUrls
}

type Content = MessageContent & { readonly url?: string }

export function createMessages(options: MessageOptions, found: FoundChanges): CreateMessage {
  const changes = createFollowedChanges(options, found)

  async function contentFor(follower: Follower, due: DueMessage): Promise<Content | undefined> {
    if (due.kind === 'confirm' || due.kind === 'renewal') {
      return question(due.kind, follower, options)
    }
    if (due.kind === 'invite') return invitation(follower, options)
    if (due.kind === 'welcome') return welcomeContent(followedSite(options.site, follower.language))
    const reader = readerFor(follower, options)
    if (!reader) return undefined
    if (due.kind === 'emergency') {
      const current = options.emergency('devices')
      return current?.since === due.at ? emergencyContent(current, reader) : undefined
    }
    if (due.kind === 'changes') {
      return changesContent(await changes.since(follower, due.at, reader), reader.site)
    }
    const duplicates = await options.duplicatesFor(reader.profile)
    const days = { weekly: weeklyContent, tomorrow: tomorrowContent }
    return days[due.kind](follower, due, { ...reader, duplicates })
  }

  return async (follower, due) => {
    const content = await contentFor(follower, due)
    if (!content) return undefined
    const { language } = due.kind === 'confirm' ? (follower.requested ?? follower) : follower
    const site = followedSite(options.site, language)
    const { publicUrl, language: tag } = site
    const query = withLanguage('', site)
    const isRegular = due.kind === 'weekly' || due.kind === 'changes' || due.kind === 'tomorrow'
    const text = isRegular ? options.emergency('pages') : undefined
    const banner = text ? bannerHtml(text, { site, now: options.clock.now() }) : ''
    const receiver = createHash('sha256')
      .update(`${site.idHost} ${follower.id}`)
      .digest('hex')
      .slice(0, 32)
    return {
      id: `${due.kind}-${receiver}-${due.at}`,
      kind: due.kind,
      language: tag,
      url: `${publicUrl}/${query === '' ? '' : `?${query}`}`,
      ...content,
      html: banner + content.html,
      mail: (banner && alarmHtml(banner)) + (content.mail ?? content.html),
      // Keeps the narrow spaces that French has before colons.
      title: content.title.replace(/[^\S\u202f]+/g, ' '),
      summary: shortenedText(content.summary.replace(/\s+/g, ' '), maxSummaryLength),
    }
  }
}

/**
 * Returns a message that asks a follower to confirm a requested choice, or to renew the current
 * one.
 */
function question(
  kind: 'confirm' | 'renewal',
  follower: Follower,
  options: MessageOptions,
): Content {
  const { choice, language } = (kind === 'confirm' && follower.requested) || follower
  const site = followedSite(options.site, language)
  const { title, asked, button, otherwise } = followTexts(site.language)[kind]
  const url = options.urlsFor(follower).confirm
  const content = (action: string) =>
    [
      paragraph(asked(site.name)),
      list(choiceInWords(choice, site.language, options.catalog).map(escapeHtml)),
      action,
      paragraph(otherwise),
    ].join('\n')
  return {
    title: title(site.name),
    summary: title(site.name),
    url,
    html: content(`<p>${linkHtml(url, button)}</p>`),
    mail: content(buttonHtml(url, button, site.identity)),
  }
}

/** Returns undefined after the invitation has been sent. */
function invitation(follower: Follower, options: MessageOptions): Content | undefined {
  const site = followedSite(options.site, follower.language)
  const { title, text, button, private: note } = followTexts(site.language).invite
  const page = options.urlsFor(follower).invitation
  if (page === undefined) return undefined
  const query = withLanguage('', site)
  const url = query === '' ? page : `${page}?${query}`
  const content = (action: string) =>
    [paragraph(text(site.name)), action, paragraph(note)].join('\n')
  return {
    title: title(site.name),
    summary: title(site.name),
    url,
    html: content(`<p>${linkHtml(url, button)}</p>`),
    mail: content(buttonHtml(url, button, site.identity)),
  }
}

function welcomeContent({ name, language }: Site): Content {
  const { title, text } = followTexts(language).welcome
  const summary = text(name)
  return { title, summary, html: paragraph(summary) }
}

type SiteAtTime = { readonly site: Site; readonly now: number }

function emergencyContent(
  { title, text, until }: EmergencyText,
  { site, now }: SiteAtTime,
): Content {
  const { language, timeZone } = site
  const end = momentInWords(siteTimeAt(until, timeZone), siteDateAt(now, timeZone), language)
  return {
    title,
    summary: text === '' ? title : text,
    html: [
      ...text.split(/\n+/).filter((line) => line.trim() !== ''),
      followTexts(language).emergency.until(end),
    ]
      .map(paragraph)
      .join('\n'),
  }
}

/** Returns the emergency text that regular messages start with. */
function bannerHtml(current: EmergencyText, about: SiteAtTime): string {
  const { title, html } = emergencyContent(current, about)
  return `<h2>${escapeHtml(title)}</h2>\n${html}\n`
}

function changesContent(items: readonly ChangeItem[], { language }: Site): Content | undefined {
  const [first] = items
  if (!first) return undefined
  return {
    title: items.length === 1 ? first.text : titleFromChanges(items, language),
    summary: items.map(({ text }) => text).join('; '),
    ...(items.length === 1 && first.url !== undefined && { url: first.url }),
    html: list(items.map(({ text, url }) => (url ? linkHtml(url, text) : escapeHtml(text)))),
  }
}

type DayReader = Reader & { readonly duplicates: DuplicateGroups }

function weeklyContent(
  { sent }: Follower,
  { at }: DueMessage,
  reader: DayReader,
): Content | undefined {
  const { site, sources, duplicates, now } = reader
  const { timeZone, language } = site
  const time = siteTimeAt(now, timeZone)
  const from = time.slice(0, 10)
  // On the last day, only entries that start before the time of the next weekly message.
  const to = daysAfter(from, weekDays)
  const entries = entriesOn({ from, to }, reader).filter(
    (entry) => endOfSpan(entry.time) > time && entry.time.start < `${to}${time.slice(10)}`,
  )
  const since = sent.weekly ?? at - weekDays * dayMs
  const isNew = (moment: number) => since <= moment && moment < at
  const changes = changesOf(sources, site, duplicates).filter((change) => isNew(change.finalAt))
  const news = newsIn(sources, reader).filter(
    ({ appearedAt, draft }) => isNew(appearedAt) && now < draft.expiresAt,
  )
  const next = entries.length === 0 ? nextEntry(to, reader) : undefined
  const listed = next ? [next] : entries
  const expiring = expiringHtml(from, reader)
  if (listed.length + changes.length + news.length === 0 && expiring === '') return undefined
  const days = daysInWords(from, to, undefined, language)
  const { html, mail, summary, ...content } = renderWeek(
    { entries: listed, changes, news },
    { ...reader, from, days, url: site.publicUrl },
  )
  const title = next ? titleOfNext(next, language) : titleOfWeek(entries, from, language)
  const before = next ? `${paragraph(followTexts(language).weekly.nothing)}\n` : ''
  const [link, button] = calendarLinks(reader)
  return {
    title: title ?? content.title,
    summary,
    html: `${before}${html}\n${expiring}${link}`,
    mail: `${before}${mail}\n${expiring}${button}`,
  }
}

/** Lists certifications with a reminder due this week, from the feed or the follower's own. */
function expiringHtml(from: SiteDate, reader: DayReader): string {
  const { language } = reader.site
  const days = { from: daysAfter(from, weekDays), to: daysAfter(from, firstExpiryDays) }
  const due = entriesOn(days, reader).filter(
    ({ kind, time }) => kind === training.id && isReminded(time.start.slice(0, 10), from, weekDays),
  )
  if (due.length === 0) return ''
  const lines = due.map(
    ({ title, time }) =>
      `<b>${escapeHtml(fullDayInWords(firstDayOf(time), from, language))}</b> ${escapeHtml(title)}`,
  )
  return `<h2>${escapeHtml(followTexts(language).weekly.expiring)}</h2>\n${list(lines)}\n`
}

/** Returns the first entry after an empty week, if it is soon. */
function nextEntry(from: SiteDate, reader: DayReader): ListedEntry | undefined {
  const found = entriesOn({ from, to: daysAfter(from, nextDays) }, reader)
  return found.find(
    ({ kind, isCanceled, time }) => kind !== training.id && !isCanceled && firstDayOf(time) >= from,
  )
}

function titleOfNext({ title, time }: ListedEntry, language: string): string {
  const day = fullDayInWords(firstDayOf(time), undefined, language)
  return followTexts(language).weekly.next(shortenedText(title, maxTitleLength), day)
}

/** Returns a link to the calendar, and a button for emails, if the calendar is public. */
function calendarLinks({ site, publicFeeds }: Reader): readonly [link: string, button: string] {
  if (!publicFeeds.some(isCalendar)) return ['', '']
  const query = withLanguage('', site)
  const url = `${site.publicUrl}/agenda${query === '' ? '' : `?${query}`}`
  const { calendar } = followTexts(site.language)
  return [`<p>${linkHtml(url, calendar)}</p>`, buttonHtml(url, calendar, site.identity)]
}

/** Returns a subject like `This week: Pancake breakfast Sunday`, or undefined if there are no entries. */
function titleOfWeek(
  entries: readonly ListedEntry[],
  from: SiteDate,
  language: string,
): string | undefined {
  const active = entries.filter(({ isCanceled, time }) => !isCanceled && firstDayOf(time) >= from)
  const first = active.find(({ kind }) => kind === 'events') ?? active[0]
  if (!first) return undefined
  const { weekly } = followTexts(language)
  const title = shortenedText(first.title, maxTitleLength)
  return weekly.title(weekly.on(title, weekdayInWords(firstDayOf(first.time), language)))
}

function tomorrowContent(
  _follower: Follower,
  { at }: DueMessage,
  reader: DayReader,
): Content | undefined {
  const { site } = reader
  const { language } = site
  const day = daysAfter(siteDateAt(at, site.timeZone), 1)
  // A message that could not be sent in time is no longer about tomorrow.
  if (siteDateAt(reader.now, site.timeZone) >= day) return undefined
  const entries = entriesOn({ from: day, to: day }, reader).filter(
    ({ time }) => firstDayOf(time) === day || (isOnDay(time, day) && !isLong(time)),
  )
  const [first] = entries
  if (!first) return undefined
  const own = entries.filter((entry) => entry.own)
  const days = dayInWords(day, undefined, language)
  const options = { ...reader, from: day, days, url: site.publicUrl }
  const all = [...own, ...entries.filter((entry) => !entry.own)]
  const { html, mail } = renderWeek({ entries: all, changes: [], news: [] }, options)
  const title = titleOfTomorrow(own.length > 0 ? own : entries, language)
  return { title, summary: title, html, mail }
}

/** Returns `You have Drill tomorrow at 7 PM` or `Tomorrow: Drill (7 PM), Dinner`. */
function titleOfTomorrow(entries: readonly ListedEntry[], language: string): string {
  const { tomorrow } = followTexts(language)
  const clockOf = ({ time }: ListedEntry) => (time.allDay ? '' : shortClock(time.start, language))
  const [first, ...others] = entries
  if (first?.own?.role !== undefined && others.length === 0 && !first.isCanceled) {
    return tomorrow.own(first.title, clockOf(first))
  }
  const titles = entries.slice(0, maxTitles).map((entry) => {
    const clock = clockOf(entry)
    return clock === '' ? entry.title : `${entry.title} (${clock})`
  })
  return tomorrow.title([...titles, ...(entries.length > maxTitles ? ['…'] : [])].join(', '))
}

/** Returns the entries of the chosen feeds and the follower's own entries, soonest first. */
function entriesOn(days: DayRange, reader: DayReader): readonly ListedEntry[] {
  const entries = withOwn(entriesIn(reader.sources, days, reader), reader.ownEntries(days))
  return soonestFirst(entries, days.from, ({ time }) => time)
}

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`

const list = (lines: readonly string[]) =>
  `<ul>\n${lines.map((line) => `<li>${line}</li>\n`).join('')}</ul>`
