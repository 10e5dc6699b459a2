import { ECDH } from 'node:crypto'
import { isIP } from 'node:net'
import { z } from 'zod'
import { urlWarning } from '../links/url-warning.ts'

export const maxEndpointLength = 2_000

/** Hosts of the push services of the most common browsers. */
const knownServices = {
  // Chromium without Google's keys, as in Linux distributions, uses jmt17.google.com.
  Google: /^(?:fcm\.googleapis\.com|jmt17\.google\.com)$/,
  Mozilla: /^updates\.push\.services\.mozilla\.com$/,
  Apple: /^[a-z-]+\.push\.apple\.com$/,
  Microsoft: /^[\w.-]+\.notify\.windows\.com$/,
} as const

export type PushService = keyof typeof knownServices

export const pushServices = Object.keys(knownServices) as readonly PushService[]

/** A browser's push subscription (Push API, 8). The keys are in base64url. */
export type PushSubscription = {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

const base64url = (bytes: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .refine((text) => Buffer.from(text, 'base64url').length === bytes)

const subscription = z.object({
  endpoint: z.string().max(maxEndpointLength),
  keys: z.object({ p256dh: base64url(65).refine(isPublicKey), auth: base64url(16) }),
})

/** Returns a subscription, or undefined if no browser can have created it. */
export function readSubscription(input: unknown): PushSubscription | undefined {
  const { data } = subscription.safeParse(input)
  const endpoint = data && readEndpoint(data.endpoint)
  return endpoint === undefined ? undefined : ({ endpoint, ...data?.keys } as PushSubscription)
}

/**
 * Returns the address without its fragment, which no server gets, so that each device has one.
 * Rejects IP addresses, because connections check only addresses from DNS lookups. Also rejects
 * names that only a local network has.
 */
export function readEndpoint(endpoint: unknown): string | undefined {
  if (typeof endpoint !== 'string' || endpoint.length > maxEndpointLength) return undefined
  const url = URL.parse(endpoint)
  if (!url) return undefined
  url.hash = ''
  const { protocol, hostname, port, username, password, href } = url
  const isName = /\.[^.]+$/.test(hostname) && isIP(hostname) === 0 && !urlWarning(href)
  const isValid = protocol === 'https:' && isName && [port, username, password].join('') === ''
  return isValid ? href : undefined
}

function isPublicKey(text: string): boolean {
  try {
    return ECDH.convertKey(text, 'prime256v1', 'base64url').length > 0
  } catch {
    return false
  }
}

/** Returns the well-known push service, or undefined for any other host, which may be fake. */
export function knownServiceOf(endpoint: string): PushService | undefined {
  const hostname = URL.parse(endpoint)?.hostname ?? ''
  return pushServices.find((service) => knownServices[service].test(hostname))
}

export const addressFrom = ({ endpoint, p256dh, auth }: PushSubscription) =>
  `${endpoint} ${p256dh} ${auth}`

export function subscriptionFrom(address: string): PushSubscription {
  const [endpoint = '', p256dh = '', auth = ''] = address.split(' ')
  return { endpoint, p256dh, auth }
}
