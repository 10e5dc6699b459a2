import { expect, test } from 'vitest'
import { foreignText, textsIn, untranslated } from './own-text.ts'

test.for([
  [
    'text/html',
    '<p>⟦See <a href="/">all ⟦calendars~~⟧</a>.~~⟧</p><p>Today ⟦at~⟧</p>',
    ['Today ⟦at~⟧'],
  ],
  ['text/html', '<p>⟦Cut off</p><p>Next⟧</p>', ['Next⟧']],
  ['text/html', '<p>⟦Open~⟧ of ⟦places~~⟧</p>', ['⟦Open~⟧ of ⟦places~~⟧']],
  [
    'text/html',
    '<img alt="Logo"><input placeholder="Name"><a aria-label="More">⟦x⟧</a>',
    ['Logo', 'Name', 'More'],
  ],
  [
    'text/html',
    '<meta name="description" content="News of Цедар"><meta name="robots" content="noindex">',
    ['News of Цедар'],
  ],
  [
    'text/html',
    '<script>const text = "Script"</script><style>a { color: red }</style><code>Code</code>',
    [],
  ],
  [
    'text/html',
    '<script type="application/json">{"open":"Open it"}</script><p data-texts=\'["Copy it"]\'></p>',
    ['Open it', 'Copy it'],
  ],
  [
    'text/html',
    '<p>Цедар, Sat, Nov 28, 7:30 PM, https://a.example/Path, a@b.example, b.example/path</p>',
    [],
  ],
  [
    'text/calendar',
    'SUMMARY:Цедар\r\nDESCRIPTION;X=1:Con\r\n tact: Цедар\\n⟦Place~~⟧\r\nUID:events',
    ['Contact: Цедар'],
  ],
  [
    'application/rss+xml',
    '<item><title>New: Цедар</title><guid>Id</guid><category term="Events"/></item>',
    ['Events', 'New: Цедар'],
  ],
  [
    'application/json',
    '{"id":"Some Id","title":"News","summary":"<p>More <b>here</b></p>"}',
    ['News', 'More here'],
  ],
  ['text/plain', 'Page not found.', ['Page not found.']],
] as const)('finds text that is not translated in %s: %s', ([type, body, found]) => {
  expect(untranslated(textsIn(type, body)).toSorted()).toEqual([...found].toSorted())
})

test('replaces the letters of texts, but not of tags and addresses', () => {
  expect(foreignText('<p class="a">Az</p> &amp; https://a.example {name}')).toBe(
    '<p class="a">Ащ</p> &amp; https://a.example {name}',
  )
})
