import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { identityFrom } from '../../src/feeds/identity.ts'
import { createMailTransport } from '../../src/delivery/following/mail-transport.ts'
import { smtpServer } from '../../src/config/notification-settings.ts'
import { refusals, returnedToken } from './recorded.ts'

// Sends an email to each recipient with a mail server that is installed in a directory, and writes
// the bounces. See record.sh.
const [root = '', name = '', count = '', send = '', queue = '', ...more] = process.argv.slice(2)

const sender = 'news@example.org'
/** By recipient, action and status, because nullmailer sends some of them twice. */
const bounces = new Map<string, string>()

const receiver = new SMTPServer({
  authOptional: true,
  disableReverseLookup: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  name: 'mx.example.net',
  onRcptTo({ address }, _session, callback) {
    const { code, lines } = refusals.find(({ to }) => to === address) ?? {}
    callback(code ? Object.assign(new Error(), { responseCode: code, message: lines }) : null)
  },
  onData(stream, { envelope: { rcptTo } }, callback) {
    callbackify(async () => {
      const email = (await text(stream)).replaceAll(/\r+\n/g, '\n')
      const fields = email.matchAll(/^(?:To: (?!<?news@)|Action:|Status:).*/gm)
      if (rcptTo[0]?.address === sender) bounces.set([...fields].join('\n'), email)
    })(callback)
  },
})
// Some mail servers do not wait for the end of a connection.
receiver.on('error', () => undefined)

/** Sends emails with the mail server's own command, because not all mail servers accept SMTP. */
const submission = new SMTPServer({
  authOptional: true,
  disableReverseLookup: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  name: 'mx.example.net',
  onData(stream, { envelope: { rcptTo } }, callback) {
    callbackify(async () => run(send, await text(stream), rcptTo[0]?.address))(callback)
  },
})

async function run(command: string, input?: string, recipient = ''): Promise<void> {
  const child = spawn('chroot', [root, 'sh', '-c', `${command} ${recipient}`], {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'inherit', 'inherit'],
  })
  child.stdin?.end(input?.replaceAll('\r\n', '\n'))
  await once(child, 'close')
}

/** Answers that no domain exists (RFC 1035 4.1.1). */
const nameServer = createSocket('udp4').on('message', (query, { port, address }) => {
  const answer = Buffer.from(query)
  answer.writeUInt16BE(0x8583, 2)
  nameServer.send(answer, port, address)
})

nameServer.bind(53, '127.0.0.1')
await new Promise<void>((resolve) => receiver.listen(2525, '127.0.0.1', resolve))
await new Promise<void>((resolve) => submission.listen(2587, '127.0.0.1', resolve))

const transport = createMailTransport(
  {
    server: smtpServer.parse('smtp://127.0.0.1:2587'),
    from: sender,
    postalAddress: '1 Main Street, Cedar Hollow',
    maxPerDay: 400,
  },
  {
    name: 'Cedar Hollow',
    publicUrl: 'https://feeds.example.org',
    idHost: 'example.org',
    identity: identityFrom({}, 'Cedar Hollow'),
  },
  { now: () => Date.parse('2026-03-08T22:00:00Z') },
)
const message = {
  id: 'weekly-1-2',
  kind: 'weekly',
  language: 'en-US',
  title: 'This week',
  html: '<p>Pancake breakfast</p>',
  summary: 'Pancake breakfast',
  url: 'https://feeds.example.org/',
} as const
const page = 'https://feeds.example.org/follow'
const urls = {
  confirm: `${page}/confirm/1`,
  manage: `${page}/manage/2`,
  end: `${page}/end/${returnedToken}`,
}
for (const address of [...refusals.map(({ to }) => to), ...more]) {
  const sent = await transport.send(message, { address, urls }, new AbortController().signal)
  if (!sent.ok) throw new Error(`${address}: ${sent.reason}`)
}
// Retries emails until the mail server gives up.
while (bounces.size < Number(count)) {
  await setTimeout(1_000)
  process.stderr.write(`${name}: ${bounces.size} of ${count} bounces\n`)
  await run(queue)
}

const mailbox = [...bounces.values()].map((bounce) => `From MAILER-DAEMON\n${bounce.trimEnd()}\n\n`)
writeFileSync(join(import.meta.dirname, `${name}.mbox`), mailbox.join(''))
process.exit()
