import { z } from 'zod'

/** Addresses of the website's own pages for items, with `{id}` in place of an item's id, by feed. */
export type ItemLinks = Readonly<Record<string, string>>

const example = 'news=https://www.example.org/news/{id}'

/** `news=https://… events=https://…`; a comma may stand between them too. */
export function itemLinksSchema(feedIds: readonly string[]) {
  const nextLink = new RegExp(`[\\s,]+(?=(?:${feedIds.join('|')})=)`)
  return z.string().transform((value, context): ItemLinks => {
    const links = new Map<string, string>()
    for (const part of value.split(nextLink)) {
      const [, feed = '', address = ''] = /^([a-z]+)=(\S+)$/.exec(part) ?? []
      if (!feedIds.includes(feed) || !isItemLink(address)) {
        context.addIssue({ code: 'custom', message: `must be like ${example}, not like ${part}` })
      } else if (links.has(feed)) {
        context.addIssue({ code: 'custom', message: `has more than one address for ${feed}` })
      }
      links.set(feed, address)
    }
    return Object.fromEntries(links)
  })
}

export function itemLink(template: string, id: number): string {
  return new URL(template.replaceAll('{id}', String(id))).href
}

/** An https address that is of the same website whatever the id. */
function isItemLink(template: string): boolean {
  if (!template.startsWith('https://') || !template.includes('{id}')) return false
  const [one, other] = ['1', '2'].map((id) => template.replaceAll('{id}', id))
  if (one === undefined || other === undefined || !URL.canParse(one)) return false
  return URL.canParse(other) && new URL(one).origin === new URL(other).origin
}
