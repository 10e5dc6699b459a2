import type { ChannelKind } from '../channel-kind.ts'
import { encodedUrl, messageText, withoutEscapes } from '../message-text.ts'

/** A message has at most 32,000 bytes, and long ones are hard to read. */
const maxText = 4_000

/** https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create */
export const googleChat: ChannelKind = {
  name: 'googlechat',
  label: 'Google Chat',
  example: 'https://chat.googleapis.com/v1/spaces/SPACE/messages?key=KEY&token=TOKEN',
  hosts: ['chat.googleapis.com'],
  faultOf({ pathname, searchParams }) {
    if (!/^\/v1\/spaces\/[^/]+\/messages$/.test(pathname)) {
      return 'has no path like /v1/spaces/SPACE/messages'
    }
    return searchParams.has('key') && searchParams.has('token')
      ? undefined
      : 'lacks its key or token'
  },
  send(notice, { url }, call) {
    const created = new URL(url)
    // A repeated message is not posted again.
    created.searchParams.set('requestId', notice.id)
    const json = { text: messageText(notice, { maxLength: maxText, text: escaped, link }) }
    if (notice.type === 'changes') return call({ url: created, json })
    created.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
    return call({ url: created, json: { ...json, thread: { threadKey: notice.thread } } })
  },
}

/** Prevents mentions (`<users/all>`), links, lists, quotes and formatting. */
function escaped(text: string): string {
  const shown = text.replaceAll('<', '‹').replaceAll('>', '›').replace(/^- /, '– ')
  return withoutEscapes(shown, /[*_~`]/)
}

function link(url: string, text: string): string {
  return `<${encodedUrl(url)}|${escaped(text).replaceAll('|', '¦')}>`
}
