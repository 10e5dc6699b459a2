import { randomUUID } from 'node:crypto'
import { dayMs, hourMs, minuteMs } from '../../clock.ts'
import type { Problem } from '../../collections/status/problems.ts'
import { counted } from '../../collections/status/status-sentences.ts'
import type { Site } from '../../feeds/site.ts'
import { fullClock, joined, shortDayInWords, weekday } from '../../records/date-words.ts'
import { siteTimeAt } from '../../records/site-time.ts'
import type { Alert, PastProblem } from './alert-plan.ts'
import type { Notice, NoticeLine } from '../../channels/notice.ts'

/** In English. */
export type AlertSite = Pick<Site, 'name' | 'idHost' | 'timeZone' | 'language' | 'publicUrl'> & {
  readonly statusUrl: string
}

export function noticeFromAlert(alert: Alert, site: AlertSite, now: number): Notice {
  return noticeTo(site, now, { type: `alert.${alert.kind}`, ...contentFrom(alert, site) })
}

type Content = Pick<Notice, 'thread' | 'title' | 'lines' | 'data'>

function contentFrom(alert: Alert, site: AlertSite): Content {
  const at = (instant: number) => timeText(instant, site)
  switch (alert.kind) {
    case 'opened': {
      const { problem } = alert
      const lines = [{ text: problem.sentence }, { text: `Since ${at(problem.since)}.` }]
      const { key: thread, title } = problem
      return { thread, title, lines, data: { problem: dataFrom(problem) } }
    }
    case 'over': {
      const { key, title, since, until } = alert
      const resolved = `Resolved: ${lowerFirst(title)}`
      const text = `${resolved}. It lasted ${durationText(until - since)}, from ${at(since)} to ${at(until)}.`
      const data = { problem: { key, title, since: isoOf(since), until: isoOf(until) } }
      return { thread: key, title: resolved, lines: [{ text }], data }
    }
    case 'reminder': {
      const { problems } = alert
      const title = `Still open: ${counted(problems.length, 'problem')}`
      const data = { problems: problems.map(dataFrom) }
      return { thread: 'reminders', title, lines: problems.map(problemLine), data }
    }
    case 'summary': {
      const { problems, past } = alert
      const open =
        problems.length === 0 ? 'nothing needs attention' : counted(problems.length, 'open problem')
      const lines = [...problems.map(problemLine), ...past.map(pastLine)]
      if (lines.length === 0) lines.push({ text: 'There were no problems in the past week.' })
      const data = { problems: problems.map(dataFrom) }
      return { thread: 'summaries', title: `Weekly summary: ${open}`, lines, data }
    }
  }

  function problemLine({ title, sentence, since }: Problem): NoticeLine {
    return { text: `${title}, since ${at(since)}. ${sentence}` }
  }

  function pastLine({ title, since, until }: PastProblem): NoticeLine {
    return {
      text: `Resolved: ${lowerFirst(title)}, ${at(since)}, for ${durationText(until - since)}.`,
    }
  }
}

export function testNotice(site: AlertSite, now: number): Notice {
  const lines = [{ text: 'Messages from Feedhouse arrive here.' }]
  return noticeTo(site, now, {
    thread: 'test',
    type: 'test',
    title: 'Test message',
    lines,
    data: {},
  })
}

function noticeTo(
  { idHost, name: siteName, statusUrl: url }: AlertSite,
  at: number,
  { thread, ...about }: Content & Pick<Notice, 'type'>,
): Notice {
  return { id: randomUUID(), thread: `${thread}.${idHost}`, at, siteName, url, ...about }
}

function dataFrom({ key, title, sentence, since, urgency }: Problem) {
  return { key, title, sentence, since: isoOf(since), urgency }
}

function isoOf(instant: number): string {
  return new Date(instant).toISOString()
}

/** `Thu, Mar 5, 10:00 AM`, or `Thu, 5 Mar, 10:00` in regions that put the day first, as on the admin page. */
function timeText(instant: number, { timeZone, language }: AlertSite): string {
  const time = siteTimeAt(instant, timeZone)
  const day = time.slice(0, 10)
  return joined(
    weekday(day, language),
    shortDayInWords(day, day, language),
    fullClock(time, language),
  )
}

/** `2 hours and 5 minutes`; at least a minute. */
export function durationText(durationMs: number): string {
  const minutes = Math.max(1, Math.round(durationMs / minuteMs))
  if (minutes < 60) return counted(minutes, 'minute')
  const [big, bigUnit, small, smallUnit] =
    durationMs < dayMs
      ? [Math.floor(minutes / 60), 'hour', minutes % 60, 'minute']
      : [Math.floor(durationMs / dayMs), 'day', Math.floor((durationMs % dayMs) / hourMs), 'hour']
  const rest = small === 0 ? '' : ` and ${counted(small, smallUnit)}`
  return `${counted(big, bigUnit)}${rest}`
}

function lowerFirst(text: string): string {
  return /^(?:API|The API)/.test(text) ? text : `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`
}
