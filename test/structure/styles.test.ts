import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const templates = resolve(import.meta.dirname, '../../templates')
const textsOf = (pattern: string) =>
  globSync(pattern, { cwd: templates }).map((file) => ({
    file,
    text: readFileSync(join(templates, file), 'utf8'),
  }))

/* `withOlderColors` replaces it in the styles of pages and embeds. */
test('boards and the sandbox need no light-dark(), which screens and older browsers lack', () => {
  const styles = textsOf('{board,sandbox}/*.css')
  expect(styles.length).toBeGreaterThan(2)
  const found = styles.filter(({ text }) => /light-dark\(|color-mix\(/.test(text))
  expect(found.map(({ file }) => file)).toEqual([])
})

test('pages and embeds use no properties from after 2020 for layout', () => {
  // `npm run engines` opens some of them. The build of boards replaces `inset`.
  const tooNew = /^\s*(?:rotate|scale|translate|inset):/m
  const styles = textsOf('**/*.css').filter(({ file }) => !file.startsWith('board'))
  const found = styles.flatMap(({ file, text }) => (tooNew.test(text) ? [file] : []))
  expect(found).toEqual([])
})

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
