import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { createFoldedTexts } from '../../src/search/search.ts'
import { itemDraft } from '../../src/syndication/feed-item.ts'
import { cleanHtml } from '../../src/text/html.ts'
import { itemTexts, textIn } from '../../src/syndication/item-search.ts'
import { itemSource } from './item-source.ts'

const oneSpace = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

const inWords = new Set(['a', 'b', 'em', 'span'])

function parsedText(html: string): string {
  let text = ''
  const separate = (element: string) => void (text += inWords.has(element) ? '' : ' ')
  const parser = new Parser({
    ontext: (part) => void (text += part),
    onopentagname: separate,
    onclosetag: separate,
  })
  parser.end(html)
  return text
}

test.for<[html: string, text: string]>([
  ['<p>One</p><p>two<br>three</p>', 'One two three'],
  ['la<b>dd</b>er <a href="/x?a=1&b=2">tru<em>ck</em></a>', 'ladder truck'],
  ['Q&amp;A &lt;b&gt; &amp;lt; &quot;é&quot; &nbsp;&#39;', 'Q&A <b> &lt; "é" \''],
  ['<img src="https://x.example/a.png" alt="a > b &quot;c&quot;">after<hr>', 'after'],
  ['<a title="x > y" href=\'/z">w\'>link</a> 3 < 4 > 2 &copy', 'link 3 < 4 > 2 ©'],
  ['<script>hidden</script><!-- <b> hidden --><td colspan="2">Cell<td>next', 'Cell next'],
  ['"AT&T"\n\n<3', '"AT&T" <3'],
])('finds the text in the sanitized HTML of %j, like a parser', ([html, text]) => {
  const sanitized = cleanHtml(html, 'https://cedarhollow.example')
  expect(oneSpace(textIn(sanitized))).toBe(text)
  expect(oneSpace(parsedText(sanitized))).toBe(text)
})

test('searches an item without creating its summary', () => {
  const draft = itemDraft({ id: 7 }, itemSource, {
    idPrefix: 'news',
    title: () => 'Fire',
    contents: () => ({
      summary: () => {
        throw new TypeError('summary created')
      },
      html: ['<p>On <b>Mill</b> Road</p>'],
      category: 'Incidents',
      author: 'Jordan',
    }),
  })
  const texts = itemTexts(createFoldedTexts(), itemSource)(draft)
  expect(texts).toEqual(['fire', 'incidents jordan', 'on mill road'])
  expect(() => draft.make().summary).toThrow('summary created')
})
