import { isCalendar, type Feed, type ListedEntry } from '../../feeds/feed.ts'
import type { Identity } from '../../feeds/identity.ts'
import { withLanguage, type Site } from '../../feeds/site.ts'
import { renderContent, type ListOptions, type WeekContent } from '../../feeds/week-content.ts'
import { dayParts } from '../../records/date-words.ts'
import type { SiteDate } from '../../records/site-time.ts'
import { escapeHtml } from '../../text/html.ts'
import { followTexts } from './message-texts.ts'

/*
 * HTML for mail apps, some of which know only tables and inline styles. Each top-level table ends a
 * line, so that a message can be cut off after it.
 */

/** Emergency texts have this color on boards and pages. */
const alarmColor = '#a3140b'

/** Attributes of tables that only arrange their content. */
export const layout = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

export function linkHtml(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`
}

/** Returns a link that looks like a button. */
export function buttonHtml(url: string, text: string, { colors }: Identity): string {
  const { accent, onAccent } = colors.light
  const style = `color:${onAccent};font-weight:bold;text-decoration:none`
  return `<table ${layout} style="margin:16px 0"><tr><td bgcolor="${accent}" style="padding:12px 22px;border-radius:8px"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(text)}</a></td></tr></table>\n`
}

export function alarmHtml(html: string): string {
  return `<table ${layout} width="100%" style="margin:0 0 16px"><tr><td bgcolor="${alarmColor}" style="padding:4px 16px;border-radius:8px;color:#ffffff">${html}</td></tr></table>\n`
}

/**
 * Returns a line of HTML with an edge in the calendar's color, next to a tile with its day. Only the
 * first line of a day has a tile.
 */
function tiledHtml(
  day: SiteDate | undefined,
  line: string,
  color: string,
  { identity, language }: Site,
): string {
  const { accent, onAccent } = identity.colors.light
  const { weekday, number } =
    day === undefined ? { weekday: '', number: '' } : dayParts(day, language)
  const tile =
    day === undefined
      ? ''
      : `<table ${layout} width="48"><tr><td align="center" bgcolor="${accent}" style="padding:4px 0;border-radius:8px;color:${onAccent};font-size:13px;line-height:1.3">${escapeHtml(weekday)}<br><b style="font-size:20px">${number}</b></td></tr></table>`
  return `<table ${layout} width="100%"><tr><td width="60" valign="top" style="padding:6px 0">${tile}</td><td valign="top" style="padding:6px 0 6px 12px;border-left:4px solid ${color || accent}">${line}</td></tr></table>\n`
}

/** Returns the content as lists, and for emails also with day tiles and links to add entries. */
export function renderWeek(
  content: WeekContent,
  options: ListOptions & { readonly publicFeeds: readonly Feed[] },
) {
  const { site, publicFeeds } = options
  const { language, publicUrl } = site
  const query = withLanguage('', site)
  const addHtml = ({ kind, recordId, isCanceled }: ListedEntry) => {
    const feed = publicFeeds.find(({ id }) => id === kind)
    if (!feed || !isCalendar(feed) || isCanceled) return ''
    const url = `${publicUrl}/${kind}/${recordId}.ics${query === '' ? '' : `?${query}`}`
    return `<br><small>${linkHtml(url, followTexts(language).add)}</small>`
  }
  const { html } = renderContent(content, {
    ...options,
    dayHtml: (day, lines, entries) =>
      lines
        .map((line, at) => {
          const color = entries[at]?.color ?? ''
          return tiledHtml(at === 0 ? day : undefined, line, color, site)
        })
        .join(''),
    afterEntry: addHtml,
  })
  return { ...renderContent(content, options), mail: html }
}
