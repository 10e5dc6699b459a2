import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bounceFailure, readBounces } from '../../../src/delivery/following/read-bounces.ts'
import { imapMailbox } from '../../../src/config/notification-settings.ts'
import { createFollowKeys } from '../../../src/followers/follow-keys.ts'
import { createFollowers } from '../../../src/followers/followers.ts'
import { createLogger } from '../../../src/log.ts'
import { silent as silentChoice } from '../../followers/follower.ts'
import { minuteMs, startService } from '../../delivery/following/follow-service.ts'
import { deadAddresses, recordedBounces, returnedToken } from '../../bounces/recorded.ts'
import { automaticReply, bouncesOf } from '../../support/bounces.ts'
import { dovecotIsMissing, startDovecot } from '../../support/dovecot.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Starts Dovecot, and a service that reads its mailbox. */
async function start() {
  const server = await startDovecot()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const service = startService()
  const { store, followers, clock, lines } = service

  function read(holder: string, url = server.url): void {
    const mailbox = imapMailbox.parse(url)
    if (!mailbox) throw new Error('the URL is invalid')
    const stopping = new AbortController()
    const log = createLogger('info', { write: (line) => lines.push(line) })
    const options = { mailbox, followers, store, holder, clock, log, signal: stopping.signal }
    const running = readBounces(options)
    onTestFinished(async () => {
      stopping.abort()
      await running
    })
  }

  const state = async () =>
    JSON.parse((await store.documents.get('bounces', 'state'))?.value ?? '{}')

  /** Waits until the mailbox has been read up to this email. */
  async function readUpTo(uid: number): Promise<void> {
    if (uid > 0) await clock.advance(5 * minuteMs)
    await waitFor(async () => {
      const { position } = await state()
      expect(position?.uid).toBe(uid)
    })
  }

  async function follow(address: string) {
    const follower = await service.follow(address, { changes: true })
    if (!follower) throw new Error('nobody was added')
    return { recipient: address, token: followers.tokenFor('end', follower), id: follower.id }
  }

  const rejected = async () => {
    const all = await followers.all()
    return all.filter((each) => each.rejectedAt !== undefined).map(({ id }) => id)
  }

  return { ...service, server, read, readUpTo, follow, rejected, state }
}

/** An alias of two people, one of whom is gone. */
const forwarded = 'forwarded@example.com'
const later = 'later@example.net'
const unroutable = 'someone@unknown.example'

/** Outcomes that depend on the mail server. Some describe their last attempt as a delay. */
const outcomesOf: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  'courier-1.0.16': { [later]: '5.0.0', [unroutable]: '5.0.0' },
  'dma-0.13': { [later]: '4.4.7', [forwarded]: 'no bounce' },
  'exim-4.96': { [later]: '5.0.0', [unroutable]: '5.0.0' },
  'nullmailer-2.2': {
    [later]: undefined,
    [forwarded]: 'no bounce',
    'listed@example.net': 'no bounce',
  },
  'opensmtpd-6.8.0p2': { [later]: '4.4.7', [unroutable]: '5.0.0' },
  'postfix-3.7.11': { [later]: '4.2.0', [unroutable]: '5.4.4' },
  'sendmail-8.17.1.9': { [later]: '4.4.7', [unroutable]: '5.0.0' },
}
const recordedServers = Object.keys(outcomesOf)

describe.skipIf(dovecotIsMissing)('the mailbox for bounced emails', () => {
  test.for(Object.entries(bouncesOf))(
    'rejects an address after a bounce: %s',
    async ([, bounce]) => {
      const { server, read, readUpTo, follow, rejected, followers, lines } = await start()
      const [gone, other] = [await follow('gone@example.net'), await follow('other@example.net')]
      // Old emails are ignored.
      server.deliver(bounce(other))
      read('a')
      await readUpTo(1)
      server.deliver(bounce(gone))
      await readUpTo(2)
      expect(await rejected()).toEqual([gone.id])
      expect(await followers.byId(other.id)).toMatchObject({ address: expect.any(String) })
      expect((await followers.byId(gone.id))?.address).toBeUndefined()
      expect(server.count()).toEqual({ read: 1, unread: 1 })
      expect(lines.join('')).toContain('an email to a follower bounced')
      expect(lines.join('')).not.toContain('example.net')
    },
  )

  test.for(recordedServers)(
    'finds all 8 dead addresses and no others in bounces of a real server: %s',
    async (name) => {
      const { server, read, readUpTo, follow, rejected, followers } = await start()
      read('a')
      await readUpTo(0)
      const known = new Map<string, Awaited<ReturnType<typeof follow>>>()
      const bounces = recordedBounces(name)
      for (const { recipient, text } of bounces) {
        const follower = known.get(recipient) ?? (await follow(recipient))
        known.set(recipient, follower)
        server.deliver(text.replaceAll(returnedToken, follower.token))
      }
      await readUpTo(bounces.length)
      expect(server.count()).toEqual({ read: bounces.length, unread: 0 })
      const ids = await rejected()
      const outcomes = await Promise.all(
        [...known].map(async ([recipient, { id }]) => {
          const { bounced, forwardFailedAt } = (await followers.byId(id)) ?? {}
          const isForwarded = forwardFailedAt === undefined ? undefined : 'forwarded'
          return [recipient, ids.includes(id) ? 'dead' : (bounced?.status ?? isForwarded)]
        }),
      )
      const without = { 'listed@example.net': 'no bounce', [forwarded]: 'no bounce' }
      expect({ ...without, ...Object.fromEntries(outcomes) }).toEqual({
        ...Object.fromEntries(deadAddresses.map(({ to }) => [to, 'dead'])),
        'full@example.net': '5.2.2',
        'blocked@example.net': '5.7.1',
        'bare@example.net': '5.0.0',
        'listed@example.net': '5.0.0',
        [forwarded]: 'forwarded',
        ...outcomesOf[name],
      })
    },
  )

  test('skips only an email with a huge header', async () => {
    const { server, read, readUpTo, follow, rejected, lines, state } = await start()
    const gone = await Promise.all(['a', 'b'].map((name) => follow(`${name}@example.net`)))
    const [first, second] = gone.map(bouncesOf.postfix)
    read('a')
    await readUpTo(0)
    // The sender is in the envelope three times.
    const name = ` ${'a'.repeat(70)}\n`.repeat(40_000)
    for (const text of [first, `From:${name} <a@example.net>\n\nHello`, second]) {
      server.deliver(text ?? '')
    }
    await readUpTo(3)
    expect((await rejected()).toSorted()).toEqual(gone.map(({ id }) => id).toSorted())
    expect(lines.join('').match(/too large and was skipped/g)).toHaveLength(1)
    expect((await state()).failure).toBeUndefined()
  })

  test('keeps addresses if a report is forged, or about a delay or another email', async () => {
    const { server, read, readUpTo, follow, rejected, followers, store, clock } = await start()
    const [known, other] = [await follow('known@example.net'), await follow('other@example.net')]
    // The same address follows another site with the same secret.
    const keys = createFollowKeys('a secret with enough letters')
    await clock.advance(1)
    const elsewhere = createFollowers(
      { ...store.documents, get: async () => undefined, write: async () => true },
      { keys, clock },
    )
    const wish = { address: known.recipient, choice: silentChoice, language: 'en' }
    const abroad = await elsewhere.confirm(wish)
    const { recipient } = known
    const end = (purpose: 'manage' | 'end', of: typeof abroad) =>
      of ? followers.tokenFor(purpose, of) : ''
    const made = `${known.token.slice(0, -1)}${known.token.endsWith('a') ? 'b' : 'a'}`
    read('a')
    await readUpTo(0)
    server.deliver(bouncesOf.postfix({ ...known, action: 'delayed', status: '4.4.1' }))
    server.deliver(bouncesOf.gmail({ ...known, action: 'failed', status: '4.4.7' }))
    server.deliver(bouncesOf.postfix({ ...known, recipient: 'forwarded@example.net' }))
    server.deliver(bouncesOf.postfix({ recipient, token: other.token }))
    await readUpTo(4)
    expect(server.count()).toEqual({ read: 4, unread: 0 })
    server.deliver(bouncesOf.postfix({ recipient, token: made }))
    server.deliver(bouncesOf.postfix({ recipient, token: end('end', abroad) }))
    server.deliver(
      bouncesOf.postfix({ recipient, token: end('manage', await followers.byId(known.id)) }),
    )
    server.deliver(automaticReply(known))
    server.deliver(bouncesOf.postfix(known).replace('message/delivery-status', 'text/plain'))
    server.deliver('Subject: Fire\r\n\r\nPlease call me.')
    await readUpTo(10)
    expect(server.count()).toEqual({ read: 4, unread: 6 })
    expect(await rejected()).toEqual([])
  })

  test('reads a huge bounce only in part, and hundreds of emails', async () => {
    const { server, read, readUpTo, follow, rejected } = await start()
    const [first, last] = [await follow('first@example.net'), await follow('last@example.net')]
    for (let count = 0; count < 150; count += 1) server.deliver('Subject: Old\r\n\r\nText')
    read('a')
    await readUpTo(150)
    server.deliver(bouncesOf.postfix(first).replace('The week', 'x'.repeat(10_000_000)))
    for (let count = 0; count < 250; count += 1) server.deliver('Subject: New\r\n\r\nText')
    server.deliver(bouncesOf.gmail(last))
    await readUpTo(402)
    expect((await rejected()).toSorted()).toEqual([first.id, last.id].toSorted())
    expect(server.count()).toEqual({ read: 2, unread: 400 })
  })

  test('is read by one of two replicas', async () => {
    const { server, read, readUpTo, lines } = await start()
    read('a')
    read('b')
    await readUpTo(0)
    server.deliver('Subject: Fire\r\n\r\nPlease call me.')
    await readUpTo(1)
    const log = readFileSync(join(server.path, 'run/log'), 'utf8')
    expect(log.split(' Login: ')).toHaveLength(3)
    expect(lines).toEqual([])
  })

  test.for([
    ['a wrong password', ':wrong@', /INBOX$/, 'the mail server rejects the user or password'],
    ['a mailbox that does not exist', ':secret@', /Nowhere$/, 'the mailbox cannot be opened'],
  ] as const)('reports %s', async ([, password, path, reason]) => {
    const { server, read, store, lines } = await start()
    const url = server.url.replace(':secret@', password).replace('INBOX', path.source.slice(0, -1))
    read('a', url)
    const failure = await waitFor(async () => {
      const found = await bounceFailure(store.documents)
      expect(found).toBeDefined()
      return found
    })
    expect(failure?.reason).toBe(reason)
    expect(lines.join('')).toContain(reason)
    expect(lines.join('')).not.toMatch(/wrong|secret|Nowhere/)
  })
})
