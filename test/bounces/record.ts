import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { refusals, returnedToken } from './recorded.ts'

// Sends an email to each refused recipient with a mail server that is installed in a directory, and
// writes the bounces. See record.sh.
const [root = '', name = '', port = '', ...command] = process.argv.slice(2)
const bounces = Promise.withResolvers<void>()
let missing = Object.keys(refusals).length

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  onRcptTo({ address }, _session, callback) {
    const [code, reason] =
      Object.entries(refusals).find(([to]) => address.startsWith(to))?.[1] ?? []
    callback(code ? Object.assign(new Error(reason), { responseCode: code }) : null)
  },
  onData(stream, _session, callback) {
    callbackify(async () => keep(await text(stream)))(callback)
  },
})
function keep(bounce: string): void {
  const recipient = Object.keys(refusals).find((to) => bounce.includes(`${to}@example.net`))
  const anonymous = bounce
    .replaceAll('\r\n', '\n')
    .replaceAll(`mailer-daemon@${hostname()}`, 'mailer-daemon@mail.example.org')
    .replaceAll(/root(?= \(uid| by )/g, 'feedhouse')
  writeFileSync(join(import.meta.dirname, `${name}.${recipient}.eml`), anonymous)
  missing -= 1
  if (missing === 0) bounces.resolve()
}

await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
for (const to of Object.keys(refusals)) {
  const child = spawn('chroot', [root, ...command, `${to}@example.net`], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  child.stdin.end(`From: Cedar Hollow <news@example.org>
To: ${to}@example.net
Subject: This week
Message-ID: <weekly-1-2@example.org>
Date: Sun, 08 Mar 2026 18:00:00 -0400
Auto-Submitted: auto-generated
List-ID: Cedar Hollow <feeds.example.org>
List-Unsubscribe: <https://feeds.example.org/follow/end/${returnedToken}>
List-Unsubscribe-Post: List-Unsubscribe=One-Click
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

This week: pancake breakfast.
`)
  await once(child, 'close')
}
await bounces.promise
server.close()
