import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { accountPlaces, accountRequests } from '../../../src/features/dav/answer-limits.ts'
import { maxBodyBytes } from '../../../src/features/dav/xml.ts'
import { openFrontedServer } from '../../support/fronted-server.ts'
import { readAnswer, requestText } from '../../support/raw-http.ts'
import { waitFor } from '../../support/wait-for.ts'
import { propfind, startDavService } from './account.ts'

async function startAccount(options: Parameters<typeof startDavService>[0] = {}) {
  const resources = new AsyncDisposableStack()
  onTestFinished(() => resources.disposeAsync())
  const { url, addAccount } = resources.use(await startDavService(options))
  const account = await addAccount()

  /** Sends a request with the beginning of a long body, and returns its open connection. */
  async function begin(): Promise<Socket> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    const headers = {
      Authorization: account.authorization,
      Depth: '0',
      'Content-Length': `${maxBodyBytes}`,
    }
    socket.write(`${requestText('/dav/', { method: 'PROPFIND', headers })}<D:propfind`)
    return socket
  }

  /** Resolves to the status of the response to a request whose body never ends. */
  async function statusBeforeBody(): Promise<number> {
    const [data] = (await once(await begin(), 'data')) as [Buffer]
    return readAnswer(data).status
  }

  return { account, begin, statusBeforeBody }
}

describe('a request that exceeds the limits of its feed link', () => {
  test('is refused before its body is read if others are waiting, until they have left', async () => {
    const { account, begin, statusBeforeBody } = await startAccount()
    const { maxActive, maxWaiting } = accountPlaces
    const waiting = await Promise.all(Array.from({ length: maxActive + maxWaiting }, begin))
    expect(await statusBeforeBody()).toBe(429)
    for (const socket of waiting) socket.destroy()
    await waitFor(async () => expect((await account.find('/dav/', '0')).status).toBe(207))
  })

  test('is refused by the front before its body is received', async () => {
    const { account, statusBeforeBody } = await startAccount({ openServer: openFrontedServer })
    for (let count = 0; count < accountRequests.burst; count += accountPlaces.maxWaiting) {
      // The front asks first, which does not count.
      const batch = Array.from({ length: accountPlaces.maxWaiting }, () =>
        account.find('/dav/', '0', 'D:displayname'),
      )
      for (const { status } of await Promise.all(batch)) expect(status).toBe(207)
    }
    expect(await statusBeforeBody()).toBe(429)
    const body = propfind('D:displayname').padEnd(maxBodyBytes)
    expect((await account.send('PROPFIND', '/dav/', body)).status).toBe(429)
  })
})
