import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { idHostDocument } from '../../src/app/id-host.ts'
import { createFollowKeys } from '../../src/followers/follow-keys.ts'
import { createFollowers } from '../../src/followers/followers.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { readyService, resultOf, run } from '../support/command-line.ts'
import { readMail, valuesOf } from '../support/read-mail.ts'
import { startMailServer } from '../support/receivers.ts'
import { startWebsite } from '../support/website.ts'

const secret = 'a-secret-with-enough-letters'

/** Stores a follower who reads only the news, in German. */
async function addFollower(directory: string) {
  const [file = ''] = globSync(join(directory, 'data', '[!_]*.sqlite'))
  await using store = openSqliteStore(file, Date.now)
  const { bucket, id } = idHostDocument
  const idHost = JSON.parse((await store.documents.get(bucket, id))?.value ?? '""') as string
  const about = { keys: createFollowKeys(secret), clock: { now: Date.now }, idHost }
  const wish = {
    address: 'neighbor@example.org',
    language: 'de',
    choice: { changes: false, tomorrow: false, emergency: false, feedIds: ['news'] },
  }
  const follower = await createFollowers(store.documents, about).confirm(wish)
  if (!follower) throw new TypeError('no follower')
  return { wish, follower }
}

test('shows and sends emails from the stored data, without reading the website', async () => {
  const { url, mails, state } = await startMailServer()
  const settings = {
    SMTP_URL: url,
    MAIL_FOLLOW: 'yes',
    MAIL_FROM: 'news@example.org',
    MAIL_KEY: secret,
    MAIL_POSTAL_ADDRESS: '1 Main Street',
    PUBLIC_URL: 'https://feeds.example.org',
  }
  const { directory, environment, stop } = await startWebsite()
  const command = (...args: readonly string[]) =>
    resultOf(run(directory, args, { ...environment, ...settings }))
  expect((await command('mail', 'preview')).stderr).toContain('No data is stored for')
  const service = run(directory, ['serve'], environment)
  const { url: served } = await readyService(service)
  for (const path of ['events.ics', 'news.rss']) await fetch(`${served}/${path}`)
  service.kill('SIGINT')
  await service.exited
  await stop()
  const { code, stdout, stderr } = await command('mail', 'preview')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/\n(?:Coming up|Changes|News)\n/)
  expect(stdout).toContain('https://feeds.example.org/follow/end/preview\n\n1 Main Street\n')
  const spanish = await command(
    'mail',
    'preview',
    '--language',
    'es',
    '--kind',
    'confirm',
    '--html',
  )
  expect(spanish.stdout).toMatch(/<html lang="es-US">[\s\S]*Confirmar<\/a>/)
  const emergency = await command('mail', 'preview', '--kind', 'emergency')
  expect(emergency.stdout).toContain('This is an example.')
  expect(await command('mail', 'send-digest', '--to', 'web@example.org')).toEqual({
    code: 0,
    stdout: 'The mail server has accepted the email.\n',
    stderr: '',
  })
  expect(mails[0]?.to).toEqual(['web@example.org'])
  const mail = readMail(mails[0]?.raw ?? '')
  const [title = ''] = stdout.split('\n')
  expect(valuesOf(mail, 'subject')).toEqual([title])
  expect(mail.parts[0]?.text.trim()).toBe(stdout.trim())
  const { wish, follower } = await addFollower(directory)
  const own = await command('mail', 'send-digest', '--to', wish.address)
  expect([own.code, own.stderr]).toEqual([0, ''])
  const german = mails[1]?.raw ?? ''
  const [text, related] = readMail(german).parts
  expect(valuesOf(readMail(german), 'content-language')).toEqual(['de-DE'])
  expect(text?.text).toMatch(/\nNeuigkeiten\n/)
  expect(text?.text).not.toMatch(/\nDemnächst\n/)
  expect(text?.text).toContain(`/follow/end/${follower.id}`)
  expect(related?.parts.flatMap((part) => valuesOf(part, 'content-id'))).toEqual(['<logo>'])
  state.responseTo = () => '550 5.1.1 unknown'
  expect(await command('mail', 'send-digest', '--to', 'web@example.org')).toMatchObject({
    code: 1,
    stderr:
      'The email could not be sent: the mail server rejects the sender or a recipient (550).\n',
  })
})
