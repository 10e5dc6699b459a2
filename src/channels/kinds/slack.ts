import type { ChannelKind } from '../channel-kind.ts'
import { encodedUrl, formattedLines, shortTitle, withoutEscapes } from '../message-text.ts'
import { messagesFor, type Notice } from '../notice.ts'

/** Limit for a section (https://docs.slack.dev/reference/block-kit/blocks). */
const maxSection = 2_900

export const slack: ChannelKind = {
  name: 'slack',
  label: 'Slack',
  example: 'https://hooks.slack.com/services/T0/B0/KEY',
  hosts: ['hooks.slack.com'],
  send: (notice, { url }, call) => call({ url, json: messageFrom(notice) }),
}

function messageFrom(notice: Notice) {
  const title = shortTitle(notice)
  const lines = formattedLines(notice, { maxLength: maxSection, text: escaped, link })
  return {
    text: escaped(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
      ...(lines === '' ? [] : [section(lines)]),
      section(link(notice.url, messagesFor(notice).openFeedhouse)),
    ],
  }
}

function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }
}

/** Prevents mentions, links, quotes and formatting. */
function escaped(text: string): string {
  return withoutEscapes(text.replace(/^>+/, '›'), /[*_~`]/)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

function link(url: string, text: string): string {
  return `<${encodedUrl(url).replaceAll('&', '&amp;')}|${escaped(text).replaceAll('|', '¦')}>`
}
