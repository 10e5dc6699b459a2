import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { channelKinds } from '../../src/channels/channel-kinds.ts'
import { documentOf, root, tableAfter } from '../support/documentation.ts'

/* Checks that each kind of webhook has a short file of its own, and a row in docs/news.md. */

const directory = join(root, 'src/channels/kinds')
const files = globSync('*.ts', { cwd: directory })

test('has a file for each kind', () => {
  const names = files.map((file) => file.replace('.ts', ''))
  expect(channelKinds.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

test.for(files)('%s has at most 120 lines', (file) => {
  const lines = readFileSync(join(directory, file), 'utf8').trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(120)
})

test('docs/news.md says what to enter for each kind', () => {
  const rows = tableAfter('## Webhooks', documentOf('docs/news.md'))
  expect(rows.map(({ service = '' }) => service)).toEqual(channelKinds.map(({ label }) => label))
  expect(rows.map((row) => row['setting'])).toEqual(
    channelKinds.map(({ name, example }) => `\`${name}=${example}\``),
  )
})
