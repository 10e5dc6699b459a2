import { onTestFinished } from 'vitest'
import { temporaryDirectory } from './service.ts'

/** Creates a directory for one test, and returns its path. */
export function testDirectory(): string {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  return directory.path
}
