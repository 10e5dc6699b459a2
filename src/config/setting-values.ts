import { X509Certificate } from 'node:crypto'
import { IANAZone } from 'luxon'
import { z } from 'zod'
import { colorFrom } from '../calendar/color.ts'
import { linkFeedIds, publishableFeeds } from '../feeds/catalog.ts'

/* Schemas that validate and parse setting values. */

/** Maximum number of hubs, each of which is notified of every change. */
const maxHubs = 5

const maxCountyNameLength = 100

/** Paths used by Feedhouse itself, which sites and their own feeds cannot use. */
export const reservedNames = [
  'l',
  'admin',
  'assets',
  'board',
  'embed',
  'parts',
  'poster',
  'livez',
  'readyz',
  'status',
  'metrics',
  ...linkFeedIds,
]

export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error)
}

/** Interval between reads of the website. */
export const freshSeconds = wholeNumber(60, 86_400)

/** Keeps feed links under 200 characters, unless their options contain long lists. */
const maxPublicUrlLength = 80

/** Site origin with a normalized host name, from which the store's name is derived. */
export const siteOrigin = z
  .string()
  .transform((value) => (URL.canParse(value) ? new URL(value) : undefined))
  .refine(
    (url) => url?.protocol === 'https:' && url.href === `${url.origin}/`,
    'must be an https URL without a path, like https://www.example.org',
  )
  .refine((url) => !url?.hostname.includes('_'), 'must not have an underscore in its host name')
  .transform((url) => url?.origin.replace(/\.(?=:\d|$)/, '') ?? '')

/** A lowercase ASCII host name without a port, as it appears in ids. */
export const hostName = z
  .string()
  .transform((value) =>
    URL.canParse(`https://${value}`) ? new URL(`https://${value}`) : undefined,
  )
  .refine(
    (url) => url?.href === `https://${url?.hostname}/` && /^[a-z\d.-]+$/.test(url.hostname),
    'must be a host name, like www.example.org',
  )
  .transform((url) => url?.hostname.replace(/\.$/, '') ?? '')

export const refreshToken = z
  .string()
  .regex(/^[!-~]+$/, 'must be only the token, exactly as the website shows it')
  .refine((token) => !/^["'<]|["'>]$/.test(token), 'must be only the token, without quotes')

/** An origin with an optional path segment, so that several sites can share a host. */
export const publicAddress = z
  .string()
  .refine(
    isPublicAddress,
    'must be an http or https URL, like https://feeds.example.org or https://www.example.org/feeds',
  )
  .transform((value) => new URL(value).href.replace(/\/$/, ''))
  .refine(
    (url) => !reservedNames.includes(new URL(url).pathname.slice(1)),
    `must not end with a path that Feedhouse uses itself: ${reservedNames.join(', ')}`,
  )
  .refine(
    (url) => url.length <= maxPublicUrlLength,
    `must have at most ${maxPublicUrlLength} characters`,
  )

/** Name of the county page. */
export const countyName = z
  .string()
  .regex(/^\P{Cc}+$/u, 'must be one line')
  .max(maxCountyNameLength, `must have at most ${maxCountyNameLength} characters`)

const publishableIds = publishableFeeds.map(({ id }) => id)

/** Ids of feeds that can be public. */
export const feedList = z
  .string()
  .transform((value) => (value === '' ? [] : value.split(',').map((id) => id.trim())))
  .refine(
    (ids) => ids.every((id) => publishableIds.includes(id)),
    `must be a comma-separated list of: ${publishableIds.join(', ')}`,
  )

export const hubList = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter((hub) => hub !== ''))
  .refine(
    (hubs) => hubs.length <= maxHubs && hubs.every(isHttpsUrl),
    `must be at most ${maxHubs} https URLs, like https://pubsubhubbub.appspot.com/`,
  )
  .transform((hubs) => [...new Set(hubs.map((hub) => new URL(hub).href))])

export const timeZone = z
  .string()
  .refine(
    (zone) => /^[a-z]/i.test(zone) && IANAZone.isValidZone(zone),
    'must be a time zone, like America/New_York',
  )
  .refine(
    (zone) => !/^[EMH]ST$/i.test(zone),
    "must be a regional time zone, like America/New_York: EST, MST and HST don't observe daylight saving time",
  )
  .transform(timeZoneName)

/** Six lowercase hex digits with "#". */
export const siteColor = z
  .string()
  .refine(
    (text) => colorFrom(text) !== undefined,
    'must be six hex digits, like b3261e, or a color name, like firebrick',
  )
  .transform((text) => `#${colorFrom(text)}`)

/** Absolute path of a file, or a URL. */
export const siteLogo = z.string().refine(
  // AVIF used to be supported. A site with such a logo still starts, and shows the initials.
  (text) => isHttpsUrl(text) || /^(?!http:).*\.(?:png|jpe?g|webp|avif|gif|svg)$/i.test(text),
  'must be an https URL, or the path of a file that ends in .png, .jpg, .webp, .gif or .svg',
)

/** Fits next to the name in the header of a page on a phone. */
export const maxPlaceLength = 60

export const placeName = z
  .string()
  .regex(/^\P{Cc}+$/u, 'must be one line, like Cedar Hollow, NY')
  .max(maxPlaceLength, `must have at most ${maxPlaceLength} characters`)

export const certificate = z
  .string()
  .refine(isCertificate, 'must name a PEM file with a certificate')

export const proxyCount = z
  .string()
  .regex(/^(?:off|\d|10)$/, 'must be off or the number of proxies, 1 to 10')
  .transform((value) => (value === 'off' ? 0 : Number(value)))
  .default(0)

export const redisUrl = z
  .string()
  .refine(isRedisUrl, 'must be the URL of a Redis server, like redis://localhost:6379')

function isPublicAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return false
  const whole = new URL(url.pathname, url.origin).href
  return url.href === whole && /^\/(?:[a-z\d][a-z\d-]*\/?)?$/.test(url.pathname)
}

/** Returns true if the path is a database number and the user name and password can be decoded. */
function isRedisUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWellFormed = !/%(?![\da-f]{2})/i.test(text)
  return (
    url !== undefined &&
    isWellFormed &&
    /^rediss?:$/.test(url.protocol) &&
    /^\/?\d*$/.test(url.pathname)
  )
}

/** Returns true for an https URL without credentials and fragment. */
export function isHttpsUrl(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'https:') return false
  return url.username === '' && url.password === '' && url.hash === ''
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== ''
  } catch {
    return false
  }
}

/** Returns the canonical spelling of a time zone name, which calendar clients require. */
function timeZoneName(zone: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  return timeZone.toLowerCase() === zone.toLowerCase() ? timeZone : zone
}
