import { resolve } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { IANAZone } from 'luxon'
import { createSandbox, type SandboxOptions } from '../sandbox/sandbox.ts'
import { argumentDirectory, type Command } from './command.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse sandbox [options]
       npx feedhouse sandbox project add|list|set|regenerate ... --data-dir DIR

Runs a website's data service on localhost, for demos and development, with sample records of a
fictional fire department or your own records. When ready, prints one JSON line with its URLs and
the refresh tokens of new projects; prints to standard error where to manage API Projects.

  --https-port N             port of the service (default: any free port)
  --http-port N              port without TLS, which rejects every call (default: any free port)
  --data-dir DIR             store projects, tokens, usage, the call log and the certificate
                             authority here (default: discarded when the process ends)
  --dataset DIR              your own records: one JSON array per endpoint (default: sample records)
  --time-zone ZONE           IANA time zone of the website (default: America/New_York)
  --access-token-seconds N   lifetime of access tokens (default: 86400)
  --refresh-token-seconds N  lifetime of refresh tokens (default: 31536000)
  --calls-per-minute N       API call limit (default: 30)
  --calls-per-day N          API call limit (default: 5000)
  --lockout-seconds N        how long an IP address is blocked after ten failed token requests
                             (default: 3600)
  --api-disabled             respond like a website whose API is not enabled
  --json                     accepted for consistency; the output is always JSON
`

type Setting = {
  readonly name: keyof SandboxOptions
  /** Parses the option's value. Paths are relative to `base`. */
  readonly read: (text: string, option: string, base: string) => string | number
}

const settings: Readonly<Record<string, Setting>> = {
  'https-port': { name: 'httpsPort', read: port },
  'http-port': { name: 'httpPort', read: port },
  'data-dir': { name: 'dataDirectory', read: directory },
  dataset: { name: 'datasetDirectory', read: directory },
  'time-zone': { name: 'timeZone', read: timeZone },
  'access-token-seconds': { name: 'accessTokenSeconds', read: amount },
  'refresh-token-seconds': { name: 'refreshTokenSeconds', read: amount },
  'calls-per-minute': { name: 'callsPerMinute', read: amount },
  'calls-per-day': { name: 'callsPerDay', read: amount },
  'lockout-seconds': { name: 'lockoutSeconds', read: amount },
}

const options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>> = {
  ...Object.fromEntries(Object.keys(settings).map((option) => [option, { type: 'string' }])),
  'api-disabled': { type: 'boolean' },
  json: { type: 'boolean' },
}

const run: Command['run'] = async (args, context) => {
  const { stdout, stderr, stopSignal } = context
  const base = argumentDirectory(context)
  const { values } = parseArgs({ args: [...args], options })
  const given = Object.entries(settings).flatMap(([option, { name, read }]) => {
    const value = values[option]
    return typeof value === 'string' ? [[name, read(value, option, base)]] : []
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
}

export const sandboxCommand: Command = { help, run }

function port(text: string, option: string): number {
  return wholeNumber(text, option, [0, 65_535])
}

function amount(text: string, option: string): number {
  return wholeNumber(text, option, [1, 1_000_000_000])
}

function wholeNumber(text: string, option: string, [min, max]: readonly [number, number]) {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < min || number > max) {
    throw new UsageError(`--${option} must be a whole number from ${min} to ${max}.`)
  }
  return number
}

function directory(text: string, option: string, base: string): string {
  if (text === '') throw new UsageError(`--${option} must not be empty.`)
  return resolve(base, text)
}

function timeZone(text: string, option: string): string {
  if (IANAZone.isValidZone(text)) return text
  throw new UsageError(`--${option} must be an IANA time zone like America/New_York.`)
}
