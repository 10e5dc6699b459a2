import { isSuccess, type ChannelKind } from '../channel-kind.ts'
import { encodedUrl, formattedLines, shortTitle } from '../message-text.ts'
import { messagesFor, type Notice } from '../notice.ts'

/** Teams accepts messages of up to 28 KB, including its own additions. */
const maxText = 12_000

export const teams: ChannelKind = {
  name: 'teams',
  label: 'Teams',
  example: 'https://example.com/workflow',
  send: (notice, { url }, call) => call({ url, json: messageFrom(notice) }),
  // Old connectors respond with 200 and an error message.
  isDelivered: ({ status, text }) =>
    isSuccess(status) && !text.startsWith('Webhook message delivery failed'),
}

function messageFrom(notice: Notice) {
  const { url } = notice
  const lines = formattedLines(notice, {
    maxLength: maxText,
    text: escaped,
    link: (linkUrl, text) => `[${escaped(text)}](${encodedUrl(linkUrl)})`,
  })
  const title = escaped(shortTitle(notice))
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    body: [
      textBlock(title, { weight: 'Bolder', size: 'Medium' }),
      ...lines.split('\n').flatMap((line) => (line === '' ? [] : [textBlock(line)])),
    ],
    actions: [{ type: 'Action.OpenUrl', title: messagesFor(notice).openFeedhouse, url }],
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}

function textBlock(text: string, more: object = {}) {
  return { type: 'TextBlock', text, wrap: true, ...more }
}

function escaped(text: string): string {
  return text
    .replaceAll(/[\\*_[\]()`#~]/g, (mark) => `\\${mark}`)
    .replace(/^(\d*)([-+>.])/, '$1\\$2')
}
