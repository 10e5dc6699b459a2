import { expect, test } from 'vitest'
import { readyService, resultOf, run } from '../support/command-line.ts'
import { readMail, valuesOf } from '../support/read-mail.ts'
import { startMailServer } from '../support/receivers.ts'
import { startWebsite } from '../support/website.ts'

test('shows and sends emails from the stored data, without reading the website', async () => {
  const { url, mails, state } = await startMailServer()
  const settings = {
    SMTP_URL: url,
    MAIL_FOLLOW: 'yes',
    MAIL_FROM: 'news@example.org',
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
  service.kill('SIGTERM')
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
  state.responseTo = () => '550 5.1.1 unknown'
  expect(await command('mail', 'send-digest', '--to', 'web@example.org')).toMatchObject({
    code: 1,
    stderr:
      'The email could not be sent: the mail server rejects the sender or a recipient (550).\n',
  })
})
