import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings, storeIn } from '../../support/backups.ts'
import {
  compileCache,
  killWithTest,
  main,
  resultOf,
  runProcess,
} from '../../support/command-line.ts'
import { testDirectory } from '../../support/service.ts'

const dataOf = (directory: string) => join(directory, 'data')

/** Forty random documents of this size do not fit in a pipe's buffer even when compressed. */
const valueBytes = 50_000

function shell(directory: string, line: string) {
  const child = spawn('bash', ['--norc', '-o', 'pipefail', '-c', line, process.execPath, main], {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...compileCache(), ...settings },
  })
  killWithTest(child)
  return resultOf(child)
}

/** Starts a restore that waits for the rest of its standard input. */
async function startedRestore() {
  const directory = testDirectory()
  const child = runProcess(directory, ['restore', '-'], settings)
  // This does not fit in a pipe's buffer, so the restore must have started to read when the write
  // finishes.
  await new Promise((resolve) => child.stdin.write(Buffer.alloc(1_000_000), resolve))
  return { directory, child }
}

describe('a restore from standard input', () => {
  test('that is stopped reports this, and leaves no restored data behind', async () => {
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
    { line: '"$0" "$1" restore /', says: 'The backup / cannot be read (EISDIR).\n' },
  ])('of $line', async ({ line, says }) => {
    const directory = testDirectory()
    await storeIn(directory, async ({ documents }) => {
      for (let id = 0; id < 40; id += 1) {
        const value = randomBytes(valueBytes).toString('base64')
        await documents.write([{ bucket: 'items', id: String(id), value }])
      }
    })
    expect(await shell(directory, line)).toEqual({ code: 1, stdout: '', stderr: says })
  })
})
