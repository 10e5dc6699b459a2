import { ApiError } from './api-error.ts'
import type { Lockout } from './state/lockout.ts'
import type { Project, Projects } from './state/projects.ts'
import type { Grant, Tokens } from './state/tokens.ts'

/** Parsed Authorization headers in a call. */
export type Bearer = {
  /** Set if the token belongs, or used to belong, to a project. */
  readonly grant: Grant | undefined
  readonly isMissing: boolean
}

export type AccessOptions = {
  readonly accessTokenSeconds: number
  readonly refreshTokenSeconds: number
  readonly now: () => number
  readonly projects: Projects
  readonly tokens: Tokens
  readonly lockout: Lockout
}

/** Authenticates callers as specified in points 1 to 4 of the "Authentication" section. */
export function createAccess(options: AccessOptions) {
  const { now, projects, tokens, lockout } = options

  function isOver({ issuedAt }: Grant, lifetimeSeconds: number): boolean {
    return now() >= issuedAt + lifetimeSeconds * 1000
  }

  function projectOf({ projectId }: Grant): Project {
    const project = projects.find(projectId)
    if (!project) throw new ApiError('token_invalid')
    return project
  }

  function projectOfRefreshToken(bearer: Bearer): Project {
    const grant = recognised(bearer)
    if (grant.kind !== 'refresh') throw new ApiError('token_invalid')
    if (isOver(grant, options.refreshTokenSeconds)) throw new ApiError('refresh_expired')
    return projectOf(grant)
  }

  return {
    bearerFrom([authorization, ...others]: readonly string[]): Bearer {
      const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
      const isOne = token !== undefined && others.length === 0
      return {
        grant: isOne ? tokens.find(token) : undefined,
        isMissing: authorization === undefined,
      }
    },
    /** Returns the project for a token request. Failures count toward blocking the IP address. */
    projectOfTokenRequest(bearer: Bearer, address: string): Project {
      try {
        return projectOfRefreshToken(bearer)
      } catch (error) {
        if (error instanceof ApiError) lockout.countFailure(address)
        throw error
      }
    },
    projectOfDataRequest(bearer: Bearer): Project {
      const grant = recognised(bearer)
      if (grant.kind !== 'access') throw new ApiError('refresh_token_supplied')
      if (isOver(grant, options.accessTokenSeconds)) throw new ApiError('token_expired')
      return projectOf(grant)
    },
  }
}

function recognised({ grant, isMissing }: Bearer): Grant {
  if (isMissing) throw new ApiError('token_missing')
  if (!grant || grant.isRevoked) throw new ApiError('token_invalid')
  return grant
}
