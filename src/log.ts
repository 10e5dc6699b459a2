import { destination, pino, type DestinationStream, type Logger } from 'pino'

export type { Logger }

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

const secretKeys = ['token', 'accessToken', 'refreshToken', 'authorization', 'password', 'key']

/** Logs JSON lines to standard error, because commands print to standard output. */
export function createLogger(level: LogLevel, stream?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretKeys.flatMap((key) => [key, `*.${key}`]), censor: '[secret]' },
    },
    stream ?? destination({ dest: 2, sync: true }),
  )
}
