import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outputUntil } from '../../support/command-line.ts'
import { blocksOf, documentOf } from '../../support/documentation.ts'
import { lists, sandboxStart, toRedis } from '../../support/documented-commands.ts'
import { programIsMissing } from '../../support/programs.ts'
import { emptyRedisDatabase, redisIsMissing } from '../../support/redis.ts'
import { openShell, unexpectedResults } from '../../support/shell.ts'

/** Each command starts npm and Node, which takes time on a busy machine. */
const timeout = 180_000

test.skipIf(programIsMissing('jq'))(
  'the documented commands for the sandbox and for a website work',
  { timeout },
  async () => {
    await using shell = openShell()
    const sandbox = shell.start(sandboxStart.replace('8443', '0'))
    const { url, caFile, projects } = JSON.parse(await outputUntil(sandbox, /\n/))
    const settings = blocksOf(documentOf('docs/sandbox.md')).find(({ lines }) =>
      lines[0]?.startsWith('SITE_URL='),
    )
    const environment = (settings?.lines ?? [])
      .join('\n')
      .replace('https://localhost:8443', url)
      .replace('the refreshToken', projects[0].refreshToken)
      .replace('the caFile', caFile)
    writeFileSync(join(shell.directory, '.env'), environment)
    const redisUrl = redisIsMissing ? '' : await emptyRedisDatabase()
    const changes = { 'https://localhost:8443': url, 'redis://localhost:6379': redisUrl }
    const forAWebsite = lists.withAWebsite.filter(
      ({ command }) => !redisIsMissing || command !== toRedis,
    )
    // The walkthrough uses its own API Project, so it does not interfere with the other commands.
    const [ofWebsite, ofWalk] = await Promise.all([
      unexpectedResults(shell, forAWebsite, changes),
      unexpectedResults(shell, lists.walk, changes),
    ])
    expect([...ofWebsite, ...ofWalk]).toEqual([])
    expect(await unexpectedResults(shell, lists.onProjects, changes)).toEqual([])
    const written = (file: string) => readFileSync(join(shell.directory, file), 'utf8')
    expect(written('members.ics')).toContain('BEGIN:VALARM')
    expect(written('web/events.ics')).toContain('BEGIN:VEVENT')
  },
)
