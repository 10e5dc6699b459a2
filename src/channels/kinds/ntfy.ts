import type { ChannelKind, Receiver } from '../channel-kind.ts'
import { formattedLines, shortTitle } from '../message-text.ts'
import { messagesFor, type Notice } from '../notice.ts'

/** Longer messages become attachments at 4,096 bytes. */
const maxMessageBytes = 4_000

/** https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: ChannelKind = {
  name: 'ntfy',
  label: 'ntfy',
  example: 'https://ntfy.sh/TOPIC',
  hosts: ['ntfy.sh'],
  hasCredentials: true,
  faultOf: ({ pathname }) =>
    /^\/[-\w]{1,64}$/.test(pathname) ? undefined : 'does not end with a topic',
  send: (notice, receiver, call) =>
    call({
      url: new URL('/', receiver.url),
      headers: authorizationOf(receiver),
      json: { topic: receiver.url.pathname.slice(1), ...messageFrom(notice) },
    }),
}

/** The user and password of an account, or only an access token. */
function authorizationOf({ user, password }: Receiver): Readonly<Record<string, string>> {
  if (user !== '' && password !== '') {
    const credentials = Buffer.from(`${user}:${password}`).toString('base64')
    return { authorization: `Basic ${credentials}` }
  }
  const token = user === '' ? password : user
  return token === '' ? {} : { authorization: `Bearer ${token}` }
}

function messageFrom(notice: Notice) {
  const { id, type, url, lines } = notice
  const [first, ...others] = lines
  const message = formattedLines(notice, {
    maxLength: maxMessageBytes,
    text: (text) => text,
    link: (_url, text) => text,
    // The whole document, with escapes, is limited too.
    lengthOf: (text) => Buffer.byteLength(JSON.stringify(text)),
  })
  return {
    // A repeated message replaces the first one in apps that support updates.
    sequence_id: id,
    title: shortTitle(notice),
    message: message === '' ? messagesFor(notice).openFeedhouse : message,
    click: others.length === 0 ? (first?.url ?? url) : url,
    tags: [type === 'changes' ? 'calendar' : 'bell'],
  }
}
