import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { dayMs, hourMs, minuteMs } from '../../clock.ts'
import { endingOf, type Problem } from '../../collections/status/problem.ts'
import { counted } from '../../collections/status/status-sentences.ts'
import { statusTimes } from '../../collections/status/status-times.ts'
import type { Alert, PastProblem } from './alert-plan.ts'
import type { Notice, NoticeLine } from '../../channels/notice.ts'

/** The site that an alert is about, in English. */
export type AlertSite = {
  readonly name: string
  readonly idHost: string
  readonly timeZone: string
  readonly language: string
  readonly statusUrl: string
}

export function noticeFromAlert(alert: Alert, site: AlertSite, now: number): Notice {
  return noticeTo(site, now, `alert.${alert.kind}`, contentFrom(alert, site, now))
}

type Content = {
  readonly thread: string
  readonly title: string
  readonly lines: readonly NoticeLine[]
  readonly data: Notice['data']
}

function contentFrom(alert: Alert, site: AlertSite, now: number): Content {
  const { at } = statusTimes(site, now)
  switch (alert.kind) {
    case 'opened': {
      const { problem } = alert
      const { key: thread, title, sentence, since, urgency } = problem
      const lines = [{ text: sentence }, { text: `Since ${at(since)}. ${urgencyText[urgency]}` }]
      return { thread, title, lines, data: { problem: dataFrom(problem) } }
    }
    case 'over': {
      const { key, title, since, until } = alert
      const ending = endOf(alert)
      const text = `The problem lasted ${durationText(until - since)}, from ${at(since)} to ${at(until)}.`
      const data = { problem: { key, title, since: isoOf(since), until: isoOf(until) } }
      return { thread: key, title: ending, lines: [{ text }], data }
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

  function problemLine({ title, sentence, since, urgency }: Problem): NoticeLine {
    return { text: `${title}, since ${at(since)}. ${sentence} ${urgencyText[urgency]}` }
  }

  function pastLine(past: PastProblem): NoticeLine {
    const { since, until } = past
    return { text: `${endOf(past)}, since ${at(until)}, after ${durationText(until - since)}.` }
  }
}

const urgencies = ['urgent', 'normal', 'note'] as const

const urgencyText: Readonly<Record<Problem['urgency'], string>> = {
  urgent: 'This cannot wait until morning.',
  normal: 'This can wait until morning.',
  note: 'This can wait for a few days.',
}

function endOf({ key, title }: PastProblem): string {
  return endingOf(key) ?? `No longer the case: ${title}`
}

export function testNotice(site: AlertSite, now: number): Notice {
  const lines = [{ text: 'Messages from Feedhouse arrive here.' }]
  return noticeTo(site, now, 'test', { thread: 'test', title: 'Test message', lines, data: {} })
}

function noticeTo(
  { idHost, name: siteName, statusUrl: url }: AlertSite,
  at: number,
  type: string,
  { thread, ...about }: Content,
): Notice {
  return { id: randomUUID(), thread: `${thread}.${idHost}`, type, at, siteName, url, ...about }
}

/** Returns whether the problem in an alert can wait. Undefined for other messages. */
export function waitingText({ data }: Notice): string | undefined {
  const { data: problem } = z.object({ urgency: z.enum(urgencies) }).safeParse(data['problem'])
  return problem && urgencyText[problem.urgency]
}

function dataFrom({ key, title, sentence, since, urgency }: Problem) {
  return { key, title, sentence, since: isoOf(since), urgency }
}

function isoOf(instant: number): string {
  return new Date(instant).toISOString()
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
