import type { UpstreamErrorKind } from './upstream-error.ts'

const apiPage = "in the website's Members Area, Manage > API"
const operator = "the website's operator"

/** What to do about a failure, in plain words, and who has to. */
export function adviceFor(kind: UpstreamErrorKind): string {
  switch (kind) {
    case 'token_invalid':
      return `The website does not know SITE_REFRESH_TOKEN: a website manager copies it again from the API Project ${apiPage}.`
    case 'token_missing':
      return 'The website saw no token: what stands between may take the Authorization header away.'
    case 'token_expired':
      return 'The website takes its own new tokens for expired: compare the clocks of website and machine.'
    case 'refresh_token_supplied':
      return 'The website takes the access token for a refresh token: report it as a fault of Feedhouse.'
    case 'refresh_expired':
      return `The refresh token is over a year old: a website manager regenerates it on the API Project ${apiPage}, and SITE_REFRESH_TOKEN is set to the new one.`
    case 'project_disabled':
      return `The API Project is disabled: a website manager enables it ${apiPage}.`
    case 'api_disabled':
      return `The website's API is not activated: ask ${operator} to activate it.`
    case 'ip_not_allowed':
      return `A website manager adds the address of this machine to the API Project ${apiPage}.`
    case 'endpoint_not_allowed':
      return `A website manager allows this endpoint on the API Project ${apiPage}.`
    case 'https_required':
      return 'The website was reached without https: set SITE_URL to its https address.'
    case 'too_many_failures':
      return 'The website blocks this address for an hour after too many failed token requests; correct SITE_REFRESH_TOKEN meanwhile.'
    case 'rate_limited':
      return 'The calls of the API Project are used up; it comes back by itself. If others use the project too, set CALLS_PER_MINUTE and CALLS_PER_DAY lower.'
    case 'budget_spent':
      return "Feedhouse's own budget of calls has no room now; it comes back by itself."
    case 'invalid_parameter':
    case 'method_not_allowed':
    case 'unknown_endpoint':
    case 'not_found':
      return `The website does not know what Feedhouse asks: ask ${operator} whether the API is up to date.`
    case 'server_error':
      return `The website's API failed, and reported that to ${operator}; Feedhouse tries again by itself.`
    case 'tls':
      return "The website's certificate is not trusted; if it is the organisation's own, set SITE_CA_FILE."
    case 'unreachable':
      return 'The website cannot be reached: compare SITE_URL, and try whether a browser reaches it from here.'
    case 'interrupted':
    case 'timeout':
    case 'unavailable':
      return 'The website is slow or down; Feedhouse tries again by itself.'
    case 'body_too_large':
      return `The website sends more than Feedhouse takes: ask ${operator} whether the API is in order.`
    case 'unexpected_answer':
      return `What answers is not the website's API: compare SITE_URL, and ask ${operator} whether the API is in order.`
  }
}
