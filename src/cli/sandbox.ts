import { parseArgs } from 'node:util'
import { IANAZone } from 'luxon'
import { createSandbox } from '../sandbox/sandbox.ts'
import { UsageError } from './plain-fault.ts'
import { untilStopped } from './until-stopped.ts'

export const sandboxHelp = `Usage: node src/main.ts sandbox [options]
       node src/main.ts sandbox project add|list|set|regenerate ... --data-dir DIR

Runs the data service of a website on localhost, for demos and development: an invented fire
department's, or your own records. Prints one JSON line with its addresses and refresh tokens when
it is ready, and on standard error where its API Projects are managed.

  --https-port N             port of the service (default: any free one)
  --http-port N              port without TLS, which refuses every call (default: any free one)
  --data-dir DIR             keeps projects, tokens, the call log and the certificate authority
                             (default: all of them go with the process)
  --dataset DIR              your own records: a JSON array per resource (default: the invented ones)
  --time-zone ZONE           IANA time zone of the website (default: America/New_York)
  --access-token-seconds N   lifetime of access tokens (default: 86400)
  --refresh-token-seconds N  lifetime of refresh tokens (default: 31536000)
  --calls-per-minute N       throttle (default: 30)
  --calls-per-day N          throttle (default: 5000)
  --lockout-seconds N        how long ten failed token requests block an address (default: 3600)
  --api-disabled             answers as a website without the service
`

const numberOptions = [
  ['https-port', 'httpsPort'],
  ['http-port', 'httpPort'],
  ['access-token-seconds', 'accessTokenSeconds'],
  ['refresh-token-seconds', 'refreshTokenSeconds'],
  ['calls-per-minute', 'callsPerMinute'],
  ['calls-per-day', 'callsPerDay'],
  ['lockout-seconds', 'lockoutSeconds'],
] as const

const textOptions = [
  ['data-dir', 'dataDirectory'],
  ['dataset', 'datasetDirectory'],
  ['time-zone', 'timeZone'],
] as const

export async function sandbox(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      'https-port': text,
      'http-port': text,
      'data-dir': text,
      dataset: text,
      'time-zone': text,
      'access-token-seconds': text,
      'refresh-token-seconds': text,
      'calls-per-minute': text,
      'calls-per-day': text,
      'lockout-seconds': text,
      'api-disabled': { type: 'boolean' },
    },
  })
  const numbers = numberOptions.flatMap(([option, setting]) => {
    const value = values[option]
    return value === undefined ? [] : [[setting, wholeNumber(option, value)]]
  })
  const texts = textOptions.flatMap(([option, setting]) => {
    const value = values[option]
    return value === undefined ? [] : [[setting, filledIn(option, value)]]
  })
  await using running = await createSandbox({
    ...Object.fromEntries([...numbers, ...texts]),
    apiEnabled: values['api-disabled'] !== true,
  })
  const stopped = untilStopped()
  const { url, httpUrl, caFile, projects, manager } = running
  process.stderr.write(
    `API Projects are managed at ${manager.url} (password ${manager.password})\n`,
  )
  process.stdout.write(`${JSON.stringify({ url, httpUrl, caFile, projects })}\n`)
  await stopped
}

function wholeNumber(option: string, value: string): number {
  const isPort = option.endsWith('port')
  const [least, most] = isPort ? [0, 65_535] : [1, 1_000_000_000]
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new UsageError(`--${option} must be a whole number from ${least} to ${most}.`)
  }
  return number
}

function filledIn(option: string, value: string): string {
  if (value === '') throw new UsageError(`--${option} must not be empty.`)
  if (option === 'time-zone' && !IANAZone.isValidZone(value)) {
    throw new UsageError(`--time-zone must be an IANA time zone like America/New_York.`)
  }
  return value
}
