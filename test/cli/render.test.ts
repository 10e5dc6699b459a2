import { expect, test } from 'vitest'
import { readyService, run } from '../support/command-line.ts'
import { startWebsite } from '../support/website.ts'

test('writes the bytes that a running service sends, without reading the website', async () => {
  const { directory, environment, command, stop } = await startWebsite()
  const child = run(directory, ['serve'], environment)
  const { url } = await readyService(child)
  for (const path of ['events.ics', 'news.rss']) await fetch(`${url}/${path}`)
  expect((await command('render', 'digest.rss', '--profile', 'full')).stderr).toContain(
    'digest.rss contains only public feeds. Leave out --profile.',
  )
  await stop()
  const paths = [
    'events.ics',
    'events.ics?alarm=30',
    'events.ics?lang=es',
    'news.rss',
    'news.json?limit=2',
    'all.ics?show=events&prefix=1',
  ]
  for (const path of paths) {
    const answer = await (await fetch(`${url}/${path}`)).text()
    expect(await command('render', path)).toEqual({ code: 0, stdout: answer, stderr: '' })
  }
})

// Replies may use fewer calls per minute than the sign-up sheets of some months take.
test('reads the replies to a topic for members', async () => {
  const { command } = await startWebsite()
  const forum = await command('render', 'forum.rss', '--profile', 'members')
  const [, topicId] = /(\d+) replies[\s\S]*?\?topic=(\d+)/.exec(forum.stdout)?.slice(1) ?? []
  const replies = await command('render', `forum.rss?topic=${topicId}`, '--profile', 'members')
  expect(replies.stdout).toContain(':reply-')
  const forEveryone = await command('render', `forum.rss?topic=${topicId}`)
  expect(forEveryone.stderr).toContain('Add --profile members.')
})

test('reads the website if nothing is stored, renders other profiles, and works during an outage', async () => {
  const { command, stop } = await startWebsite()
  const { code, stdout, stderr } = await command('render', 'signup.ics')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^BEGIN:VCALENDAR/)
  const full = await command('render', 'signup.ics', '--profile', 'full')
  expect(full.stdout.length).toBeGreaterThan(stdout.length)
  const all = await command('render', 'all.ics')
  expect([all.code, all.stderr]).toEqual([0, ''])
  expect(all.stdout).toContain('UID:events-')
  expect(all.stdout).toContain('UID:signup-')
  const mine = await command('render', 'my.ics?show=signup', '--profile', 'members')
  expect(mine.stdout.match(/^UID:/gm)).toEqual(stdout.match(/^UID:/gm))
  expect((await command('render', 'my.ics')).stderr).toContain(
    'my.ics exists only below feed links. Add --profile members.',
  )
  await stop()
  expect((await command('render', 'signup.ics')).stdout).toBe(stdout)
  expect((await command('render', 'signup.ics?lang=xx')).stderr).toContain(
    'lang must be en or es or fr or de.',
  )
  const cold = await command('render', 'news.rss')
  expect([cold.code, cold.stdout]).toEqual([1, ''])
  expect(cold.stderr).toMatch(/^There is no copy of news yet, and the website could not be read\. /)
})
