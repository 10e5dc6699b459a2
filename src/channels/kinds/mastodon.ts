import type { ChannelKind } from '../channel-kind.ts'
import { encodedUrl, messageText, withoutMentions } from '../message-text.ts'

const maxText = 500
const maxLine = 300
/** Each link counts as this many characters. */
const linkLength = 23

/** Precedes a link until its length is known. Other text contains no control characters. */
const mark = '\u0001'

/** https://docs.joinmastodon.org/methods/statuses/#create */
export const mastodon: ChannelKind = {
  name: 'mastodon',
  label: 'Mastodon',
  example: 'https://TOKEN@mastodon.social',
  isPublic: true,
  hasCredentials: true,
  faultOf: ({ username, pathname }) => {
    if (username === '') return 'has no access token before the @'
    return pathname === '/' ? undefined : 'contains a path'
  },
  send: (notice, { url, user: token }, call) =>
    call({
      url: new URL('/api/v1/statuses', url),
      // A message that is repeated within an hour is not posted again.
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': notice.id },
      json: {
        status: messageText(notice, {
          maxLength: maxText,
          maxLineLength: maxLine,
          text: withoutMentions,
          link: (linkUrl, text) => `${withoutMentions(text)} ${mark}${encodedUrl(linkUrl)}`,
          lengthOf: countedLength,
        }).replaceAll(mark, ''),
        visibility: 'public',
        language: new Intl.Locale(notice.language ?? 'en').language,
      },
    }),
  retryAfter: ({ headers }) => headers.get('x-ratelimit-reset'),
}

/** Other URLs in the text count in full, because Mastodon may not recognize them. */
function countedLength(text: string): number {
  const counted = text
    .replaceAll(new RegExp(`${mark}\\S+`, 'g'), '.'.repeat(linkLength))
    .replaceAll(/https?:\/\/\S{0,15}/g, '.'.repeat(linkLength))
  return Array.from(counted).length
}
