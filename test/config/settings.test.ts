import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { secretNames, settingsSchema } from '../../src/config/settings.ts'
import { documentOf, root } from '../support/documentation.ts'

const names = Object.keys(settingsSchema.shape)

test('.env.example lists every setting and nothing else', () => {
  const example = readFileSync(join(root, '.env.example'), 'utf8')
  const written = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name)
  const token = written.indexOf('SITE_REFRESH_TOKEN_FILE')
  expect(written[token - 1]).toBe('SITE_REFRESH_TOKEN')
  expect(written.toSpliced(token, 1)).toEqual(names)
})

test('docs/settings.md lists every setting with its default, and nothing else', () => {
  const settings = documentOf('docs/settings.md')
  const rows = [...settings.matchAll(/^\| `([A-Z_]+)` +\| ([^|]*?) +\|/gm)]
  expect(rows.map(([, name]) => name)).toEqual(names)
  for (const [name, schema] of Object.entries(settingsSchema.shape)) {
    const { data: preset } = schema.safeParse(undefined)
    if (preset === undefined || typeof preset === 'object') continue
    expect(rows.find(([, written]) => written === name)?.[2]).toBe(`\`${preset.toString()}\``)
  }
})

test('docs/settings.md explains every setting', () => {
  const settings = documentOf('docs/settings.md')
  const explained = [...settings.matchAll(/\*\*`([A-Z_]+)`\*\*/g)].map(([, name]) => name)
  expect(explained).toEqual(names)
})

test('docs/settings.md lists the settings that can be in a file of their own', () => {
  const settings = documentOf('docs/settings.md')
  const [, list = ''] = /^## Secrets\n\n([^]*?)can be/m.exec(settings) ?? []
  const listed = [...list.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name)
  expect(new Set(listed)).toEqual(new Set(secretNames))
})

test('every secret setting can be stored in a separate file', () => {
  const secret = names.filter((name) =>
    /^(?!.*_FILE$).*(?:TOKEN|PASSWORD|KEY|SECRET|WEBHOOK|BOUNCES)|^(?:REDIS|SMTP)_|_HEADER$/.test(
      name,
    ),
  )
  expect(new Set(secretNames)).toEqual(new Set(secret))
})
