import { checkAddress, type AddressReport } from '../check/address-check.ts'
import type { AddressFinding } from '../check/response-check.ts'
import { systemClock } from '../clock.ts'
import { urlWarning, urlWarnings } from '../links/url-warning.ts'
import { defineCommand, flag, onlyOperand } from './command.ts'
import { UsageError } from './user-errors.ts'

const maxUrlLength = 2_000

const options = { userAgent: 'Feedhouse doctor', now: systemClock.now }

export const command = defineCommand({
  options: { json: flag('print one JSON document') },
  help: (list) => `Usage: npx feedhouse doctor URL

Tests an address the way phones, calendar services and feed readers use it, from this machine:
connection, https and certificate, redirects, sign-in pages, content type, content, size, response
time, compression, and responses to apps that already have the current version. URL is the address
of a calendar or a feed, or of a home page, whose feeds are then tested too. It may belong to any
deployment, and needs no settings. The exit status is 0 if there are no faults, otherwise 1.

${list()}`,
  takesOperands: true,
  async run({ values, operands }, { stdout }) {
    const url = readUrl(
      onlyOperand(operands, 'doctor URL, like https://feeds.example.org/events.ics'),
    )
    const first = await checkAddress(url, { ...options, isPageAllowed: true, followsToHttps: true })
    const reports = [withWarning(first)]
    const show = (text: string) => void (values.json || stdout.write(text))
    show(fullTable(reports[0] ?? first))
    for (const feed of first.feeds) {
      const report = withoutRepeated(await checkAddress(feed, options), first)
      reports.push(report)
      show(shortTable(report))
    }
    const findings = reports.flatMap((report) => report.findings)
    const faults = findings.filter(({ state }) => state === 'fault').length
    const ok = faults === 0
    show(
      ok
        ? '\nNo faults found. Apps can read this address.\n'
        : `\n${faults} ${faults === 1 ? 'fault' : 'faults'} found. Fix the FAULT lines above, then run doctor again.\n`,
    )
    if (values.json) {
      const shown = reports.map((report) => ({ url: report.url, findings: report.findings }))
      stdout.write(`${JSON.stringify({ url, ok, reports: shown })}\n`)
    }
    return ok ? 0 : 1
  },
})

/** Returns the https form of a webcal: address, and any other address unchanged. */
function readUrl(address: string): string {
  if (address.length > maxUrlLength) {
    throw new UsageError(`The URL must have at most ${maxUrlLength} characters.`)
  }
  const text = address.replace(/^webcals?:/i, 'https:')
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError('The URL must start with https://, http:// or webcal://.')
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('The URL must not contain a password, because calendar apps reject it.')
  }
  url.hash = ''
  return url.href
}

/** Adds a note if only this machine or its network can reach the address. */
function withWarning({ url, findings, ...report }: AddressReport): AddressReport {
  const warning = urlWarning(url.replace(/^http:/, 'https:'))
  if (warning === undefined) return { url, findings, ...report }
  const note = { check: 'connection', state: 'note', sentence: warning } as const
  // Traffic within one machine cannot be intercepted on the network.
  const needsHttps = url.startsWith('https:') || warning !== urlWarnings.machine
  const shown = needsHttps ? findings : findings.filter(({ check }) => check !== 'https')
  return { ...report, url, findings: [note, ...shown] }
}

/** Omits server-wide problems that were already reported for the page. */
function withoutRepeated(report: AddressReport, page: AddressReport): AddressReport {
  const shown = new Set(
    page.findings.filter(({ check }) => serverChecks.has(check)).map(({ sentence }) => sentence),
  )
  return { ...report, findings: report.findings.filter(({ sentence }) => !shown.has(sentence)) }
}

const serverChecks = new Set<AddressFinding['check']>(['https', 'certificate', 'webcal'])

function fullTable({ url, findings }: AddressReport): string {
  return `${url}\n${findings.map(rowOf).join('')}`
}

/** Omits checks without problems, because the other feeds of a page rarely differ. */
function shortTable({ url, findings }: AddressReport): string {
  const shown = findings.filter(({ check, state }) => state !== 'ok' || check === 'content')
  return `\n${url}\n${shown.map(rowOf).join('')}`
}

const labels = { ok: 'ok', note: 'note', fault: 'FAULT' }
const labelWidth = 7
const checkWidth = 13

function rowOf({ state, check, sentence }: AddressFinding): string {
  return `${labels[state].padEnd(labelWidth)}${check.padEnd(checkWidth)}${sentence}\n`
}
