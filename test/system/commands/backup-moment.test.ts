import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { backupItems } from '../../../src/backup/backup-file.ts'
import { command, site } from '../../support/backups.ts'
import { killWithTest } from '../../support/command-line.ts'
import { emptyRedisDatabase, redisIsMissing } from '../../support/redis.ts'
import { testDirectory } from '../../support/service.ts'
import { collected } from '../../support/stored-items.ts'

/** On a busy machine, a backup can end before the other process writes again. */
const maxRounds = 10

/**
 * Creates backups while another process keeps writing, until it has written during two of them. Returns
 * the contents of all of them.
 */
async function backUpBeside(writer: readonly string[], directory: string, changes = {}) {
  const script = resolve(import.meta.dirname, '../../support/store-writer.ts')
  const child = spawn(process.execPath, [script, ...writer], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  killWithTest(child)
  const lines = createInterface(child.stdout)
  let told = 0
  lines.on('line', (line) => {
    told = Number(line)
  })
  await once(lines, 'line')
  const backups = []
  let disturbed = 0
  for (let round = 1; round <= maxRounds && disturbed < 2; round += 1) {
    const toldBefore = told
    const result = await command(directory, ['backup', 'backup.gz'], changes)
    const items = await collected(backupItems(join(directory, 'backup.gz'), 'x'))
    const documents = items.flatMap((item) => ('value' in item ? [item] : []))
    const events = items.length - documents.length
    if (told > toldBefore) disturbed += 1
    backups.push({ result, toldBefore, documents, events })
  }
  child.kill('SIGKILL')
  await once(child, 'close')
  return { backups, disturbed }
}

/** Expects backups to contain only complete writes. */
function expectOneMoment({ backups }: Awaited<ReturnType<typeof backUpBeside>>): void {
  for (const { result, toldBefore, documents, events } of backups) {
    expect(result).toMatchObject({ code: 0, stderr: '' })
    const [items, ledger, state] = ['items', 'ledgers', 'states'].map((name) =>
      documents.find(({ bucket }) => bucket === name),
    )
    const version = Number(state?.value)
    expect(version).toBeGreaterThanOrEqual(toldBefore)
    expect(state?.revision).toBe(version)
    expect(items?.value === `${version} `.repeat(20_000)).toBe(true)
    expect(ledger?.value === `${version} `.repeat(2_000)).toBe(true)
    // The writer adds the event after it writes the documents.
    expect([version - 1, version]).toContain(events)
  }
}

test('a backup is consistent while a process writes to SQLite', async () => {
  const directory = testDirectory()
  mkdirSync(join(directory, 'data'), { mode: 0o700 })
  const written = await backUpBeside([join(directory, 'data', `${site}.sqlite`)], directory)
  expect(written.disturbed).toBe(2)
  expectOneMoment(written)
})

describe.skipIf(redisIsMissing)('with Redis', () => {
  test('a backup is consistent while a process writes', async () => {
    const url = await emptyRedisDatabase()
    const written = await backUpBeside([url, site], testDirectory(), { REDIS_URL: url })
    expect(written.disturbed).toBe(2)
    expectOneMoment(written)
  })
})
