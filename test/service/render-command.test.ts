import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { killWithTest, main, outputUntil, resultOf, run } from '../support/command-line.ts'
import { settingsFor } from '../support/sandbox.ts'
import { temporaryDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

/** A website, the settings to read it, and how often it was called for data. */
async function startWebsite() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const sandbox = await createSandbox({ dataDirectory: join(directory.path, 'sandbox') })
  let isUp = true
  const stop = async () => {
    if (isUp) await sandbox[Symbol.asyncDispose]()
    isUp = false
  }
  onTestFinished(stop)
  const environment: Record<string, string> = {
    ...settingsFor(sandbox),
    PUBLIC_FEEDS: 'events,news,signup',
  }
  const command = (...args: readonly string[]) => resultOf(run(directory.path, args, environment))
  return { directory: directory.path, sandbox, environment, command, stop }
}

describe('render', { timeout: 60_000 }, () => {
  test('writes what a running service answers, and reads nothing beside it', async () => {
    const { directory, environment, command, stop } = await startWebsite()
    const child = run(directory, ['serve'], environment)
    const output = await outputUntil(child, /Stop with Ctrl\+C/)
    const { origin } = new URL(output.match(/http:\S+/)?.[0] ?? '')
    for (const path of ['events.ics', 'news.rss']) await fetch(`${origin}/${path}`)
    await stop()
    for (const path of ['events.ics', 'events.ics?alarm=30', 'news.rss', 'news.json?limit=2']) {
      const answer = await (await fetch(`${origin}/${path}`)).text()
      expect(await command('render', path)).toEqual({ code: 0, stdout: answer, stderr: '' })
    }
  })

  test('reads the website itself when there is no copy, shows more on purpose, and outlasts it', async () => {
    const { command, stop, directory, environment } = await startWebsite()
    const { code, stdout, stderr } = await command('render', 'signup.ics')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^BEGIN:VCALENDAR/)
    const full = await command('render', 'signup.ics', '--profile', 'full')
    expect(full.stdout.length).toBeGreaterThan(stdout.length)
    await stop()
    expect((await command('render', 'signup.ics')).stdout).toBe(stdout)
    const cold = await command('render', 'news.rss')
    expect([cold.code, cold.stdout]).toEqual([1, ''])
    expect(cold.stderr).toMatch(
      /^There is no copy of news yet, and the website could not be read \(unreachable\)\. /,
    )
    const reader = spawn(
      'sh',
      ['-c', `"${process.execPath}" "${main}" render signup.ics | head -c 1`],
      {
        cwd: directory,
        env: { PATH: process.env['PATH'], ...environment },
      },
    )
    killWithTest(reader)
    expect(await once(reader, 'exit')).toEqual([0, null])
    expect(String(reader.stderr.read() ?? '')).toBe('')
  })

  test.for([
    ['news.pdf', 'The feed news comes as news.rss, news.atom, news.json, not as news.pdf.'],
    ['stories.rss', 'There is no feed stories; feeds are: calendar, events,'],
    ['calendar.ics?colour=red', 'calendar.ics has no option colour.'],
    ['calendar.ics?alarm=soon', 'alarm must be a whole number from 0 to 40320.'],
    ['news.rss', 'SITE_URL is not set, so there is no website to render'],
  ])('%s without a website is told in a sentence', async ([name = '', sentence = '']) => {
    using directory = temporaryDirectory()
    const { code, stdout, stderr } = await resultOf(run(directory.path, ['render', name]))
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('export', { timeout: 60_000 }, () => {
  test('writes a directory by cron, and another the same on', async () => {
    const { directory, command, environment } = await startWebsite()
    const without = await command('export', '--out', 'web')
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringMatching(/^PUBLIC_URL is not set\./),
    ])
    environment['PUBLIC_URL'] = 'https://feeds.example.org'
    const unsafe = await command('export', '--out', '.')
    expect([unsafe.code, unsafe.stderr]).toEqual([
      1,
      expect.stringContaining('must not be published'),
    ])
    const first = await command('export', '--out', 'web', '--json')
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(JSON.parse(first.stdout)).toMatchObject({ unchanged: 0, removed: 0 })
    expect(readFileSync(join(directory, 'web/events.ics'), 'utf8')).toMatch(/^BEGIN:VCALENDAR/)
    const second = await command('export', '--out', 'web')
    expect(second.stdout).toMatch(/web: 0 files written, \d+ unchanged, 0 removed\.\n$/)
  })

  test('--watch ends when it is told to', async () => {
    const { directory, environment } = await startWebsite()
    const settings = {
      ...environment,
      PUBLIC_URL: 'https://feeds.example.org',
      PUBLIC_FEEDS: 'news',
    }
    const child = run(directory, ['export', '--out', 'web', '--watch'], settings)
    await waitFor(() => expect(existsSync(join(directory, 'web/headers.json'))).toBe(true))
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })
})
