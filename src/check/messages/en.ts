import type { ConnectionFaultReason } from '../../upstream/upstream-error.ts'
import { pluralIn } from '../../records/messages.ts'

export type CheckMessages = typeof english

const plural = pluralIn('en')
const renew = 'renew it in the proxy.'

/** Results of checking a public address, and how to fix problems. */
export const english = {
  theAddress: 'the address',
  unreachable: (url: string, code: string, why: string) =>
    code === ''
      ? `${url} cannot be reached from this machine: ${why}`
      : `${url} cannot be reached from this machine (${code}): ${why}`,
  interrupted: 'the connection was interrupted.',
  /** `name` is what the reader calls the URL, such as the name of a setting. */
  reasons: (name: string): Readonly<Record<ConnectionFaultReason, string>> => ({
    'name unknown': `the host name does not exist; check the name in ${name} and its DNS record.`,
    'name server': `the host name cannot be looked up right now; check the name in ${name} and its DNS record.`,
    refused: `nothing is listening on its port; start the proxy, and check the port in ${name}.`,
    'no route': 'there is no route to it; check the DNS record and the network.',
    'no answer': 'it does not respond; open the port in the firewall and the router.',
    'certificate expired': `its certificate has expired; ${renew}`,
    'certificate not yet valid': "its certificate is not valid yet; check this machine's clock.",
    'certificate self-signed': `its certificate is self-signed, which phones reject; ${renew}`,
    'certificate from an unknown authority':
      'phones do not trust its certificate; configure the proxy to send the intermediate certificates, or get a certificate from a public authority.',
    'certificate of another host': `its certificate is for another host name; check the name in ${name} and its DNS record.`,
    'no TLS': `it does not use https there; set up https in the proxy, and check the port in ${name}.`,
  }),
  notEncrypted:
    'The address is not encrypted: anyone on the network path can read it, and some apps reject it. Put an https proxy in front of the server, and use the https address.',
  encrypted: 'The address uses https.',
  expires: (day: string) =>
    `The certificate expires on ${day}. Check why it has not been renewed yet.`,
  trusted: (day: string) =>
    `The certificate is trusted, matches the host name, and is valid until ${day}.`,
  upgrades:
    'The http address redirects to https, which most apps follow. Give people the https address.',
  doesNotRedirect: 'The address does not redirect.',
  redirectsToItself: 'The address redirects to itself or to an invalid address. Correct the proxy.',
  redirectsToHttps: 'The address redirects to https. Use the https address.',
  redirects: (target: string) =>
    `The address redirects to ${target}, which some apps do not follow, and iPhones then import the calendar only once. Use the address where it ends, or, if that is a sign-in page, exclude the feeds from it.`,
  validatorMissing: (header: string) =>
    `${header} is missing, so apps load everything each time. Configure the proxy to pass on ETag, Last-Modified and If-None-Match unchanged.`,
  sentAgain: (status: number, header: string) =>
    `An unchanged feed is sent again (${status}) despite ${header}, so apps load everything each time. Configure the proxy to pass on ETag, Last-Modified and If-None-Match unchanged.`,
  secondFailed: 'A second request failed, so the server is not always reachable. Check its log.',
  notSentAgain: 'An unchanged feed is not sent again (304).',
  portRedirects: 'Port 80 redirects to https, so webcal: buttons work in all apps.',
  portDoesNotRedirect: (port: number) =>
    `Port ${port} does not redirect to https. Some apps, such as Thunderbird, open webcal: addresses there. Configure the proxy to redirect http to https.`,
  portDoesNotRespond: (port: number) =>
    `Port ${port} does not respond. Some apps, such as Thunderbird, open webcal: addresses there. Open the port, and redirect http to https.`,
  password:
    'The address asks for a password, which calendar apps cannot enter. Turn that off in the proxy for feeds; feed links protect private feeds.',
  refusingPage:
    'The address responds with a web page that refuses access, such as a browser check. Exclude the feeds from it, because calendar apps cannot pass it.',
  statuses: {
    404: 'Nothing is at this address (404). Check that it is complete and current.',
    410: 'The address is no longer available (410), for example because a feed link was revoked.',
    429: 'The server limits requests (429). Wait a minute, then check again.',
  } as Readonly<Record<number, string>>,
  serverFails: (status: number) =>
    `The server responds with ${status}. Feedhouse is starting or failing, or the proxy cannot reach it. Check the logs of both.`,
  otherStatus: (status: number) =>
    `The server responds with ${status} instead of 200. Configure the proxy to pass on feeds unchanged.`,
  tooLarge: (kilobytes: string, googleKilobytes: string) =>
    `The response is larger than ${kilobytes} kB, so the rest was not read. Google fails above ${googleKilobytes} kB. Select fewer calendars or fewer days.`,
  notDecompressed:
    'The compressed response cannot be decompressed. Turn off compression in the proxy; Feedhouse compresses feeds itself.',
  webPage: 'a web page',
  webPageCalled: (title: string) => `the web page “${title}”`,
  pageWithPassword: (page: string) =>
    `The address shows ${page}, which asks for a password. Exclude the feeds from it, because calendar apps cannot sign in.`,
  pageInsteadOfFeed: (page: string) =>
    `The address shows ${page} instead of a feed, such as a sign-in page or a browser check. Use the address of a feed, or exclude feeds from that page.`,
  pageWithoutFeeds: (page: string) =>
    `The address shows ${page}, which names no feeds. If it is not a sign-in page, use the address of a feed.`,
  pageWithFeeds: (page: string, feeds: number) =>
    plural(feeds, {
      one: `The address shows ${page}, which names ${feeds} feed.`,
      other: `The address shows ${page}, which names ${feeds} feeds.`,
    }),
  unknownContent: 'The response is neither a calendar nor a feed. Check the address and the proxy.',
  kinds: {
    calendar: 'calendar',
    RSS: 'RSS feed',
    Atom: 'Atom feed',
    'JSON Feed': 'JSON Feed',
  },
  complete: (kind: string, entries: number) =>
    plural(entries, {
      one: `The response is a complete ${kind} with ${entries} entry.`,
      other: `The response is a complete ${kind} with ${entries} entries.`,
    }),
  damaged: (kind: string, reason: string) =>
    `The ${kind} is damaged: ${reason}. Check whether a proxy changes it.`,
  damages: {
    byteOrderMark: 'it starts with a byte order mark, which several apps reject',
    notAProperty: (line: number) => `line ${line} is not a calendar property`,
    continues: 'it continues after END:VCALENDAR',
    notOpen: (line: number) => `line ${line} ends a component that is not open`,
    noUid: 'an entry has no UID',
    sameUid: 'two entries have the same UID, so apps show only one of them',
    isCutOff: (component: string) => `END:${component} is missing, so it is cut off`,
    noVersion: 'VERSION:2.0 is missing',
    invalidJson: 'it is not valid JSON',
    notClosed: (element: string) => `the element <${element}> is not closed`,
  },
  type: (name: string) => `The content type is ${name}.`,
  wrongType: (name: string, expected: string) =>
    `The content type is ${name} instead of ${expected}. Configure the proxy to leave it unchanged.`,
  noType: (expected: string) =>
    `The content type is missing instead of ${expected}. Configure the proxy to leave it unchanged.`,
  size: (kilobytes: string) => `The size is ${kilobytes} kB.`,
  sizeTooLargeForGoogle: (kilobytes: string, googleKilobytes: string) =>
    `The size is ${kilobytes} kB. Google Calendar fails above about ${googleKilobytes} kB. Select fewer calendars or fewer days.`,
  sizeLarge: (kilobytes: string) =>
    `The size is ${kilobytes} kB. Show fewer items, or summaries instead of the full text.`,
  fast: 'The response took less than 0.1 seconds.',
  took: (seconds: string) => `The response took ${seconds} seconds.`,
  slow: (seconds: string) =>
    `The response took ${seconds} seconds. iPhones show no progress in the meantime, so the button seems broken.`,
  tooSlow: (seconds: string) =>
    `The response took ${seconds} seconds, after which apps give up. Check the load and network of the server.`,
  compressed: (coding: string) => `The response is compressed with ${coding}.`,
  notCompressed: 'The response is not compressed. Configure the proxy to pass on Accept-Encoding.',
  maybeCached:
    'Cache-Control does not contain "private", so shared caches may store this private feed. Configure the proxy to leave the header unchanged.',
  isPrivate: 'Shared caches do not store it, and search engines do not list it.',
  maybeListed:
    'X-Robots-Tag does not contain "noindex", so search engines may list this private address. Configure the proxy to leave the header unchanged.',
  noEffect: (name: string, suggestion: string | undefined) =>
    suggestion === undefined
      ? `“${name}” in the address has no effect.`
      : `“${name}” in the address has no effect. Did you mean “${suggestion}”?`,
}
