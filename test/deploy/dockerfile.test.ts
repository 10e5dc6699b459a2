import { cpSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isLeftOut, readInstructions, variablesOf } from '../../deploy/dockerfile.ts'
import { startDockerfileTrial } from '../../deploy/try-dockerfile.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryDirectory } from '../support/service.ts'

const root = resolve(import.meta.dirname, '../..')
const installMs = 180_000

test(
  'every step of the Dockerfile can be carried out, and what it starts serves the demo',
  { timeout: installMs },
  async () => {
    const told: string[] = []
    const tell = (line: string) => void told.push(line)
    await using trial = await startDockerfileTrial({ context: root, port: await freePort(), tell })
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

describe('a Dockerfile is refused', () => {
  test.for([
    { text: 'FROM debian:12', says: 'Dockerfile line 1: debian:12 is no image of Node.' },
    {
      text: 'FROM node:8-slim',
      says: 'Dockerfile line 1: the image has Node 8, and here is Node ',
    },
    {
      text: '# so\n\nFROM node:24\nONBUILD RUN true',
      says: 'Dockerfile line 4: ONBUILD is not known to this script.',
    },
    {
      text: 'FROM node:24\nCOPY --chown=node . .',
      says: 'Dockerfile line 2: --chown=node of COPY is not known to this script.',
    },
    {
      text: 'FROM node:24\nRUN --network=none true',
      says: 'Dockerfile line 2: --network=none of RUN is not known to this script.',
    },
    {
      text: 'FROM node:24\nWORKDIR /app\nCOPY there .\nCOPY left-out .',
      says: 'Dockerfile line 4: left-out is not there, or .dockerignore has it.',
    },
    {
      text: 'FROM node:24\nRUN true && \\\n  false',
      says: 'Dockerfile line 2: RUN ended with 1.',
    },
    { text: 'FROM node:24\nRUN true \\', says: 'Dockerfile line 2: the last line goes on.' },
    { text: 'FROM', says: 'Dockerfile line 1: FROM says nothing.' },
    {
      text: 'FROM node:24\nENV A=1 B 2',
      says: 'Dockerfile line 2: ENV is not KEY=value from " B 2" on.',
    },
    {
      text: 'FROM node:24\nCMD node src/main.ts',
      says: 'Dockerfile line 2: CMD must be a JSON array of words, so that signals reach it.',
    },
    {
      text: 'FROM node:24\nHEALTHCHECK NONE',
      says: 'Dockerfile line 2: HEALTHCHECK has no CMD.',
    },
    { text: 'FROM node:24', says: 'Dockerfile line 1: there is no HEALTHCHECK or no CMD.' },
    {
      text: 'FROM node:24\nHEALTHCHECK CMD ["false"]\nCMD ["true"]',
      says: 'Dockerfile line 1: what CMD starts has ended.',
    },
  ])('$says', async ({ text, says }) => {
    using directory = temporaryDirectory()
    writeFileSync(join(directory.path, 'Dockerfile'), text)
    writeFileSync(join(directory.path, '.dockerignore'), 'left-out\n')
    cpSync(import.meta.filename, join(directory.path, 'there'))
    cpSync(import.meta.filename, join(directory.path, 'left-out'))
    const trial = startDockerfileTrial({ context: directory.path, port: 9, tell: () => undefined })
    await expect(trial).rejects.toThrow(
      expect.objectContaining({
        name: 'DockerfileError',
        message: expect.stringContaining(says),
      }),
    )
  })
})

test('lines that go on are one instruction, and variables may be quoted', () => {
  const [only] = readInstructions('ENV A=1 \\\n  # why\n\n  B="two words"\n')
  expect(only && variablesOf(only)).toEqual({ A: '1', B: 'two words' })
})

test('the last line of .dockerignore that matches decides', () => {
  const dockerignore = '*\n# why\n!src\n!/templates/\nsrc/**/*.log\n'
  const leftOut = (path: string) => isLeftOut(dockerignore, path)
  expect(['.env', 'node_modules/x/y.js', 'src/a/b.log'].filter(leftOut)).toHaveLength(3)
  expect(['src', 'src/a/b.ts', 'templates/page.eta'].filter(leftOut)).toEqual([])
})
