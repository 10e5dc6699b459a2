import type { ChannelKind } from '../channel-kind.ts'
import { encodedUrl, escapedMarkdown, formattedLines, shortTitle } from '../message-text.ts'
import type { Notice } from '../notice.ts'

/** Limit for the text of an embed (https://docs.discord.com/developers/resources/message). */
const maxText = 3_900

export const discord: ChannelKind = {
  name: 'discord',
  label: 'Discord',
  example: 'https://discord.com/api/webhooks/1/KEY',
  hosts: ['discord.com', 'discordapp.com'],
  send(notice, { url }, call) {
    const waiting = new URL(url)
    // Makes Discord report a message that it could not save.
    waiting.searchParams.set('wait', 'true')
    return call({ url: waiting, json: messageFrom(notice) })
  },
}

function messageFrom(notice: Notice) {
  const { url, at } = notice
  const description = formattedLines(notice, {
    maxLength: maxText,
    text: escaped,
    link: (linkUrl, text) => `[${escaped(text)}](<${encodedUrl(linkUrl)}>)`,
  })
  return {
    username: 'Feedhouse',
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: escaped(shortTitle(notice)),
        url,
        timestamp: new Date(at).toISOString(),
        ...(description === '' ? {} : { description }),
      },
    ],
  }
}

function escaped(text: string): string {
  return escapedMarkdown(text, /[\\*_~`|>[\]()#-]/g)
}
