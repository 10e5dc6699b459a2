import { expect, test } from 'vitest'
import { isLeftOut, readInstructions, variablesOf } from '../../deploy/dockerfile.ts'
import { dockerfileError, tryDockerfile } from '../support/dockerfile.ts'

test.for([
  ['FROM debian:12', 'line 1: debian:12 is not a Node image.'],
  ['FROM node:8-slim', 'line 1: the image has Node 8, but this machine has Node '],
  ['# so\n\nFROM node:24\nONBUILD RUN true', 'line 4: this script does not support ONBUILD.'],
  [
    'FROM node:24\nCOPY --chown=node . .',
    'line 2: this script does not support --chown=node of COPY.',
  ],
  [
    'FROM node:24\nRUN --network=none true',
    'line 2: this script does not support --network=none of RUN.',
  ],
  [
    'FROM node:24\nWORKDIR /app\nCOPY there .\nCOPY left-out .',
    'line 4: left-out does not exist or is ignored by .dockerignore.',
  ],
  ['FROM node:24\nRUN true \\', 'line 2: the last line ends with a backslash.'],
  ['FROM', 'line 1: FROM has no argument.'],
  ['FROM node:24\nENV A=1 B 2', 'line 2: ENV must be KEY=value, starting at " B 2".'],
  [
    'FROM node:24\nCMD node src/main.ts',
    'line 2: CMD must be a JSON array of words, so that signals reach it.',
  ],
  ['FROM node:24\nHEALTHCHECK NONE', 'line 2: HEALTHCHECK has no CMD.'],
  ['FROM node:24', 'line 1: HEALTHCHECK or CMD is missing.'],
] as const)('rejects the Dockerfile %j: %s', async ([text, says]) => {
  await expect(tryDockerfile(text)).rejects.toThrow(dockerfileError(`Dockerfile ${says}`))
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
