import { z } from 'zod'

/** URL templates for item pages on the website, by feed. `{id}` stands for the item's id. */
export type ItemLinks = Readonly<Record<string, string>>

const example = 'news=https://www.example.org/news/{id}'

/** Separator before the next feed's URL template. */
const nextLink = /[\s,;]+(?=[a-z]+=https?:)/i

/** Returns a schema for `news=https://… events=https://…`, with spaces or commas as separators. */
export function itemLinksSchema(feedIds: readonly string[]) {
  return z.string().transform((value, context): ItemLinks => {
    const links = new Map<string, string>()
    const fault = (message: string) => context.addIssue({ code: 'custom', message })
    for (const part of value.trim().split(nextLink)) {
      const [, feed = '', address = ''] = /^([a-z]+)=(\S+)$/i.exec(part) ?? []
      if (!isItemLink(address)) fault(`must be like ${example}, not like ${part}`)
      else if (!feedIds.includes(feed))
        fault(`names ${feed}, which is not a feed; the feeds are ${feedIds.join(', ')}`)
      else if (links.has(feed)) fault(`has more than one URL for ${feed}`)
      links.set(feed, address)
    }
    return Object.fromEntries(links)
  })
}

export function itemLink(template: string, id: number): string {
  return new URL(template.replaceAll('{id}', String(id))).href
}

/** Returns true for an https URL without a password whose origin does not depend on the id. */
function isItemLink(template: string): boolean {
  if (!/^https:\/\/[^\s@]+[^,;\s]$/.test(template) || !template.includes('{id}')) return false
  const [one, other] = ['1', '2'].map((id) => template.replaceAll('{id}', id))
  if (one === undefined || other === undefined || !URL.canParse(one)) return false
  return URL.canParse(other) && new URL(one).origin === new URL(other).origin
}
