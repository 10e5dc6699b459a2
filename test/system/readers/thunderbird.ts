import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { waitFor } from '../../support/wait-for.ts'

const settings = {
  'marionette.port': 0,
  'mail.provider.suppress_dialog_on_startup': true,
  // Requests nothing but feeds.
  'app.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'places.history.enabled': false,
}

/** Allows scripts outside of pages. */
const allowSystemAccess = '--remote-allow-system-access'

/**
 * Starts Thunderbird with a new profile until the end of the test. Resolves to a function that runs a
 * script in it, whose last argument is a function that the script calls when it is done.
 */
export async function startThunderbird(profile: string) {
  const preferences = Object.entries(settings).map(
    ([name, value]) => `user_pref('${name}', ${value});\n`,
  )
  writeFileSync(join(profile, 'user.js'), preferences.join(''))
  const { PATH } = process.env
  const program = spawn(
    'thunderbird',
    ['--headless', '--no-remote', '--profile', profile, '--marionette', allowSystemAccess],
    { env: { PATH, HOME: profile, LANG: 'C.UTF-8' }, stdio: 'ignore' },
  )
  const closed = once(program, 'close')
  onTestFinished(async () => {
    program.kill()
    await closed
  })
  const port = await waitFor(() => {
    const written = readFileSync(join(profile, 'MarionetteActivePort'), 'utf8')
    if (written === '') throw new Error('the port is not written yet')
    return Number(written)
  }, 100)
  const send = await connectTo(port)
  await send('WebDriver:NewSession', {})
  await send('Marionette:SetContext', { value: 'chrome' })
  return (script: string, args: readonly string[]) =>
    send('WebDriver:ExecuteAsyncScript', { script, args })
}

/** Connects to Marionette, Thunderbird's remote control. Resolves to a function that sends a command. */
async function connectTo(port: number) {
  const socket = connect(port, '127.0.0.1')
  const received = messagesFrom(socket)
  // The first one is about the protocol.
  await received.next()
  let id = 0
  return async (command: string, parameters: object): Promise<void> => {
    id += 1
    const request = JSON.stringify([0, id, command, parameters])
    socket.write(`${Buffer.byteLength(request)}:${request}`)
    const { value } = await received.next()
    const [, , error] = value as readonly [type: number, id: number, error: unknown]
    if (error) throw new Error(`${command}: ${JSON.stringify(error)}`)
  }
}

/** Yields messages in JSON. Each starts with its length in bytes and a colon. */
async function* messagesFrom(socket: Socket): AsyncGenerator<unknown, undefined> {
  let rest = Buffer.alloc(0)
  for await (const chunk of socket as AsyncIterable<Buffer<ArrayBuffer>>) {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const colon = rest.indexOf(':')
      const end = colon + 1 + Number(rest.subarray(0, Math.max(colon, 0)).toString())
      if (colon < 0 || rest.length < end) break
      yield JSON.parse(rest.subarray(colon + 1, end).toString())
      rest = rest.subarray(end)
    }
  }
  return undefined
}
