import type { ChannelRequest } from '../../src/channels/channel-kind.ts'
import { kindOf } from '../../src/channels/channel-kinds.ts'
import type { Notice } from '../../src/channels/notice.ts'

/** Returns the message that a service gets. */
export async function sentMessage(kind: string, notice: Notice): Promise<object> {
  const requests: ChannelRequest[] = []
  const channel = kindOf(kind)
  const url = new URL(channel.example)
  const receiver = { url, user: '', password: '', secret: undefined, now: () => notice.at }
  await channel.send(notice, receiver, (request) => {
    requests.push(request)
    // The session that Bluesky starts.
    const text = JSON.stringify({ accessJwt: 'jwt', did: 'did:plc:fire' })
    return Promise.resolve({ status: 200, headers: new Headers(), text })
  })
  return requests.at(-1)?.json ?? {}
}
