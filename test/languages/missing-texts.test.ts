import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from '../../src/records/messages.ts'
import { testDirectory } from '../support/service.ts'
import { missingTexts } from './missing-texts.ts'

/** Creates a source folder with these message files. */
function sourceWith(files: Readonly<Record<string, string>>): string {
  const source = testDirectory()
  for (const [file, messages] of Object.entries(files)) {
    mkdirSync(join(source, file, '..'), { recursive: true })
    writeFileSync(join(source, file), `export const messages = ${messages}\n`)
  }
  return source
}

const english = `{
  news: 'News', radio: 'Radio', home: 'Home',
  page: { open: (name) => \`Open \${name}\`, more: (link) => \`See \${link('all')}.\` },
  places: { one: '1 place', other: '{n} places' },
  size: (count) => \`\${count} MB\`,
}`

test('lists missing files and texts, and texts that are the same as in English', async () => {
  const portuguese = `{
    news: 'Notícias', radio: 'Radio', old: 'Antigo',
    page: { more: (link) => \`Ver \${link('all')}.\` },
    places: { one: '1 place', few: '{n} places', other: '{n} places' },
    size: (count) => \`\${count} MB\`,
  }`
  const source = sourceWith({
    'a/messages/en.ts': english,
    'a/messages/pt.ts': portuguese,
    'b/c/messages/en.ts': "{ yes: 'Yes', no: 'No' }",
    'b/c/messages/page/en.ts': "{ maybe: 'Maybe' }",
  })
  expect(await missingTexts(source, 'pt')).toEqual([
    {
      file: 'a/messages/pt.ts',
      isMissing: false,
      missing: ['home', 'page.open'],
      superfluous: ['old'],
      same: ['radio', 'size'],
    },
    {
      file: 'b/c/messages/pt.ts',
      isMissing: true,
      missing: ['yes', 'no'],
      superfluous: [],
      same: [],
    },
    {
      file: 'b/c/messages/page/pt.ts',
      isMissing: true,
      missing: ['maybe'],
      superfluous: [],
      same: [],
    },
  ])
})

test.for(languages)('finds all texts of Feedhouse in the language %s', async (language) => {
  const lacks = await missingTexts(resolve(import.meta.dirname, '../../src'), language)
  expect(lacks.length).toBeGreaterThan(3)
  expect(
    lacks.filter(({ missing, superfluous }) => missing.length + superfluous.length > 0),
  ).toEqual([])
})
