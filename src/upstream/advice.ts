import type { UpstreamErrorKind } from './upstream-error.ts'

const apiPage = "in the website's Members Area, Manage > API"

/** What the webmaster can do about a failure; nothing for those that pass by themselves. */
export function adviceFor(kind: UpstreamErrorKind): string | undefined {
  switch (kind) {
    case 'token_invalid':
      return `The website does not know SITE_REFRESH_TOKEN; copy it again from the API Project ${apiPage}.`
    case 'refresh_expired':
      return `The refresh token is over a year old; regenerate it on the API Project ${apiPage}.`
    case 'project_disabled':
      return `The API Project is disabled; enable it ${apiPage}.`
    case 'api_disabled':
      return "The website's API is not activated; ask the website's operator."
    case 'ip_not_allowed':
      return `Add the address of this machine to the API Project ${apiPage}.`
    case 'endpoint_not_allowed':
      return `Allow this endpoint on the API Project ${apiPage}.`
    case 'too_many_failures':
      return 'The website blocks this address for an hour after too many failed token requests; do not restart Feedhouse meanwhile.'
    case 'tls':
      return "The website's certificate is not trusted; if it is the organisation's own, set SITE_CA_FILE."
    default:
      return undefined
  }
}
