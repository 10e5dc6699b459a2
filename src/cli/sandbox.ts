import { parseArgs } from 'node:util'
import { createSandbox } from '../sandbox/sandbox.ts'
import { UsageError } from './plain-fault.ts'
import { untilStopped } from './until-stopped.ts'

export const sandboxHelp = `Usage: node src/main.ts sandbox [options]

Runs the data service of an invented fire department on localhost, for demos and development.
Prints one JSON line with its address and refresh token when it is ready.

  --https-port N             port of the service (default: any free one)
  --http-port N              port without TLS, which refuses every call (default: any free one)
  --access-token-seconds N   lifetime of access tokens (default: 86400)
  --refresh-token-seconds N  lifetime of the refresh token (default: 31536000)
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

export async function sandbox(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      'https-port': text,
      'http-port': text,
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
  await using running = await createSandbox({
    ...Object.fromEntries(numbers),
    apiEnabled: values['api-disabled'] !== true,
  })
  const stopped = untilStopped()
  const { url, httpUrl, caFile, projects } = running
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
