/** All errors in the "Errors" section of the specification. */
const failures = {
  invalid_parameter: [400, 'A parameter is not valid'],
  token_missing: [401, 'The Authorization header is missing'],
  token_invalid: [401, 'The token is not recognised'],
  token_expired: [401, 'The access token has expired; request a new one from the refresh endpoint'],
  refresh_token_supplied: [401, 'A data endpoint takes an access token, not a refresh token'],
  api_disabled: [403, 'The service is not enabled for this website'],
  https_required: [403, 'Requests must be made over HTTPS'],
  project_disabled: [403, 'The API Project is disabled'],
  refresh_expired: [403, 'The refresh token has expired; regenerate it on the API Project page'],
  ip_not_allowed: [403, 'This IP address is not on the list of the API Project'],
  endpoint_not_allowed: [403, 'The API Project may not read this endpoint'],
  not_found: [404, 'The requested ID does not exist or is not available'],
  unknown_endpoint: [404, 'The URI is not an endpoint'],
  method_not_allowed: [405, 'The endpoint does not accept this method'],
  rate_limited: [429, 'The throttle limit is reached; wait the seconds in the Retry-After header'],
  too_many_failures: [429, 'Too many failed token requests; this IP address is blocked'],
  server_error: [500, 'An unhandled exception occurred'],
} as const satisfies Record<string, readonly [status: number, message: string]>

const reasons = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
} as const

/** Headers that must accompany a status (RFC 9110, 15.5.2 and 15.5.6). */
const requiredHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  405: { Allow: 'GET, POST' },
}

export type ApiErrorCode = keyof typeof failures

export const apiErrorCodes = Object.keys(failures) as readonly ApiErrorCode[]

/** An error response from the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly status: keyof typeof reasons
  /** Response headers specific to the error. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ApiErrorCode,
    { detail, headers = {} }: { detail?: string; headers?: Readonly<Record<string, string>> } = {},
  ) {
    const [status, message] = failures[code]
    super(detail === undefined ? message : `${message}: ${detail}`)
    this.code = code
    this.status = status
    this.headers = { ...requiredHeaders[status], ...headers }
  }

  toJSON() {
    const { status, code, message } = this
    return { status, error: reasons[status], code, message }
  }
}
