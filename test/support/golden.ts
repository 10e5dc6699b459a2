import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'

const directory = join(import.meta.dirname, '../golden')

/**
 * Expects the text to equal the file `test/golden/{name}`. Writes the file instead if
 * `UPDATE_GOLDEN` is 1.
 */
export function expectGolden(name: string, text: string): void {
  const path = join(directory, name)
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  expect(Buffer.from(text).equals(readFileSync(path)), `${name} differs:\n${text}`).toBe(true)
}
