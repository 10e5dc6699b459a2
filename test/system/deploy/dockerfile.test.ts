import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startDockerfileTrial } from '../../../deploy/try-dockerfile.ts'
import { freePort } from '../../support/free-port.ts'
import { copyProject } from '../../support/repository.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { dockerfileError, tryDockerfile } from '../../support/dockerfile.ts'

const installMs = 180_000

function isReadableByAll(path: string): boolean {
  const stats = statSync(path)
  const needed = stats.isDirectory() ? 0o005 : 0o004
  return (stats.mode & needed) === needed
}

test(
  'runs every step in the Dockerfile on a clone made with umask 077, and serves the demo',
  { timeout: installMs },
  async () => {
    using clone = temporaryDirectory()
    copyProject(clone.path)
    execFileSync('chmod', ['-R', 'go-rwx', clone.path])
    const told: string[] = []
    const tell = (line: string) => void told.push(line)
    const context = clone.path
    await using trial = await startDockerfileTrial({ context, port: await freePort(), tell })
    expect(told).toContain('The health check succeeds.')
    const files = globSync('app/**/*', {
      cwd: trial.image,
      exclude: (path) => path.endsWith('node_modules'),
    })
    expect(files).toContain('app/package-lock.json')
    expect(files.filter((file) => !isReadableByAll(join(trial.image, file)))).toEqual([])
    const page = await fetch(`${trial.url}/`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('events.ics')
    const board = await fetch(`${trial.url}/board`)
    expect(board.status).toBe(200)
    // A thread draws it, and ends with the process.
    const picture = await fetch(`${trial.url}/board.png`)
    expect(picture.headers.get('content-type')).toBe('image/png')
    const feed = await fetch(`${trial.url}/events.ics`)
    expect(await feed.text()).toContain('BEGIN:VEVENT')
    expect(await trial.stop()).toEqual({ code: 0, signal: null })
  },
)

test.for([
  {
    text: 'FROM node:24\nRUN true && \\\n  false',
    says: 'Dockerfile line 2: RUN exited with 1.',
  },
  {
    text: 'FROM node:24\nHEALTHCHECK CMD ["false"]\nCMD ["true"]',
    says: 'Dockerfile line 1: the process started by CMD has exited.',
  },
])('reports a failing Dockerfile: $says', async ({ text, says }) => {
  await expect(tryDockerfile(text)).rejects.toThrow(dockerfileError(says))
})
