import type { FaultReason, UpstreamError, UpstreamErrorKind } from './upstream-error.ts'

const apiPage = "in the website's Members Area, under Manage > API"
const operator = "the website's operator"
const again = 'Feedhouse tries again by itself'
const whoRuns = 'whoever runs this machine'

type Fault = Pick<UpstreamError, 'kind'> & Partial<Pick<UpstreamError, 'reason'>>

/** What a failure comes from, in plain words, and who does what about it, and where. */
export function adviceFor({ kind, reason }: Fault): string {
  return reason === undefined ? adviceByKind(kind) : adviceByReason(reason)
}

function adviceByKind(kind: UpstreamErrorKind): string {
  switch (kind) {
    case 'token_invalid':
      return `The website does not know SITE_REFRESH_TOKEN: a website manager looks at the API Project ${apiPage}, and regenerates the refresh token where it cannot be copied; you put it into the token file as it stands there and run check, or into .env and restart Feedhouse.`
    case 'token_missing':
      return `The website saw no token: a proxy or firewall in between takes the Authorization header away. Ask ${operator}, and ${whoRuns} about a proxy here.`
    case 'token_expired':
      return `The website takes its own new tokens for expired: ${whoRuns} compares its clock with the website's; if it is right, ask ${operator}.`
    case 'refresh_token_supplied':
      return 'The website takes the access token for a refresh token: report it as a fault of Feedhouse, with its version (npx feedhouse --version).'
    case 'refresh_expired':
      return `The refresh token is over a year old: a website manager regenerates it on the API Project ${apiPage}, and you put the new one into the token file and run check, or into .env and restart Feedhouse.`
    case 'project_disabled':
      return `The API Project is disabled: a website manager sets its status to Enabled ${apiPage}.`
    case 'api_disabled':
      return `The website's API is not activated: a website manager asks ${operator} to activate it.`
    case 'ip_not_allowed':
      return `The API Project lists the addresses that may call, and this machine's is none of them: a website manager adds its public address on the API Project ${apiPage}. README.md, "Connect your website", says how to find it.`
    case 'endpoint_not_allowed':
      return `A website manager allows this endpoint on the API Project ${apiPage}.`
    case 'https_required':
      return 'The website was reached without https: you set SITE_URL to its https address; if it is, whoever runs a proxy in between has it pass https on.'
    case 'too_many_failures':
      return 'The website blocks this address for an hour after too many failed token requests, also those of other programs here: you correct SITE_REFRESH_TOKEN meanwhile, and run check after that hour.'
    case 'rate_limited':
      return 'The calls of the API Project are used up; it comes back by itself. If others use the project too, a website manager makes one for Feedhouse alone, or you set CALLS_PER_MINUTE and CALLS_PER_DAY lower.'
    case 'budget_spent':
      return "Feedhouse's own budget of calls has no room now; it comes back by itself. If that is often so, you set FRESH_SECONDS higher."
    case 'invalid_parameter':
    case 'method_not_allowed':
    case 'unknown_endpoint':
    case 'not_found':
      return `The website does not know what Feedhouse asks: ask ${operator} whether the API is up to date, and look for a newer Feedhouse.`
    case 'server_error':
      return `The website's API failed, and reported that to ${operator}, whom you ask if it goes on; ${again}.`
    case 'tls':
      return `The website's certificate is not trusted: ask ${operator}; if the certificate authority is the organisation's own, you set SITE_CA_FILE to its certificate.`
    case 'unreachable':
      return `The website cannot be reached: you compare SITE_URL, and try whether a browser on this machine reaches it; ${again}.`
    case 'interrupted':
    case 'timeout':
    case 'unavailable':
      return `The website is slow or down; ${again}. If it goes on, ask ${operator}.`
    case 'body_too_large':
      return `The website sends more than Feedhouse reads, which is 8 MiB in one answer, and 32 MiB or 200,000 records and parts of records for a whole collection: a website manager deletes old records that nobody needs, or you ask ${operator} whether the API is in order.`
    case 'unexpected_answer':
      return `What answers is not the website's API: you compare SITE_URL, and ask ${operator} whether the API is in order.`
  }
}

function adviceByReason(reason: FaultReason): string {
  switch (reason) {
    case 'name unknown':
      return 'Nobody knows the host name: you compare SITE_URL, letter by letter, with the address that a browser shows for the website.'
    case 'name server':
      return `Host names cannot be looked up now: ${whoRuns} looks after its connection to the internet and its DNS server; ${again}.`
    case 'refused':
      return `The machine of that name is there, and nothing answers at the port: you compare SITE_URL (host and port); if they are right, the website is down: ask ${operator}; ${again}.`
    case 'no route':
      return `There is no way to the website's machine: ${whoRuns} looks after its network and its firewall; ${again}.`
    case 'no answer':
      return `Nothing answers at the website's address: a firewall in between drops the packets, or the website is down. Try a browser on this machine, then ask ${whoRuns} or ${operator}; ${again}.`
    case 'certificate expired':
      return `The website's certificate has expired: ask ${operator} to renew it. If browsers find nothing wrong, ${whoRuns} sets its clock right.`
    case 'certificate not yet valid':
      return `The website's certificate is for a time to come: ${whoRuns} sets its clock right; if it is, ask ${operator}.`
    case 'certificate self-signed':
      return `The website has signed its certificate itself, so anyone could pretend to be it: ask ${operator} for a proper one. If it is meant so, you save that certificate (PEM) and set SITE_CA_FILE to the file.`
    case 'certificate of an unknown authority':
      return `Nobody that Node trusts vouches for the website's certificate: ask ${operator} whether the intermediate certificate is missing. If the authority is the organisation's own, or of a firewall that looks into https, you set SITE_CA_FILE to its certificate.`
    case 'certificate of another host':
      return `The certificate is for another host name: you set SITE_URL to the name that the certificate has (mostly with or without www.), or ask ${operator}.`
    case 'no TLS':
      return 'What answers there does not speak https: you set SITE_URL to the https address of the website, without the port of plain http.'
    case 'web page':
      return `A web page answered instead of the API: SITE_URL leads to another website, a login page or a firewall's page. You compare SITE_URL; if it is right, ask ${operator} whether the API is activated.`
    case 'redirect':
      return `The website leads elsewhere instead of answering: you set SITE_URL to the address that a browser ends up at (mostly with or without www.); if that is it, ask ${operator} whether the API is activated.`
  }
}
