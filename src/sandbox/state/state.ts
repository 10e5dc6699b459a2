import { createCallLog, type CallLog } from './call-log.ts'
import { openDatabase } from './database.ts'
import { createLockout, type Lockout } from './lockout.ts'
import { createProjects, type Projects } from './projects.ts'
import { createThrottle, type Throttle } from './throttle.ts'
import { createTokens, type Tokens } from './tokens.ts'

/** State that calls share. */
export type State = Disposable & {
  readonly projects: Projects
  readonly tokens: Tokens
  readonly throttle: Throttle
  readonly lockout: Lockout
  readonly callLog: CallLog
}

/** Opens the state in a directory or in memory. Throws a `SandboxFault`. */
export function openState(
  directory: string | undefined,
  options: {
    readonly timeZone: string
    readonly accessTokenSeconds: number
    readonly callsPerMinute: number
    readonly callsPerDay: number
    readonly lockoutSeconds: number
    readonly now: () => number
  },
): State {
  const database = openDatabase(directory)
  const tokens = createTokens(database, options)
  return {
    tokens,
    projects: createProjects(database, { tokens }),
    throttle: createThrottle(database, options),
    lockout: createLockout(database, options),
    callLog: createCallLog(database, options),
    [Symbol.dispose]: () => database.close(),
  }
}
