import type { FaultReason, UpstreamError, UpstreamErrorKind } from './upstream-error.ts'

const apiPage = "in the website's Members Area, under Manage > API"
const operator = "the website's operator"
const again = 'Feedhouse retries automatically'
const admin = "this server's administrator"

type Fault = {
  readonly kind: UpstreamErrorKind
  readonly reason?: UpstreamError['reason']
  readonly detail?: UpstreamError['detail']
}

const unknownRequest = `The website does not recognize the request. Ask ${operator} whether the API is up to date, and look for a newer version of Feedhouse.`
const slow = `The website is slow or down; ${again}. If this continues, ask ${operator}.`

const adviceByKind: Readonly<Record<UpstreamErrorKind, string>> = {
  token_invalid: `The website does not recognize SITE_REFRESH_TOKEN. Ask a website manager to copy the refresh token of the API Project ${apiPage}, or to regenerate it if it cannot be copied. Put it into the token file exactly as shown there and run check, or put it into .env and restart Feedhouse.`,
  token_missing: `The website received no token, because a proxy or firewall in between removes the Authorization header. Ask ${operator}, and ask ${admin} about any proxy on this network.`,
  token_expired: `The website treats its own new tokens as expired. Ask ${admin} to check the clock; if it is right, ask ${operator}.`,
  refresh_token_supplied:
    'The website mistakes the access token for a refresh token. Report this as a bug in Feedhouse, with its version (npx feedhouse --version).',
  refresh_expired: `The refresh token is over a year old and has expired. Ask a website manager to regenerate it on the API Project ${apiPage}. Put the new token into the token file and run check, or put it into .env and restart Feedhouse.`,
  project_disabled: `The API Project is disabled. Ask a website manager to set its status to Enabled ${apiPage}.`,
  api_disabled: `The website's API is not enabled. Ask a website manager to have ${operator} enable it.`,
  ip_not_allowed: `The API Project only allows listed IP addresses, and this server's address is not on the list. Ask a website manager to add its public address to the API Project ${apiPage}. README.md, "Connect your website", explains how to find the address.`,
  endpoint_not_allowed: `The API Project does not allow this endpoint. Ask a website manager to allow it on the API Project ${apiPage}.`,
  https_required: `The request reached the website without https. Set SITE_URL to its https address. If it already is, ask ${admin} to make any proxy in between forward https.`,
  too_many_failures:
    'The website blocks this IP address for an hour after too many failed token requests, including requests from other programs on this network. Correct SITE_REFRESH_TOKEN, then run check after that hour.',
  rate_limited: `The API Project has used up its calls for now; ${again}. If other programs use the same project, ask a website manager to create a separate project for Feedhouse, or lower CALLS_PER_MINUTE and CALLS_PER_DAY.`,
  budget_spent: `Feedhouse has used up its call budget for now; ${again}. If this happens often, raise FRESH_SECONDS.`,
  reading_paused: `Feedhouse exited unexpectedly at least twice within an hour while it was reading this website, so the website is not read for one to two hours; ${again}. Ask ${admin} to look at the log, and report it as a bug in Feedhouse.`,
  token_requests_paused: `Recent token requests failed. The website blocks this IP address for an hour after ten failures in 10 minutes, so Feedhouse sends at most three; ${again}. To try a corrected setting, run check again after this wait.`,
  invalid_parameter: unknownRequest,
  method_not_allowed: unknownRequest,
  unknown_endpoint: unknownRequest,
  not_found: unknownRequest,
  server_error: `The website's API failed and has reported the error to ${operator}; ${again}. If it keeps failing, ask ${operator}.`,
  tls: `The website's certificate is not trusted. Ask ${operator}. If your organization runs its own certificate authority, set SITE_CA_FILE to its certificate.`,
  unreachable: `The website cannot be reached; ${again}. Check SITE_URL, and try to open the website in a browser on this machine.`,
  interrupted: slow,
  timeout: slow,
  unavailable: slow,
  body_too_large: `Some of the website's records are larger than 8 MiB. Ask a website manager to remove pictures that were pasted into their text, or ask ${operator} whether the API works correctly.`,
  collection_too_large: `The website sends more data than Feedhouse accepts: 32 MiB or 200,000 records and nested objects per collection, and 64 MiB of text in total (less if memory is limited). Give Feedhouse more memory, ask a website manager to delete old records, or ask ${operator} whether the API works correctly.`,
  unexpected_answer: `The response is not from the website's API. Check SITE_URL, then ask ${operator} whether the API works correctly.`,
}

const adviceByReason: Readonly<Record<FaultReason, string>> = {
  'name unknown':
    'The host name does not exist. Compare SITE_URL, letter by letter, with the address that a browser shows for the website.',
  'name server': `Host names cannot be looked up right now; ${again}. Ask ${admin} to check the internet connection and the DNS server.`,
  refused: `The website's server refuses the connection; ${again}. Check the host and port in SITE_URL. If they are right, the website is down: ask ${operator}.`,
  'no route': `There is no network route to the website's server; ${again}. Ask ${admin} to check the network and the firewall.`,
  'no answer': `The website's server does not respond, because a firewall in between drops the packets or the website is down; ${again}. Try a browser on this machine, then ask ${admin} or ${operator}.`,
  'certificate expired': `The website's certificate has expired. Ask ${operator} to renew it. If browsers accept it, ask ${admin} to correct the clock.`,
  'certificate not yet valid': `The website's certificate is not valid yet. Ask ${admin} to check the clock; if it is right, ask ${operator}.`,
  'certificate self-signed': `The website's certificate is self-signed, so anyone could impersonate the website. Ask ${operator} to install one from a trusted authority. If it is self-signed on purpose, save that certificate (PEM) and set SITE_CA_FILE to the file.`,
  'certificate from an unknown authority': `The website's certificate comes from an authority that Node does not trust. Ask ${operator} whether the intermediate certificate is missing. If the authority belongs to your organization or to a firewall that inspects https, set SITE_CA_FILE to its certificate.`,
  'certificate of another host': `The certificate is for another host name. Set SITE_URL to the name in the certificate (often the same name with or without www.), or ask ${operator}.`,
  'no TLS':
    'The server at this address does not use https. Set SITE_URL to the https address of the website, without the port for plain http.',
  'web page': `The response is a web page instead of data. SITE_URL points to another website, a login page or a firewall's page. Check SITE_URL; if it is right, ask ${operator} whether the API is enabled.`,
  redirect: `The website redirects elsewhere. Set SITE_URL to the address where a browser ends up (often the same name with or without www.); if it is already that address, ask ${operator} whether the API is enabled.`,
}

/** Advice on a page on which the settings are entered. */
const pageAdvice: Partial<Readonly<Record<UpstreamErrorKind, string>>> = {
  token_invalid: `The website does not recognize the refresh token. Ask a website manager to copy the refresh token of the API Project ${apiPage}, or to regenerate it if it cannot be copied. Enter it below exactly as shown there, then check again.`,
  refresh_expired: `The refresh token is over a year old and has expired. Ask a website manager to regenerate it on the API Project ${apiPage}. Enter the new token below, then check again.`,
  too_many_failures:
    'The website blocks this IP address for an hour after too many failed token requests, including requests from other programs on this network. After that hour, enter the right token below, then check again.',
  token_requests_paused: `Recent token requests failed. The website blocks this IP address for an hour after ten failures in 10 minutes, so Feedhouse sends at most three. After this wait, enter the right token below, then check again.`,
}

/** Advice once the website has been read, which means that the settings are right. */
const laterAdvice: Partial<Readonly<Record<UpstreamErrorKind | FaultReason, string>>> = {
  unreachable: `The website is down, or cannot be reached from this machine; ${again}. Try opening it in a browser on this machine.`,
  https_required: `The website no longer accepts the connection as https. Ask ${operator}, and ask ${admin} about any proxy in between.`,
  unexpected_answer: `The website is down, or its API has changed: the response is not from the API; ${again}. If this continues, ask ${operator}.`,
  'name unknown': `The website is down: its host name no longer exists; ${again}. Ask ${operator} whether the website has moved.`,
  refused: `The website is down: its server refuses the connection; ${again}. If this continues, ask ${operator}.`,
  'no answer': `The website is down, or a firewall in between drops the packets: its server does not respond; ${again}. Try a browser on this machine, then ask ${admin} or ${operator}.`,
  'certificate of another host': `The website's certificate is now for another host name. Ask ${operator} to correct it.`,
  'certificate self-signed': `The website's certificate is now self-signed, so anyone could impersonate the website. Ask ${operator} to install one from a trusted authority.`,
  'no TLS': `The website is down, or no longer uses https; ${again}. If this continues, ask ${operator}.`,
  'web page': `The website is down, or its API is no longer enabled: the response is a web page instead of data; ${again}. If this continues, ask ${operator}.`,
  redirect: `The website now redirects elsewhere. Ask ${operator} whether it has moved. If it has, set SITE_URL to its new address.`,
}

/**
 * Returns advice. With `hasWorked`, the website has been read before. With `isOnPage`, the advice is for a
 * page on which the settings are entered.
 */
export function adviceFor(
  { kind, reason, detail }: Fault,
  {
    hasWorked = false,
    isOnPage = false,
  }: { readonly hasWorked?: boolean; readonly isOnPage?: boolean } = {},
): string {
  if (detail !== undefined) {
    return `The website's API does not respond as documented: ${detail}; ${again}. If this continues, ask ${operator} what has changed, and look for a newer version of Feedhouse.`
  }
  const later = hasWorked ? laterAdvice[reason ?? kind] : undefined
  const entered = isOnPage ? pageAdvice[kind] : undefined
  return later ?? entered ?? (reason === undefined ? adviceByKind[kind] : adviceByReason[reason])
}
