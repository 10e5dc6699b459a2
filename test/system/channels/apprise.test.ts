import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createWebhookChannel } from '../../../src/delivery/notifications/webhook.ts'
import { noticeWith } from '../../channels/notice.ts'
import { programIsMissing } from '../../support/programs.ts'
import { startWebhookReceiver, type ReceivedPost } from '../../support/receivers.ts'
import { testDirectory } from '../../support/service.ts'

/* Compares requests with those of Apprise (https://github.com/caronc/apprise). */

const appriseIsMissing = programIsMissing('apprise')

const [title, line] = ['1 change', 'New: Drill & <BBQ> 🚒, Tue, Mar 3, 7 PM']

/** Python runs this first. It sends all requests to one host. */
const redirection = `
import os, requests
from urllib.parse import urlsplit
send = requests.Session.send
def redirected(self, request, **options):
    parts = urlsplit(request.url)
    request.url = f'{os.environ["ORIGIN"]}{parts.path}?{parts.query}'
    return send(self, request, **options)
requests.Session.send = redirected
`

type Comparison = {
  readonly kind: string
  readonly ours: (origin: string) => string
  readonly apprise: string
  /** Fields that both requests have. */
  readonly fields: readonly string[]
}

const comparisons: readonly Comparison[] = [
  {
    kind: 'slack',
    ours: (origin) => `${origin}/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ`,
    apprise: 'slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ',
    fields: [],
  },
  {
    kind: 'discord',
    ours: (origin) => `${origin}/api/webhooks/123456/abcdef`,
    apprise: 'discord://123456/abcdef',
    fields: [],
  },
  {
    kind: 'googlechat',
    ours: (origin) => `${origin}/v1/spaces/A/messages?key=K&token=T`,
    apprise: 'gchat://A/K/T',
    fields: ['text'],
  },
  {
    kind: 'mattermost',
    ours: (origin) => `${origin}/hooks/1234567890abcdef12345678`,
    apprise: 'mmost://localhost/1234567890abcdef12345678',
    fields: ['text'],
  },
  {
    kind: 'telegram',
    ours: (origin) => `${origin}/bot123456789:abcdefg_hijklmnop/sendMessage?chat_id=12315544`,
    apprise: 'tgram://123456789:abcdefg_hijklmnop/12315544/?format=html',
    fields: ['chat_id', 'text', 'parse_mode'],
  },
  {
    kind: 'ntfy',
    ours: (origin) => `${origin.replace('//', '//user:secret@')}/fire-news`,
    apprise: 'ntfy://user:secret@localhost/fire-news',
    fields: ['topic', 'title', 'message'],
  },
  {
    kind: 'mastodon',
    ours: (origin) => origin.replace('//', '//secret@'),
    apprise: 'mastodon://secret@localhost',
    fields: ['status'],
  },
]

const { signal } = new AbortController()

/** Returns the parts of a request that must be the same. */
function comparable({ method, path, headers, json }: ReceivedPost, fields: readonly string[]) {
  const { pathname } = new URL(path, 'http://localhost')
  const [type] = (headers['content-type'] ?? '').split(';')
  const { authorization } = headers
  return { method, pathname, type, authorization, has: fields.filter((field) => field in json) }
}

test.skipIf(appriseIsMissing).for(comparisons)(
  'sends requests to $kind like Apprise',
  async ({ kind, ours, apprise, fields }) => {
    const { url, posts } = await startWebhookReceiver()
    const { origin } = new URL(url)
    const channel = createWebhookChannel({
      purpose: 'change',
      target: { kind, url: ours(origin) },
      secret: undefined,
      now: Date.now,
    })
    await channel.send(noticeWith({ title, lines: [{ text: line }] }), signal)
    const directory = testDirectory()
    writeFileSync(join(directory, 'sitecustomize.py'), redirection)
    const env = { PATH: process.env['PATH'], PYTHONPATH: directory, ORIGIN: origin }
    const reference = spawn('apprise', ['--title', title, '--body', line, apprise], { env })
    const [output] = await Promise.all([textOf(reference.stdout), once(reference, 'close')])
    const [own, other] = posts
    if (!own || !other) throw new Error(`a request is missing: ${output}`)
    expect(comparable(own, fields)).toEqual(comparable(other, fields))
    expect(comparable(own, fields).has).toEqual(fields)
    for (const { body } of [own, other]) expect(body).toContain('7 PM')
  },
)
