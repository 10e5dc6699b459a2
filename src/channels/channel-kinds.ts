import type { ChannelKind } from './channel-kind.ts'
import { bluesky } from './kinds/bluesky.ts'
import { discord } from './kinds/discord.ts'
import { googleChat } from './kinds/googlechat.ts'
import { groupMe } from './kinds/groupme.ts'
import { json } from './kinds/json.ts'
import { mastodon } from './kinds/mastodon.ts'
import { matrix } from './kinds/matrix.ts'
import { mattermost } from './kinds/mattermost.ts'
import { ntfy } from './kinds/ntfy.ts'
import { slack } from './kinds/slack.ts'
import { teams } from './kinds/teams.ts'
import { telegram } from './kinds/telegram.ts'
import { decoded, isLoopback } from './url-parts.ts'

export const channelKinds: readonly ChannelKind[] = [
  slack,
  discord,
  teams,
  googleChat,
  mattermost,
  matrix,
  telegram,
  groupMe,
  ntfy,
  mastodon,
  bluesky,
  json,
]

/** A URL to send messages to, and its kind. The URL is a secret, because it contains a key. */
export type ChannelTarget = { readonly kind: string; readonly url: string }

export function kindOf(kind: string): ChannelKind {
  return channelKinds.find(({ name }) => name === kind) ?? json
}

/** Reads a URL like `slack=https://...`. Faults do not quote it. */
export function channelTargetFrom(
  text: string,
): { readonly ok: true; readonly target: ChannelTarget } | { ok: false; readonly fault: string } {
  const [, prefix, address = text] = /^([a-z]+)=(.*)$/i.exec(text) ?? []
  const url = URL.parse(address)
  const named = channelKinds.find(({ name }) => name === prefix?.toLowerCase())
  if (prefix !== undefined && !named) {
    const names = channelKinds.map(({ name }) => `${name}=`).join(' ')
    return { ok: false, fault: `has an unknown prefix. Known prefixes are ${names}` }
  }
  const known = channelKinds.find(({ hosts }) => hosts?.includes(url?.hostname ?? ''))
  const kind = named ?? known ?? json
  const fault = url ? urlFault(kind, url) : 'is not valid'
  if (url && fault === undefined) return { ok: true, target: { kind: kind.name, url: url.href } }
  return {
    ok: false,
    fault: `has a ${kind.label} URL that ${fault}. Write it like ${kind.name}=${kind.example}`,
  }
}

function urlFault({ hasCredentials, faultOf }: ChannelKind, url: URL): string | undefined {
  const { protocol, hostname, username, password, hash } = url
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
    return 'is not https'
  }
  if (!hasCredentials && `${username}${password}` !== '') return 'contains a user name or password'
  if ([username, password].some((part) => decoded(part) === undefined)) return 'is not valid'
  if (hash !== '') return 'contains #'
  return faultOf?.(url)
}
