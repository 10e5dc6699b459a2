import { createHash, randomBytes } from 'node:crypto'
import { ApiError } from './api-error.ts'

/** An API Project: who may call, with its own tokens and throttle. */
export type Project = { readonly id: number; readonly name: string }

export type CredentialOptions = {
  readonly accessTokenSeconds: number
  readonly refreshTokenSeconds: number
  readonly now: () => number
}

export type Credentials = {
  /** Makes a project and returns its refresh token, which is not kept. */
  readonly addProject: (name: string) => {
    readonly project: Project
    readonly refreshToken: string
  }
  /** The project of a refresh token. Throws an `ApiError`. */
  readonly projectOfRefreshToken: (authorization: string | undefined) => Project
  /** The project of an access token. Throws an `ApiError`. */
  readonly projectOfAccessToken: (authorization: string | undefined) => Project
  readonly issueAccessToken: (project: Project) => {
    readonly token: string
    readonly expiresAt: number
  }
}

type Grant = {
  readonly kind: 'refresh' | 'access'
  readonly project: Project
  readonly expiresAt: number
}

/** So long an expired access token is still known as expired. */
const memoryMs = 24 * 60 * 60 * 1000

/** Tokens are kept as hashes, so that looking one up takes no time that depends on its content. */
export function createCredentials(options: CredentialOptions): Credentials {
  const { accessTokenSeconds, refreshTokenSeconds, now } = options
  const grants = new Map<string, Grant>()
  let projects = 0

  function issue(kind: Grant['kind'], project: Project, seconds: number) {
    for (const [hash, grant] of grants) {
      if (grant.kind === 'access' && grant.expiresAt < now() - memoryMs) grants.delete(hash)
    }
    const token = randomBytes(32).toString('base64url')
    const expiresAt = now() + seconds * 1000
    grants.set(hashOf(token), { kind, project, expiresAt })
    return { token, expiresAt }
  }

  function grantOf(authorization: string | undefined): Grant {
    if (authorization === undefined) throw new ApiError('token_missing')
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    const grant = token === undefined ? undefined : grants.get(hashOf(token))
    if (!grant) throw new ApiError('token_invalid')
    return grant
  }

  return {
    addProject(name) {
      projects += 1
      const project = { id: projects, name }
      return { project, refreshToken: issue('refresh', project, refreshTokenSeconds).token }
    },
    projectOfRefreshToken(authorization) {
      const grant = grantOf(authorization)
      if (grant.kind === 'access') throw new ApiError('token_invalid')
      if (now() >= grant.expiresAt) throw new ApiError('refresh_expired')
      return grant.project
    },
    projectOfAccessToken(authorization) {
      const grant = grantOf(authorization)
      if (grant.kind === 'refresh') throw new ApiError('refresh_token_supplied')
      if (now() >= grant.expiresAt) throw new ApiError('token_expired')
      return grant.project
    },
    issueAccessToken: (project) => issue('access', project, accessTokenSeconds),
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
