import { expect, test } from 'vitest'
import { startDockerfileTrial } from '../../../deploy/try-dockerfile.ts'
import { root } from '../../support/documentation.ts'
import { npmForTests } from '../../support/programs.ts'
import { freePort } from '../../support/free-port.ts'
import { dockerfileError, tryDockerfile } from '../../support/dockerfile.ts'

const installMs = 180_000

test(
  'every step of the Dockerfile works, and its command serves the demo',
  { timeout: installMs },
  async () => {
    const told: string[] = []
    const tell = (line: string) => void told.push(line)
    const options = { context: root, port: await freePort(), tell, programs: npmForTests }
    await using trial = await startDockerfileTrial(options)
    expect(told).toContain('The health check succeeds.')
    const page = await fetch(`${trial.url}/`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('events.ics')
    const board = await fetch(`${trial.url}/board`)
    expect(board.status).toBe(200)
    const feed = await fetch(`${trial.url}/events.ics`)
    expect(await feed.text()).toContain('BEGIN:VEVENT')
    expect(await trial.stop()).toEqual({ code: 0, signal: null })
  },
)

test.for([
  {
    text: 'FROM node:24\nRUN true && \\\n  false',
    says: 'Dockerfile line 2: RUN ended with 1.',
  },
  {
    text: 'FROM node:24\nHEALTHCHECK CMD ["false"]\nCMD ["true"]',
    says: 'Dockerfile line 1: what CMD starts has ended.',
  },
])('a Dockerfile is refused: $says', async ({ text, says }) => {
  await expect(tryDockerfile(text)).rejects.toThrow(dockerfileError(says))
})
