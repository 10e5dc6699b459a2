import { spawnSync } from 'node:child_process'
import { chownSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../../support/documentation.ts'
import { ofAnyUser } from '../../support/repository.ts'
import { temporaryDirectory } from '../../support/service.ts'

const file = join(root, 'compose.yaml')

const nobody = 65_534

function isIgnored(path: string, clone = root): boolean {
  return spawnSync('git', [...ofAnyUser, 'check-ignore', '-q', path], { cwd: clone }).status === 0
}

test('secrets stay out of Git', () => {
  const schema = z.object({ secrets: z.record(z.string(), z.object({ file: z.string() })) })
  const { secrets } = schema.parse(parse(readFileSync(file, 'utf8'), { merge: true }))
  const files = Object.values(secrets).map((secret) => secret.file)
  expect(files).toHaveLength(4)
  expect([...files, '.env'].filter((path) => !isIgnored(path))).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)('this test works in a clone of another user', () => {
  using clone = temporaryDirectory()
  spawnSync('git', ['init', '-q'], { cwd: clone.path })
  copyFileSync(join(root, '.gitignore'), join(clone.path, '.gitignore'))
  chownSync(clone.path, nobody, nobody)
  expect(isIgnored('.env', clone.path)).toBe(true)
})

const dockerIsMissing = spawnSync('docker', ['compose', 'version']).status !== 0

if (dockerIsMissing) process.stderr.write('The test with Docker Compose is skipped: install it.\n')

test.skipIf(dockerIsMissing)('Docker Compose reads compose.yaml', () => {
  using directory = temporaryDirectory()
  const options = ['--project-directory', directory.path, '--file', file]
  writeFileSync(join(directory.path, '.env'), 'PUBLIC_URL=https://feeds.example.org\n')
  const { status, stderr } = spawnSync('docker', ['compose', ...options, 'config', '--quiet'])
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
})
