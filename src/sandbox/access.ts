import { ApiError } from './api-error.ts'
import type { Lockout } from './state/lockout.ts'
import type { Project, Projects } from './state/projects.ts'
import type { Grant, Tokens } from './state/tokens.ts'

/** What the Authorization headers of a call say. */
export type Bearer =
  { readonly grant: Grant } | { readonly grant?: never; readonly refusal: Refusal }
type Refusal = 'token_missing' | 'token_invalid'

export type AccessOptions = {
  readonly accessTokenSeconds: number
  readonly refreshTokenSeconds: number
  readonly now: () => number
  readonly projects: Projects
  readonly tokens: Tokens
  readonly lockout: Lockout
}

/** Who calls: the specification's section "Authentication", points 1 to 4. */
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

  function grantedByRefreshToken(bearer: Bearer): Project {
    const grant = grantOf(bearer)
    if (grant.kind !== 'refresh') throw new ApiError('token_invalid')
    if (isOver(grant, options.refreshTokenSeconds)) throw new ApiError('refresh_expired')
    return projectOf(grant)
  }

  return {
    bearerFrom([authorization, ...others]: readonly string[]): Bearer {
      if (authorization === undefined) return { refusal: 'token_missing' }
      const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
      const grant = token === undefined || others.length > 0 ? undefined : tokens.find(token)
      return grant ? { grant } : { refusal: 'token_invalid' }
    },
    /** The project of a token request; one that fails brings its address closer to a block. */
    projectOfTokenRequest(bearer: Bearer, address: string): Project {
      try {
        return grantedByRefreshToken(bearer)
      } catch (error) {
        lockout.countFailure(address)
        throw error
      }
    },
    projectOfDataRequest(bearer: Bearer): Project {
      const grant = grantOf(bearer)
      if (grant.kind !== 'access') throw new ApiError('refresh_token_supplied')
      if (isOver(grant, options.accessTokenSeconds)) throw new ApiError('token_expired')
      return projectOf(grant)
    },
  }
}

function grantOf(bearer: Bearer): Grant {
  if (!bearer.grant) throw new ApiError(bearer.refusal)
  return bearer.grant
}
