import { describe, expect, test } from 'vitest'
import { isLeftOut, readInstructions, variablesOf } from '../../deploy/dockerfile.ts'
import { dockerfileError, tryDockerfile } from '../support/dockerfile.ts'

describe('a Dockerfile is rejected', () => {
  test.for([
    { text: 'FROM debian:12', says: 'Dockerfile line 1: debian:12 is not a Node image.' },
    {
      text: 'FROM node:8-slim',
      says: 'Dockerfile line 1: the image has Node 8, but this machine has Node ',
    },
    {
      text: '# so\n\nFROM node:24\nONBUILD RUN true',
      says: 'Dockerfile line 4: this script does not support ONBUILD.',
    },
    {
      text: 'FROM node:24\nCOPY --chown=node . .',
      says: 'Dockerfile line 2: this script does not support --chown=node of COPY.',
    },
    {
      text: 'FROM node:24\nRUN --network=none true',
      says: 'Dockerfile line 2: this script does not support --network=none of RUN.',
    },
    {
      text: 'FROM node:24\nWORKDIR /app\nCOPY there .\nCOPY left-out .',
      says: 'Dockerfile line 4: left-out does not exist or is ignored by .dockerignore.',
    },
    {
      text: 'FROM node:24\nRUN true \\',
      says: 'Dockerfile line 2: the last line ends with a backslash.',
    },
    { text: 'FROM', says: 'Dockerfile line 1: FROM has no argument.' },
    {
      text: 'FROM node:24\nENV A=1 B 2',
      says: 'Dockerfile line 2: ENV must be KEY=value, starting at " B 2".',
    },
    {
      text: 'FROM node:24\nCMD node src/main.ts',
      says: 'Dockerfile line 2: CMD must be a JSON array of words, so that signals reach it.',
    },
    {
      text: 'FROM node:24\nHEALTHCHECK NONE',
      says: 'Dockerfile line 2: HEALTHCHECK has no CMD.',
    },
    { text: 'FROM node:24', says: 'Dockerfile line 1: HEALTHCHECK or CMD is missing.' },
  ])('$says', async ({ text, says }) => {
    await expect(tryDockerfile(text)).rejects.toThrow(dockerfileError(says))
  })
})

test('joins continued lines and accepts variables in quotes', () => {
  const [only] = readInstructions('ENV A=1 \\\n  # why\n\n  B="two words"\n')
  expect(only && variablesOf(only)).toEqual({ A: '1', B: 'two words' })
})

test('applies the last matching line in .dockerignore', () => {
  const dockerignore = '*\n# why\n!src\n!/templates/\nsrc/**/*.log\n'
  const leftOut = (path: string) => isLeftOut(dockerignore, path)
  expect(['.env', 'node_modules/x/y.js', 'src/a/b.log'].filter(leftOut)).toHaveLength(3)
  expect(['src', 'src/a/b.ts', 'templates/page.eta'].filter(leftOut)).toEqual([])
})
