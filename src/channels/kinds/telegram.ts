import { z } from 'zod'
import { parsedJson } from '../../json.ts'
import type { ChannelKind } from '../channel-kind.ts'
import { htmlStyle, messageText } from '../message-text.ts'

/** Characters after parsing tags and entities. */
const maxText = 4_096

const limited = z.object({ parameters: z.object({ retry_after: z.number() }) })

/** https://core.telegram.org/bots/api#sendmessage */
export const telegram: ChannelKind = {
  name: 'telegram',
  label: 'Telegram',
  example: 'https://api.telegram.org/botTOKEN/sendMessage?chat_id=@CHANNEL',
  hosts: ['api.telegram.org'],
  faultOf({ pathname, searchParams }) {
    if (!/^\/bot[^/]+\/sendMessage$/.test(pathname)) return 'has no path like /botTOKEN/sendMessage'
    return searchParams.get('chat_id') ? undefined : 'has no chat_id'
  },
  send: (notice, { url }, call) =>
    call({
      url: new URL(url.pathname, url),
      json: {
        ...Object.fromEntries(url.searchParams),
        text: messageText(notice, { ...htmlStyle, maxLength: maxText, lengthOf: shownLength }),
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      },
    }),
  retryAfter: ({ text }) =>
    limited.safeParse(parsedJson(text)).data?.parameters.retry_after.toString(),
}

function shownLength(text: string): number {
  return text.replaceAll(/<[^<>]*>/g, '').replaceAll(/&\w+;/g, '.').length
}
