import type { ChannelKind } from '../channel-kind.ts'
import { encodedUrl, escapedMarkdown, markdownCode, messageText } from '../message-text.ts'

/** Mattermost splits texts of more than 16,383 characters into several messages. */
const maxText = 16_000

/** https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const mattermost: ChannelKind = {
  name: 'mattermost',
  label: 'Mattermost',
  example: 'https://mattermost.example.org/hooks/KEY',
  faultOf: ({ pathname }) =>
    /\/hooks\/[^/]+$/.test(pathname) ? undefined : 'does not end with /hooks/ and a key',
  send(notice, { url }, call) {
    const title = (text: string) => `**${escaped(text)}**`
    const text = messageText(notice, { maxLength: maxText, title, text: escaped, link })
    return call({ url, json: { text } })
  },
}

/** Prevents links, formatting and mentions, including Slack's `<!channel>`. */
function escaped(text: string): string {
  // This line would make the one above it a heading.
  if (/^=+$/.test(text)) return markdownCode(text)
  return escapedMarkdown(text, /[\\`*_{}[\]()#+!>~|-]/g).replace(/^(\d+)\./, '$1\\.')
}

function link(url: string, text: string): string {
  return `[${escaped(text)}](${encodedUrl(url)})`
}
