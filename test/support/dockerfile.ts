import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startDockerfileTrial } from '../../deploy/try-dockerfile.ts'
import { temporaryDirectory } from './service.ts'

/**
 * Executes a Dockerfile in a build context that has a file `there` and an ignored file `left-out`.
 */
export async function tryDockerfile(text: string): Promise<void> {
  using directory = temporaryDirectory()
  const files = { Dockerfile: text, '.dockerignore': 'left-out\n', there: '', 'left-out': '' }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory.path, name), content)
  }
  const { path: context } = directory
  await using _trial = await startDockerfileTrial({ context, port: 9, tell: () => undefined })
}

/** Matches a `DockerfileError` whose message contains the text. */
export const dockerfileError = (message: string) =>
  expect.objectContaining({
    name: 'DockerfileError',
    message: expect.stringContaining(message),
  })
