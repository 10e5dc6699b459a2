import { createHash } from 'node:crypto'
import { escapeXml } from './xml.ts'

export type DavAccount = {
  /** URL of `/dav/`. */
  readonly serverUrl: string
  /** Id of the feed link. */
  readonly user: string
  /** Key of the feed link. */
  readonly password: string
  readonly title: string
  readonly hasContacts: boolean
}

export const profileType = 'application/x-apple-aspen-config'

/** Returns an unsigned configuration profile that adds the account to an Apple device. */
export function accountProfile(account: DavAccount): string {
  const { title, hasContacts } = account
  const kinds = ['CalDAV', ...(hasContacts ? (['CardDAV'] as const) : [])] as const
  const payloads = kinds.map((kind) => dict(accountPayload(kind, account)))
  const profile = {
    ...payloadOf('Configuration', 'profile', account),
    PayloadDisplayName: string(title),
    PayloadContent: `<array>\n${payloads.join('\n')}\n</array>`,
    PayloadRemovalDisallowed: '<false/>',
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${dict(profile)}
</plist>
`
}

function accountPayload(kind: 'CalDAV' | 'CardDAV', account: DavAccount) {
  const { serverUrl, user, password, title } = account
  const { hostname, port, protocol, pathname } = new URL(serverUrl)
  const isSecure = protocol === 'https:'
  const settings = {
    AccountDescription: string(title),
    HostName: string(hostname),
    Port: `<integer>${port === '' ? (isSecure ? 443 : 80) : port}</integer>`,
    UseSSL: isSecure ? '<true/>' : '<false/>',
    Username: string(user),
    Password: string(password),
    PrincipalURL: string(`${pathname}${user}/`),
  }
  const named = Object.entries(settings).map(([name, value]) => [`${kind}${name}`, value])
  return {
    ...payloadOf(`com.apple.${kind.toLowerCase()}.account`, kind.toLowerCase(), account),
    ...(Object.fromEntries(named) as Readonly<Record<string, string>>),
  }
}

/** The ids stay the same, so that installing a profile again replaces it. */
function payloadOf(type: string, part: string, { serverUrl, user }: DavAccount) {
  const hex = createHash('sha256').update(`${serverUrl} ${user} ${part}`).digest('hex')
  const uuid = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
  const { hostname } = new URL(serverUrl)
  return {
    PayloadType: string(type),
    PayloadVersion: '<integer>1</integer>',
    PayloadIdentifier: string(`${hostname.split('.').toReversed().join('.')}.${user}.${part}`),
    PayloadUUID: string(uuid),
  }
}

const string = (text: string) => `<string>${escapeXml(text)}</string>`

function dict(entries: Readonly<Record<string, string>>): string {
  const lines = Object.entries(entries).map(([name, value]) => `<key>${name}</key>${value}`)
  return `<dict>\n${lines.join('\n')}\n</dict>`
}
