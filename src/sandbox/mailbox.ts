import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

/** Longer messages are cut off. */
const maxMessageLength = 1024 * 1024

export type SandboxMail = {
  readonly to: string
  readonly subject: string
  /** First link in the message. */
  readonly link: string | undefined
}

/** Starts a mail server on loopback that passes every message to `received` and delivers none. */
export async function startMailbox(
  received: (mail: SandboxMail) => void,
): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    answer(socket, received)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Speaks as much SMTP (RFC 5321) as a client needs. */
function answer(socket: Socket, received: (mail: SandboxMail) => void): void {
  let text = ''
  let isMessage = false
  const replyTo = (line: string) => {
    const command = line.slice(0, 4).toUpperCase()
    isMessage = command === 'DATA'
    socket.write(
      isMessage ? '354 Start mail input\r\n' : command === 'QUIT' ? '221 Bye\r\n' : '250 OK\r\n',
    )
    if (command === 'QUIT') socket.end()
  }
  socket.setEncoding('utf8')
  socket.write('220 sandbox\r\n')
  socket.on('data', (chunk: string) => {
    text = (text + chunk).slice(0, maxMessageLength)
    for (;;) {
      const end = isMessage ? '\r\n.\r\n' : '\r\n'
      const length = text.indexOf(end)
      if (length < 0) return
      const part = text.slice(0, length)
      text = text.slice(length + end.length)
      if (!isMessage) {
        replyTo(part)
        continue
      }
      isMessage = false
      received(mailFrom(part))
      socket.write('250 OK\r\n')
    }
  })
}

function mailFrom(message: string): SandboxMail {
  const [head = ''] = message.split('\r\n\r\n', 1)
  const [, to = ''] = /^To: (.*)$/m.exec(head) ?? []
  const [, subject = ''] = /^Subject: (.*)$/m.exec(head) ?? []
  // RFC 2045 6.7.
  const body = message
    .slice(head.length)
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return { to: to.trim(), subject: subject.trim(), link: /https?:\/\/[^\s<>"]+/.exec(body)?.[0] }
}
