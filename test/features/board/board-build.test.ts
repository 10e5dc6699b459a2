import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../support/documentation.ts'
import { testDirectory } from '../../support/service.ts'

const program = `
  import { builtFiles } from ${JSON.stringify(join(root, 'src/features/board/board-build.ts'))}
  process.stdout.write(JSON.stringify(builtFiles()))`

/** Builds the files in a separate process, which keeps compiled code in a directory. */
function buildWith(directory: string) {
  const args = ['--input-type=module', '--eval', program]
  const env = { NODE_COMPILE_CACHE: directory }
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as readonly { readonly name: string; readonly text: string }[]
}

test('builds the files once, and again if the code has changed or a file is damaged', () => {
  const directory = testDirectory()
  const built = buildWith(directory)
  expect(built.map(({ name }) => name)).toContain('board.js')
  const [path = ''] = globSync(join(directory, '*/board-build.json'))
  const kept = JSON.parse(readFileSync(path, 'utf8'))
  const marked = [{ name: 'board.js', text: 'kept' }]
  writeFileSync(path, JSON.stringify({ ...kept, files: marked }))
  expect(buildWith(directory)).toEqual(marked)
  for (const text of [JSON.stringify({ code: 'other', files: marked }), '{']) {
    writeFileSync(path, text)
    expect(buildWith(directory)).toEqual(built)
  }
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(kept)
})

test('builds the files without a directory to keep them in', () => {
  expect(buildWith('').map(({ name }) => name)).toContain('board-worker.js')
})
