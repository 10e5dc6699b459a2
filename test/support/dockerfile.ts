import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startDockerfileTrial } from '../../deploy/try-dockerfile.ts'
import { temporaryDirectory } from './service.ts'

/** Executes a Dockerfile with a file `there`, and a file `left-out` by `.dockerignore`. */
export async function tryDockerfile(text: string): Promise<void> {
  using directory = temporaryDirectory()
  const files = { Dockerfile: text, '.dockerignore': 'left-out\n', there: '', 'left-out': '' }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory.path, name), content)
  }
  const { path: context } = directory
  await using _trial = await startDockerfileTrial({ context, port: 9, tell: () => undefined })
}

/** Matches the error about a Dockerfile that has this in its message. */
export const dockerfileError = (message: string) =>
  expect.objectContaining({
    name: 'DockerfileError',
    message: expect.stringContaining(message),
  })
