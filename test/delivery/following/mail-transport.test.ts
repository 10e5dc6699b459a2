import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createMailTransport } from '../../../src/delivery/following/mail-transport.ts'
import type { FollowMessage } from '../../../src/delivery/following/messages.ts'
import { smtpServer } from '../../../src/config/notification-settings.ts'
import { freePort } from '../../support/free-port.ts'
import { hostileText } from '../../support/hostile-text.ts'
import { readMail, valuesOf, type ReadMail } from '../../support/read-mail.ts'
import { testSite } from '../../support/site.ts'
import { startMailServer } from '../../support/receivers.ts'

const now = Date.parse('2026-03-06T13:00:00Z')

const message: FollowMessage = {
  id: 'weekly-abc-1',
  kind: 'weekly',
  language: 'en-US',
  title: 'Mar 6 – 13, 2026: Drill',
  html: '<h2>Coming up</h2>\n<ul>\n<li><b>7 PM</b> <a href="https://feeds.example.org/calendar/1">Drill &amp; BBQ</a>, Station 1</li>\n</ul>',
  summary: 'Drill',
  url: 'https://feeds.example.org/',
}

const base = 'https://feeds.example.org/follow'
const [confirm, manage] = [`${base}/confirm/t1`, `${base}/manage/t2`]
const urls = { confirm, manage, end: `${base}/end/${'a'.repeat(64)}` }

const to = { address: 'neighbor@example.net', urls }
const { signal } = new AbortController()

function transportTo(url: string, name = 'Cedar Hollow, VFD', logo?: Buffer) {
  const settings = {
    server: smtpServer.parse(url),
    from: 'news@cedarhollow.example',
    postalAddress: '1 Main Street, Cedar Hollow',
    maxPerDay: 400,
  }
  const site = { ...testSite, name, publicUrl: 'https://feeds.example.org' }
  const drawLogo = logo && (() => Promise.resolve(logo))
  const transport = createMailTransport(settings, site, { now: () => now }, drawLogo)
  onTestFinished(() => transport.disconnect?.())
  return transport
}

const send = (url: string, changed: Partial<FollowMessage> = {}, name?: string) =>
  transportTo(url, name).send({ ...message, ...changed }, to, signal)

const namesOf = ({ fields }: ReadMail) => fields.map(([name]) => name)

async function startServer() {
  const server = await startMailServer()
  const latest = () => {
    const mail = server.mails.at(-1)
    if (!mail) throw new TypeError('no mail')
    return { ...mail, ...readMail(mail.raw) }
  }
  return { ...server, latest }
}

test('sends several emails over one connection, and reconnects after the server closes it', async () => {
  const { url, mails, state } = await startServer()
  const transport = transportTo(url)
  const sendNext = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      expect(await transport.send(message, to, signal)).toEqual({ ok: true })
    }
    return state.connections
  }
  expect(await sendNext(3)).toBe(1)
  state.endConnections()
  expect(await sendNext(3)).toBe(2)
  transport.disconnect?.()
  expect(await sendNext(1)).toBe(3)
  expect(mails).toHaveLength(7)
  // Some servers limit the number of emails per connection.
  expect(await sendNext(60)).toBe(4)
})

test('sends over the same connection after the server has refused an email', async () => {
  const { url, mails, state } = await startServer()
  const transport = transportTo(url)
  state.responseTo = () => '550 5.1.1 unknown'
  expect(await transport.send(message, to, signal)).toMatchObject({ failed: 'address' })
  state.responseTo = () => undefined
  expect(await transport.send(message, to, signal)).toEqual({ ok: true })
  expect(mails).toHaveLength(1)
})

test('sends plain text and HTML that state the sender, the reason, and how to unsubscribe', async () => {
  const { url, latest } = await startServer()
  expect(await send(url)).toEqual({ ok: true })
  const mail = latest()
  expect(mail).toMatchObject({ from: 'news@cedarhollow.example', to: ['neighbor@example.net'] })
  expect(Object.fromEntries(mail.fields)).toMatchObject({
    from: '"Cedar Hollow, VFD" <news@cedarhollow.example>',
    to: 'neighbor@example.net',
    subject: 'Mar 6 – 13, 2026: Drill',
    date: 'Fri, 06 Mar 2026 13:00:00 +0000',
    'message-id': '<weekly-abc-1@cedarhollow.example>',
    'list-unsubscribe': `<${urls.end}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'list-id': '<follow.cedarhollow.example>',
    'auto-submitted': 'auto-generated',
    'x-auto-response-suppress': 'All',
    'content-language': 'en-US',
    'content-type': expect.stringMatching(/^multipart\/alternative;/),
  })
  expect(valuesOf(mail, 'precedence')).toEqual([])
  expect(mail.parts.flatMap((part) => valuesOf(part, 'content-type'))).toEqual([
    'text/plain; charset=utf-8',
    'text/html; charset=utf-8',
  ])
  const [text = '', html = ''] = mail.parts.map((part) => part.text)
  expect(text.trimEnd()).toBe(`Mar 6 – 13, 2026: Drill

Coming up

- 7 PM Drill & BBQ, Station 1
  https://feeds.example.org/calendar/1

-- 

You are getting this email because you signed up for email from Cedar Hollow, VFD.

Change what you get:
${urls.manage}

Unsubscribe:
${urls.end}

1 Main Street, Cedar Hollow`)
  for (const part of [
    '<html lang="en-US">',
    '<meta name="color-scheme" content="light dark">',
    message.html,
    'because you signed up for email from Cedar Hollow, VFD',
    `href="${urls.manage}"`,
    `href="${urls.end}"`,
    '1 Main Street, Cedar Hollow',
  ]) {
    expect(html).toContain(part)
  }
  expect(html).not.toMatch(/<img|<link|<script|url\(|@import|background|\bsrc=/)
})

test('has the name on the site’s color, and contains the logo', async () => {
  const { url, latest } = await startServer()
  const logo = Buffer.from('a picture')
  await transportTo(url, 'Cedar Hollow, VFD', logo).send(message, to, signal)
  const [text, related] = latest().parts
  expect(text?.text).toContain('Drill & BBQ')
  const [html, picture] = related?.parts ?? []
  expect(html?.text).toContain(`bgcolor="${testSite.identity.colors.brand.accent}"`)
  expect(html?.text).toContain('<b>Cedar Hollow, VFD</b>')
  expect(html?.text).toContain('<img src="cid:logo"')
  expect(picture?.text).toBe('a picture')
  expect(Object.fromEntries(picture?.fields ?? [])).toMatchObject({
    'content-type': 'image/png; name=logo.png',
    'content-id': '<logo>',
    'content-disposition': 'inline; filename=logo.png',
  })
  await transportTo(url).send(message, to, signal)
  expect(latest().parts[1]?.text).not.toContain('<img')
})

test('uses the HTML for emails in the HTML part only', async () => {
  const { url, latest } = await startServer()
  await send(url, { mail: '<table><tr><td>Tile</td></tr></table>\n' })
  const [text = '', html = ''] = latest().parts.map((part) => part.text)
  expect([text.includes('Drill & BBQ'), text.includes('Tile')]).toEqual([true, false])
  expect([html.includes('BBQ'), html.includes('<td>Tile</td>')]).toEqual([false, true])
})

test('omits the unsubscribe links from a confirmation email', async () => {
  const { url, latest } = await startServer()
  await send(url, { kind: 'confirm' })
  const mail = latest()
  expect(valuesOf(mail, 'list-unsubscribe')).toEqual([])
  expect(valuesOf(mail, 'list-unsubscribe-post')).toEqual([])
  for (const { text } of mail.parts) {
    expect(text).toContain('someone entered your address')
    expect(text).not.toContain(urls.end)
  }
})

test('leaves one empty line between headings in plain text', async () => {
  const { url, latest } = await startServer()
  await send(url, { html: '<h2>Coming up</h2>\n<h3>Friday</h3>\n<ul>\n<li>Drill</li>\n</ul>' })
  expect(latest().parts[0]?.text).toContain('\n\nComing up\n\nFriday\n\n- Drill\n')
})

test('offers one-click unsubscribe only with https', async () => {
  const { url, latest } = await startServer()
  const local = { ...to, urls: { ...urls, end: 'http://feeds.local/follow/end/t3' } }
  await transportTo(url).send(message, local, signal)
  expect(valuesOf(latest(), 'list-unsubscribe')).toEqual(['<http://feeds.local/follow/end/t3>'])
  expect(valuesOf(latest(), 'list-unsubscribe-post')).toEqual([])
})

test.for(['es', 'fr', 'de'])(
  'writes the footer in the language of the message: %s',
  async (language) => {
    const { url, latest } = await startServer()
    await send(url, { language })
    const [text = ''] = latest().parts.map((part) => part.text)
    expect(text).not.toMatch(/You are getting|Unsubscribe/)
  },
)

test.for([
  ['ASCII', 'a'.repeat(300)],
  ['German', 'Übung für Jugendliche im Gerätehaus. '.repeat(8)],
  ['only characters that are encoded', 'Ä='.repeat(300)],
] as const)('shortens a list that mail apps would clip: %s', async ([, text]) => {
  const { url, mails, latest } = await startServer()
  const line = `<li><a href="https://feeds.example.org/calendar/1">${text}</a></li>\n`
  await send(url, { html: `<ul>\n${line.repeat(1_000)}</ul>` })
  const [, htmlAsSent = ''] = mails.at(-1)?.raw.split('Content-Type: text/html') ?? []
  expect(htmlAsSent.length).toBeLessThan(102_000)
  expect(htmlAsSent.length).toBeGreaterThan(85_000)
  for (const part of latest().parts) expect(part.text).toContain(urls.end)
  const [, html = ''] = latest().parts.map((part) => part.text)
  const rest = '<p><a href="https://feeds.example.org/">See more'
  expect(html).toContain(`</a></li>\n</ul>\n${rest}`)
  const row = `<table><tr><td><table><tr><td>1</td></tr></table></td><td>${text}</td></tr></table>\n`
  await send(url, { mail: row.repeat(1_000) })
  const [, ofTables = ''] = latest().parts.map((part) => part.text)
  expect(ofTables).toContain(`${row}${rest}`)
  const [, tablesAsSent = ''] = mails.at(-1)?.raw.split('Content-Type: text/html') ?? []
  expect(tablesAsSent.length).toBeLessThan(102_000)
})

test('sends only ASCII, in lines and encoded words of valid lengths', async () => {
  const { url, mails } = await startServer()
  const text = 'Löschgruppe 🚒 „Nord“ – 漢字 '.repeat(20)
  const html = `<p>${text.repeat(20)}<a href="https://feeds.example.org/${'a'.repeat(2_000)}">a</a></p>`
  expect(await send(url, { title: text, html }, text)).toEqual({ ok: true })
  const lines = mails[0]?.raw.split('\r\n') ?? []
  // RFC 5322 2.1.1 and RFC 2047 2.
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(998)
  expect(lines.filter((line) => line.includes('=?') && line.length > 76)).toEqual([])
  expect(lines.join('\n')).toMatch(/^[\t\n\x20-\x7e]*$/)
})

test('keeps hostile titles and names in their header fields', async () => {
  const { url, mails, latest } = await startServer()
  await send(url)
  const expected = namesOf(latest())
  const text = fc.oneof(
    hostileText,
    fc.constantFrom(
      'a\r\nBcc: victim@example.com',
      'a\nContent-Type: text/html\n\n<script>',
      '=?utf-8?Q?=0ABcc:_v=40example.com?=',
      '"<x@example.com>, y@example.com',
      '\u2028Bcc: v@example.com\u0085',
    ),
  )
  // The server waits before it greets each client, so clients connect at the same time.
  const many = fc.array(fc.tuple(text, text), { minLength: 10, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(many, async (texts) => {
      const sending = texts.map(([title, name]) => send(url, { title: `x${title}` }, `x${name}`))
      expect(await Promise.all(sending)).toEqual(texts.map(() => ({ ok: true })))
      for (const { raw, to: recipients, from } of mails.slice(-texts.length)) {
        expect(namesOf(readMail(raw))).toEqual(expected)
        expect(recipients).toEqual(['neighbor@example.net'])
        expect(from).toBe('news@cedarhollow.example')
      }
    }),
    { numRuns: 5 },
  )
  expect(mails.length).toBe(51)
})

test.for([
  'a@example.net, b@example.net',
  'a@example.net\r\nRCPT TO:<b@example.net>',
  '"x" <a@example.net>',
  'group: a@example.net;',
  '',
])('sends nothing to an address that is not a single one: %j', async (address) => {
  const { url, mails } = await startServer()
  const result = await transportTo(url).send(message, { address, urls }, signal)
  expect(result).toMatchObject({ ok: false, failed: 'address' })
  expect(mails).toEqual([])
})

test('sends to addresses with unusual characters', async () => {
  const { url, mails } = await startServer()
  const addresses = [
    "o'neil+fire@example.net",
    '#!$%&*=?^`{|}~/_-.x@a.b-c.example',
    "''@example.net",
  ]
  for (const address of addresses) {
    expect(await transportTo(url).send(message, { address, urls }, signal)).toEqual({ ok: true })
  }
  expect(mails.map((mail) => mail.to)).toEqual(addresses.map((address) => [address]))
})

test.for([
  ['550 no such user', 'address'],
  ['551 user not local', 'address'],
  ['553 mailbox name not allowed', 'address'],
  ['550 5.0.0 no such user', 'address'],
  ['550 5.1.1 user unknown', 'address'],
  ['554 5.1.1 user unknown', 'address'],
  ['556 5.1.10 null MX', 'address'],
  ['550 5.2.1 mailbox disabled', 'address'],
  ['550 5.4.1 recipient address rejected', 'address'],
  ['552 5.2.2 mailbox full', 'once'],
  ['550 5.7.1 rejected by policy', 'once'],
  ['554 no', 'once'],
  ['450 4.2.0 greylisted, try later', 'once'],
  ['451 try later', 'once'],
  ['452 4.2.2 mailbox full', 'once'],
  ['550 5.4.5 daily sending quota exceeded', 'service'],
  ['550 5.1.8 sender address rejected', 'service'],
  ['452 4.3.1 insufficient system storage', 'service'],
  ['452 too many recipients', 'service'],
  ['454 throttling failure', 'service'],
  ['421 4.7.0 try again later', 'service'],
] as const)('understands the response %s to a recipient: %s', async ([response, failed]) => {
  const { url, state } = await startServer()
  state.responseTo = () => response
  const reason = expect.stringMatching(`^the mail server .*\\(${response.slice(0, 3)}\\)$`)
  expect(await send(url)).toEqual({ ok: false, reason, failed })
})

test.for([550, 552, 554, 451])(
  'tries again after the message itself was rejected: %i',
  async (code) => {
    const { url, state } = await startServer()
    state.rejectsWith = code
    const reason = `the mail server rejects the message (${code})`
    expect(await send(url)).toEqual({ ok: false, reason, failed: 'once' })
  },
)

test('sends to others while the server accepts only some recipients', async () => {
  const { url, state, mails } = await startServer()
  state.responseTo = (address) => (address.startsWith('bad') ? '550 5.1.1 unknown' : undefined)
  const results = await Promise.all(
    ['bad1@example.net', 'good@example.net', 'bad2@example.net'].map((address) =>
      transportTo(url).send(message, { address, urls }, signal),
    ),
  )
  expect(results.map((result) => (result.ok ? 'sent' : result.failed))).toEqual([
    'address',
    'sent',
    'address',
  ])
  expect(mails.flatMap((mail) => mail.to)).toEqual(['good@example.net'])
})

/** Starts a server that sends a line and then does something with each connection. */
async function startBrokenServer(greeting: string, then: (socket: Socket) => void = () => {}) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    if (greeting !== '') socket.write(greeting)
    then(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('reports an unreachable or busy server, and dropped connections, as a failed service', async () => {
  const { url: rejecting } = await startMailServer({ user: 'feedhouse', password: 'hunter2' })
  const servers = [
    `smtp://127.0.0.1:${await freePort()}`,
    await startBrokenServer('', (socket) => socket.destroy()),
    await startBrokenServer('421 4.3.2 too busy\r\n', (socket) => socket.end()),
    await startBrokenServer('220 hello\r\n', (socket) => socket.on('data', () => socket.destroy())),
    rejecting.replace('hunter2', 'wrong'),
    rejecting.replace('feedhouse:hunter2@', ''),
  ]
  for (const url of servers) {
    expect(await send(url)).toMatchObject({ ok: false, failed: 'service' })
  }
})

test('stops waiting for a slow server when aborted', async () => {
  const connected = Promise.withResolvers<void>()
  const url = await startBrokenServer('', () => connected.resolve())
  const stopping = new AbortController()
  const result = transportTo(url).send(message, to, stopping.signal)
  await connected.promise
  stopping.abort()
  expect(await result).toMatchObject({ ok: false, failed: 'service' })
})
