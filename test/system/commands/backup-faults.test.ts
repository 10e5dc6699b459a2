import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { killWithTest, main, resultOf, runProcess } from '../../support/command-line.ts'
import { temporaryDirectory } from '../../support/service.ts'

const site = 'cedarhollow.example'
const settings = {
  SITE_URL: `https://${site}`,
  SITE_REFRESH_TOKEN: 'x',
  SITE_TIME_ZONE: 'America/New_York',
}
const dataOf = (directory: string) => join(directory, 'data')

/** Stores random strings that do not fit in a pipe's buffer even when they are compressed. */
async function fill({ documents }: Store, count = 40): Promise<void> {
  for (let id = 0; id < count; id += 1) {
    const value = Array.from({ length: 50_000 }, () => Math.random().toString(36)).join('')
    await documents.write([{ bucket: 'items', id: String(id), value }])
  }
}

function place() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  return directory.path
}

async function filledPlace() {
  const directory = place()
  mkdirSync(dataOf(directory))
  await using store = openSqliteStore(join(dataOf(directory), `${site}.sqlite`), Date.now)
  await fill(store)
  return directory
}

function shell(directory: string, line: string) {
  const child = spawn('bash', ['--norc', '-o', 'pipefail', '-c', line, process.execPath, main], {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...settings },
  })
  killWithTest(child)
  return resultOf(child)
}

/** Starts a restore that waits for the rest of its standard input. */
async function startedRestore() {
  const directory = place()
  const child = runProcess(directory, ['restore', '-'], settings)
  // This does not fit in a pipe's buffer, so the restore must have started to read when the write
  // finishes.
  await new Promise((resolve) => child.stdin.write(Buffer.alloc(1_000_000), resolve))
  return { directory, child }
}

describe('a restore from standard input', () => {
  test('that is stopped says so, and leaves no restored data behind', async () => {
    const { directory, child } = await startedRestore()
    child.kill('SIGINT')
    expect(await resultOf(child)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The restore was interrupted. The store is unchanged.\n',
    })
    expect(readdirSync(dataOf(directory))).toEqual([])
  })

  test('that is killed leaves no restored data behind', async () => {
    const { directory, child } = await startedRestore()
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(readdirSync(dataOf(directory))).toEqual([])
  })
})

describe('a single sentence reports the failure', () => {
  test.for([
    {
      line: '"$0" "$1" backup - | head -c 100 >/dev/null',
      says: 'The backup on standard output cannot be written (EPIPE).\n',
    },
    {
      line: '"$0" "$1" backup - >/dev/full',
      says: 'The backup on standard output cannot be written (ENOSPC).\n',
    },
    { line: '"$0" "$1" --help >/dev/full', says: 'Standard output cannot be written (ENOSPC).\n' },
    {
      line: '"$0" "$1" restore /',
      says: 'The backup / cannot be read (EISDIR).\n',
    },
  ])('of $line', async ({ line, says }) => {
    expect(await shell(await filledPlace(), line)).toEqual({ code: 1, stdout: '', stderr: says })
  })
})
