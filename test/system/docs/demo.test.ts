import { expect, test } from 'vitest'
import { outputUntil, readyService } from '../../support/command-line.ts'
import {
  demoStart,
  demoWithPassword,
  lists,
  setupStart,
} from '../../support/documented-commands.ts'
import { openShell, unexpectedResults, type Shell } from '../../support/shell.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Each command starts npm and Node, which takes time on a busy machine. */
const timeout = 180_000

/** Starts the demo on a free port, and resolves to its URL. */
async function startDemo(shell: Shell, command: string): Promise<string> {
  const { url } = await readyService(shell.start(command.replace('npm ci --omit=dev && ', '')))
  return url
}

test('the documented commands for the demo work', { timeout }, async () => {
  await using shell = openShell({ PORT: '0' })
  const url = await startDemo(shell, demoStart)
  // In the second of a change, responses have no Last-Modified.
  await waitFor(async () => {
    const { headers } = await fetch(`${url}/events.ics`)
    expect(headers.get('Last-Modified')).not.toBeNull()
  })
  const [added] = await shell.run(['npx feedhouse link add --label "Of the example" --json'])
  const { id } = JSON.parse(added?.out ?? '')
  const changes = { 'http://127.0.0.1:8080': url, 'https://feeds.example.org': url, abcdefgh: id }
  expect(await unexpectedResults(shell, lists.withTheDemo, changes)).toEqual([])
})

test('a demo with a password has an admin page and accounts', { timeout }, async () => {
  await using shell = openShell({ PORT: '0' })
  const url = await startDemo(shell, demoWithPassword)
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status
  expect(await Promise.all(['/events.ics', '/admin', '/dav/'].map(statusOf))).toEqual([
    200, 200, 401,
  ])
})

test('the setup page starts as documented', { timeout }, async () => {
  await using shell = openShell({ PORT: '0' })
  const output = await outputUntil(shell.start(setupStart), /this code: /)
  const [url = ''] = /http:\S+(?=#code=)/.exec(output) ?? []
  expect(await (await fetch(url)).text()).toContain('Set up Feedhouse')
})

test('the documented commands for managing dependencies work', { timeout }, async () => {
  await using shell = openShell()
  expect(await unexpectedResults(shell, lists.inAClone)).toEqual([])
})
