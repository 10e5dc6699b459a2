import { resolve } from 'node:path'
import { inspect } from 'node:util'
import { IANAZone } from 'luxon'
import { createSandbox, type SandboxOptions } from '../sandbox/sandbox.ts'
import { argumentDirectory, defineCommand, flag, valueOption } from './command.ts'
import { UsageError } from './user-errors.ts'

/** Reads the value of an option. Paths are relative to `base`. */
type Read = (text: string, option: string, base: string) => string | number

/** Returns a function that declares options for properties of the sandbox. */
function settingOf(placeholder: string, read: Read) {
  return (name: keyof SandboxOptions, about: string) => ({
    ...valueOption(placeholder, about),
    name,
    read,
  })
}

const port = settingOf('N', wholeNumber(0, 65_535))
const amount = settingOf('N', wholeNumber(1, 1_000_000_000))
const directory = settingOf('DIR', readDirectory)
const timeZone = settingOf('ZONE', readTimeZone)

const settings = {
  'https-port': port('httpsPort', 'port of the service (default: any free port)'),
  'http-port': port(
    'httpPort',
    'port without TLS, which rejects every call (default: any free port)',
  ),
  'data-dir': directory(
    'dataDirectory',
    'store projects, tokens, usage, the call log and the certificate authority here (default: discarded when the process ends)',
  ),
  dataset: directory(
    'datasetDirectory',
    'your own records: one JSON array per endpoint (default: sample records)',
  ),
  'time-zone': timeZone('timeZone', 'IANA time zone of the website (default: America/New_York)'),
  'access-token-seconds': amount(
    'accessTokenSeconds',
    'lifetime of access tokens (default: 86400)',
  ),
  'refresh-token-seconds': amount(
    'refreshTokenSeconds',
    'lifetime of refresh tokens (default: 31536000)',
  ),
  'calls-per-minute': amount('callsPerMinute', 'API call limit (default: 30)'),
  'calls-per-day': amount('callsPerDay', 'API call limit (default: 5000)'),
  'lockout-seconds': amount(
    'lockoutSeconds',
    'how long an IP address is blocked after ten failed token requests (default: 3600)',
  ),
}

export const command = defineCommand({
  options: {
    ...settings,
    'api-disabled': flag('respond like a website whose API is not enabled'),
    json: flag('accepted for consistency; the output is always JSON'),
  },
  help: (list) => `Usage: npx feedhouse sandbox [options]
       npx feedhouse sandbox project add|list|set|regenerate ... --data-dir DIR

Runs a website's data service on localhost, for demos and development, with sample records of a
fictional fire department or your own records. When ready, prints one JSON line with its URLs and
the refresh tokens of new projects; prints to standard error where to manage API Projects.

${list()}`,
  async run({ values }, context) {
    const { stdout, stderr, stopSignal } = context
    const base = argumentDirectory(context)
    const given = Object.entries(settings).flatMap(([option, { name, read }]) => {
      const value = values[option as keyof typeof settings]
      return value === undefined ? [] : [[name, read(value, option, base)]]
    })
    await using running = await createSandbox({
      ...Object.fromEntries(given),
      apiEnabled: values['api-disabled'] !== true,
      report: (error) => {
        stderr.write(`sandbox: ${typeof error === 'string' ? error : inspect(error)}\n`)
      },
    })
    const stopped = stopSignal()
    const { url, httpUrl, caFile, projects, manager } = running
    stderr.write(`Manage API Projects at ${manager.url} (password ${manager.password})\n`)
    stdout.write(`${JSON.stringify({ url, httpUrl, caFile, projects })}\n`)
    await stopped
  },
})

function wholeNumber(min: number, max: number): Read {
  return (text, option) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= min && number <= max) return number
    throw new UsageError(`--${option} must be a whole number from ${min} to ${max}.`)
  }
}

function readDirectory(text: string, option: string, base: string): string {
  if (text === '') throw new UsageError(`--${option} must not be empty.`)
  return resolve(base, text)
}

function readTimeZone(text: string, option: string): string {
  if (IANAZone.isValidZone(text)) return text
  throw new UsageError(`--${option} must be an IANA time zone like America/New_York.`)
}
