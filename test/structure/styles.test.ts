import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const templates = resolve(import.meta.dirname, '../../templates')
const textsOf = (pattern: string) =>
  globSync(pattern, { cwd: templates }).map((file) => ({
    file,
    text: readFileSync(join(templates, file), 'utf8'),
  }))

test('every class on a page is used in a style or a script', () => {
  const styles = textsOf('**/*.{css,js}')
    .map(({ text }) => text)
    .join('')
  const unused = textsOf('**/*.eta').flatMap(({ file, text }) =>
    [...text.matchAll(/class="([^"<]*)/g)]
      .flatMap(([, names = '']) => names.split(/\s+/))
      .filter((name) => name !== '' && !styles.includes(`.${name}`))
      .map((name) => `${file}: ${name}`),
  )
  expect(unused).toEqual([])
})
