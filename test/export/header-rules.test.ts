import { expect, test } from 'vitest'
import { renderRules } from '../../src/export/header-rules.ts'

test('puts the rules for translations last, because hosts ignore rules beyond a limit', () => {
  const paths = ['/es/agenda', '/agenda', '/news/', '/es/news/', '/espresso', '/es/']
  const files = paths.map((path) => ({ path, file: `${path}.html`, headers: [] }))
  const { _headers: rules } = renderRules(files, ['/news/', '/es/news/'], '/feeds', {
    isPrecompressed: false,
    hasDirectories: false,
  })
  expect(rules.match(/^\/.*$/gm)).toEqual([
    '/feeds/*',
    '/feeds/agenda',
    '/feeds/espresso',
    '/feeds/news/*',
    '/feeds/es/',
    '/feeds/es/agenda',
    '/feeds/es/news/*',
  ])
})
