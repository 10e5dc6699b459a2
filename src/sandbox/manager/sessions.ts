import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const sessionMs = 12 * 60 * 60 * 1000
const maxSessions = 20
const triesPerMinute = 5
const minuteMs = 60_000

type Session = {
  readonly expiresAt: number
  /** New refresh tokens by project id. */
  readonly newTokens: Map<number, string>
}

export type Sessions = {
  /** Returns the id of a new session. */
  readonly signIn: (
    password: string,
  ) =>
    | { readonly ok: true; readonly id: string }
    | { readonly ok: false; readonly reason: 'wrong' | 'wait' }
  readonly isSignedIn: (id: string | undefined) => boolean
  /** Keeps a refresh token, so that the project's page can show it once. */
  readonly keepToken: (id: string | undefined, projectId: number, refreshToken: string) => void
  readonly takeToken: (id: string | undefined, projectId: number) => string | undefined
  readonly end: (id: string | undefined) => void
}

/** Creates in-memory sessions for signed-in managers. */
export function createSessions(options: {
  readonly password: string
  readonly now: () => number
}): Sessions {
  const { password, now } = options
  const sessions = new Map<string, Session>()
  let wrongTries: number[] = []

  function find(id = ''): Session | undefined {
    const session = sessions.get(id)
    return session && now() < session.expiresAt ? session : undefined
  }

  return {
    signIn(tried) {
      wrongTries = wrongTries.filter((at) => at > now() - minuteMs)
      if (wrongTries.length >= triesPerMinute) return { ok: false, reason: 'wait' }
      if (!timingSafeEqual(hashOf(tried), hashOf(password))) {
        wrongTries.push(now())
        return { ok: false, reason: 'wrong' }
      }
      const [oldest] = sessions.keys()
      if (oldest !== undefined && sessions.size >= maxSessions) sessions.delete(oldest)
      const id = randomBytes(24).toString('base64url')
      sessions.set(id, { expiresAt: now() + sessionMs, newTokens: new Map() })
      return { ok: true, id }
    },
    isSignedIn: (id) => find(id) !== undefined,
    keepToken: (id, projectId, token) => void find(id)?.newTokens.set(projectId, token),
    takeToken(id, projectId) {
      const newTokens = find(id)?.newTokens
      const token = newTokens?.get(projectId)
      newTokens?.delete(projectId)
      return token
    },
    end: (id = '') => void sessions.delete(id),
  }
}

function hashOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
