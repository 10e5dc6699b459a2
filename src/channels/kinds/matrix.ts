import { z } from 'zod'
import { parsedJson } from '../../json.ts'
import type { ChannelKind } from '../channel-kind.ts'
import { htmlStyle, messageText, plainStyle } from '../message-text.ts'
import { decoded } from '../url-parts.ts'

/** An event has at most 65,536 bytes, and contains the text twice. */
const maxText = 8_000

const limited = z.object({
  retry_after_ms: z.number().transform((delayMs) => String(Math.ceil(delayMs / 1000))),
})

/** https://spec.matrix.org/latest/client-server-api/ */
export const matrix: ChannelKind = {
  name: 'matrix',
  label: 'Matrix',
  example: 'https://TOKEN@matrix.example.org/!room:example.org',
  hasCredentials: true,
  faultOf(url) {
    if (url.username === '') return 'has no access token before the @'
    return roomIn(url)?.startsWith('!') ? undefined : 'does not end with an internal room ID'
  },
  send(notice, { url, user: token }, call) {
    const room = encodeURIComponent(roomIn(url) ?? '')
    const path = `/_matrix/client/v3/rooms/${room}/send/m.room.message`
    return call({
      method: 'PUT',
      // The last part is the transaction ID: a repeated message is not posted again.
      url: new URL(`${path}/${encodeURIComponent(notice.id)}`, url),
      headers: { authorization: `Bearer ${token}` },
      json: {
        msgtype: 'm.text',
        body: messageText(notice, { ...plainStyle, maxLength: maxText }),
        format: 'org.matrix.custom.html',
        formatted_body: messageText(notice, { ...htmlStyle, maxLength: maxText }).replaceAll(
          '\n',
          '<br>',
        ),
        'm.mentions': {},
      },
    })
  },
  retryAfter: ({ text }) => limited.safeParse(parsedJson(text)).data?.retry_after_ms,
}

function roomIn({ pathname }: URL): string | undefined {
  return decoded(pathname.slice(1))
}
