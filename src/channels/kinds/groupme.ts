import type { ChannelKind } from '../channel-kind.ts'
import { messageText, plainStyle } from '../message-text.ts'

const maxText = 1_000

/** https://dev.groupme.com/docs/v3#bots_post */
export const groupMe: ChannelKind = {
  name: 'groupme',
  label: 'GroupMe',
  example: 'https://api.groupme.com/v3/bots/post?bot_id=ID',
  hosts: ['api.groupme.com'],
  faultOf: ({ searchParams }) => (searchParams.get('bot_id') ? undefined : 'has no bot_id'),
  send: (notice, { url }, call) =>
    call({
      url: new URL(url.pathname, url),
      json: {
        bot_id: url.searchParams.get('bot_id'),
        text: messageText(notice, { ...plainStyle, maxLength: maxText }),
      },
    }),
}
