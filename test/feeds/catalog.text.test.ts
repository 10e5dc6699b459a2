import { parseAtomFeed, parseRssFeed } from 'feedsmith'
import nodeIcal from 'node-ical'
import { expect, test } from 'vitest'
import { mailBody } from '../../src/delivery/following/mail-body.ts'
import { newsItemsOf } from '../../src/feeds/feed.ts'
import { boardItemOf } from '../../src/feeds/news-feed.ts'
import { newsIn, renderContent } from '../../src/feeds/week-content.ts'
import { escapeHtml } from '../../src/text/html.ts'
import { asSentence } from '../../src/syndication/feed-item.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { collectionAfter, feedWith, renderFeed } from '../support/feed-text.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { testSite } from '../support/site.ts'
import { assertWellFormed } from '../support/well-formed.ts'

/* What every output shows of text as websites really send it. */

const now = Date.parse('2026-03-05T15:00:00Z')
const context = { site: testSite, profile: 'public', now } as const

const event = {
  id: 7,
  title: 'Drill',
  status: 2,
  location: 'Station 1',
  startDate: '2026-03-06',
  startTime: '19:00:00',
  endTime: '21:00:00',
}
const story = { id: 7, date: '2026-03-05 09:00:00', headline: 'Drill', deployed: 1 }
const announcement = { id: 7, headline: 'Drill', status: 2, created: '2026-03-05 09:00:00' }

async function outputsOf(text: string) {
  const events = await collectionAfter('events', [[{ ...event, text }]], now)
  const news = await collectionAfter('news', [[{ ...story, text }]], now)
  const announcements = await collectionAfter('announce', [[{ ...announcement, text }]], now)
  const ics = renderFeed('events', events, { now }).body
  expect(lintCalendar(ics)).toEqual([])
  const [rss, atom, json] = (['rss', 'atom', 'json'] as const).map(
    (format) => renderFeed('news', news, { now, format }).text,
  )
  assertWellFormed(rss ?? '')
  assertWellFormed(atom ?? '')
  const [rssItem] = parseRssFeed(rss ?? '').items ?? []
  const [atomEntry] = parseAtomFeed(atom ?? '').entries ?? []
  const [jsonItem] = (JSON.parse(json ?? '') as { items: Record<string, string>[] }).items
  const page = { id: 7, url: 'https://feeds.cedarhollow.example/7' }
  const eventPage = feedWith('events').page(events, page, context).page
  const storyPage = feedWith('news').page(news, page, context).page
  const [draft] = newsItemsOf(feedWith('announcements'), announcements, { ...context, values: {} })
  if (!draft) throw new TypeError('no announcement')
  const week = renderContent(
    {
      entries: [],
      changes: [],
      news: newsIn([{ feed: feedWith('announcements'), source: announcements }], context),
    },
    {
      site: testSite,
      from: '2026-03-05',
      days: 'Today',
      url: page.url,
      pageUrlOf: () => undefined,
    },
  )
  const message = {
    ...week,
    id: 'weekly',
    kind: 'weekly',
    language: 'en-US',
    url: page.url,
  } as const
  const urls = { confirm: page.url, manage: page.url, end: page.url }
  const mail = mailBody(message, urls, { site: testSite, postalAddress: undefined })
  return {
    calendar: readCalendar(ics.toString()).events[0]?.description,
    'event page': eventPage?.event?.description,
    'RSS summary': rssItem?.description,
    'Atom summary': atomEntry?.summary?.value,
    'JSON summary': jsonItem?.['summary'],
    'story preview': storyPage?.description,
    board: boardItemOf(feedWith('announcements'), draft.make(), testSite).text,
    mail: /<br>(.*)<\/li>/.exec(mail.html)?.[1],
    'mail text': /Drill\n {2}(.*)/.exec(mail.text)?.[1],
    'RSS content': rssItem?.content?.encoded,
    'Atom content': atomEntry?.content?.value,
    'JSON content': jsonItem?.['content_html'],
    'story page': storyPage?.contentHtml,
  }
}

type Expected = {
  /** Plain text with line breaks. */
  readonly description: string
  /** The same on one line, without links. */
  readonly summary: string
  readonly html: string
}

const shownIn = ({ description, summary, html }: Expected) => ({
  calendar: description,
  'event page': description,
  'RSS summary': /<|&[a-z]/.test(summary) ? escapeHtml(summary).replaceAll('&quot;', '"') : summary,
  'Atom summary': summary,
  'JSON summary': summary,
  'story preview': summary,
  board: asSentence(summary),
  mail: escapeHtml(asSentence(summary)),
  'mail text': asSentence(summary),
  'RSS content': html,
  'Atom content': html,
  'JSON content': html,
  'story page': html,
})

const wordHeader =
  `<!--[if gte mso 9]><xml>${'<w:LsdException Locked="false" Name="heading 1"/>'.repeat(300)}</xml><![endif]-->` +
  `<style>${'p.MsoNormal {margin:0in; font-size:11.0pt}\n'.repeat(300)}</style>`
const wordText =
  '<p class=MsoNormal style=\'margin-bottom:0in\'><b><span style="font-size:12.0pt;mso-bidi-font-family:&quot;Arial&quot;">Barn fire<o:p></o:p></span></b></p>' +
  '<p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>on Mill Road</p>'
const pastedPicture = `<img alt="" src="data:image/png;base64,${'iVBORw0KGgo'.repeat(30_000)}">`
const roster =
  '<table border=0 cellpadding=0><colgroup><col width=64></colgroup><tr height=20><td height=20>Date</td><td>Crew</td><td>Officer</td></tr>' +
  '<tr><td>Mar 6</td><td>A<br>B</td><td></td></tr><tr><td>Mar 7</td><td></td><td>Lee</td></tr></table>'
const link = (url: string) => `<a href="${url}" rel="noopener noreferrer nofollow">${url}</a>`
const siteUrl = testSite.url

test.for<[name: string, text: string, expected: Expected]>([
  [
    'characters of Windows-1252',
    'From 6\u00969 PM at the Chief\u0092s\u2028house',
    {
      description: 'From 6–9 PM at the Chief’s\nhouse',
      summary: 'From 6–9 PM at the Chief’s house',
      html: '<p>From 6–9 PM at the Chief’s<br />house</p>',
    },
  ],
  [
    'halves of an emoji',
    '<p>Fire &#55357;&#56960;&#x200b;</p>',
    { description: 'Fire 🚀', summary: 'Fire 🚀', html: '<p>Fire 🚀</p>' },
  ],
  [
    'words in angle brackets',
    'Pat Lee <pat@example.org> <https://example.org/r>\ntemp<freezing or wind>20 mph <TBD>',
    {
      description:
        'Pat Lee <pat@example.org> <https://example.org/r>\ntemp<freezing or wind>20 mph <TBD>',
      summary:
        'Pat Lee <pat@example.org> <https://example.org/r> temp<freezing or wind>20 mph <TBD>',
      html: '<p>Pat Lee &lt;pat@example.org&gt; &lt;https://example.org/r&gt;<br />temp&lt;freezing or wind&gt;20 mph &lt;TBD&gt;</p>',
    },
  ],
  [
    'lines with an entity and an element',
    'Bring gear &amp; water\n<b>No pets</b>',
    {
      description: 'Bring gear & water\nNo pets',
      summary: 'Bring gear & water No pets',
      html: 'Bring gear &amp; water<br /><b>No pets</b>',
    },
  ],
  [
    'text that is escaped twice',
    '&lt;p&gt;Rock &amp;amp; roll&lt;/p&gt;&lt;p&gt;7 PM&lt;/p&gt;',
    {
      description: 'Rock & roll\n\n7 PM',
      summary: 'Rock & roll 7 PM',
      html: '<p>Rock &amp; roll</p><p>7 PM</p>',
    },
  ],
  [
    'a roster from a spreadsheet',
    roster,
    {
      description: 'Date: Crew, Officer\nMar 6: A, B\nMar 7: –, Lee',
      summary: 'Date: Crew, Officer Mar 6: A, B Mar 7: –, Lee',
      html:
        '<table><tr><td>Date</td><td>Crew</td><td>Officer</td></tr>' +
        '<tr><td>Mar 6</td><td>A<br />B</td><td></td></tr><tr><td>Mar 7</td><td></td><td>Lee</td></tr></table>',
    },
  ],
  [
    'a list of terms',
    '<DL><DT>When<DD>7 PM<DT>Where<DD>Hall</DL>',
    {
      description: 'When: 7 PM\nWhere: Hall',
      summary: 'When: 7 PM Where: Hall',
      html: '<dl><dt>When</dt><dd>7 PM</dd><dt>Where</dt><dd>Hall</dd></dl>',
    },
  ],
  [
    'only a flyer',
    '<p><a href="/flyer.jpg"><img src="/small.jpg" alt="Fish fry, Friday 5 PM"></a></p>',
    {
      description: `Fish fry, Friday 5 PM ${siteUrl}/flyer.jpg`,
      summary: 'Fish fry, Friday 5 PM',
      html: `<p><a href="${siteUrl}/flyer.jpg" rel="noopener noreferrer nofollow"><img src="${siteUrl}/small.jpg" alt="Fish fry, Friday 5 PM" /></a></p>`,
    },
  ],
  [
    'markup of Word',
    `${wordHeader}${wordText}`,
    {
      description: 'Barn fire\n\non Mill Road',
      summary: 'Barn fire on Mill Road',
      html: '<p><b><span>Barn fire</span></b></p><p>\u00a0</p><p>on Mill Road</p>',
    },
  ],
  [
    'a pasted picture',
    `<p>Barn fire${pastedPicture}</p><p>on Mill Road</p>`,
    {
      description: 'Barn fire\n\non Mill Road',
      summary: 'Barn fire on Mill Road',
      html: '<p>Barn fire</p><p>on Mill Road</p>',
    },
  ],
  [
    'hidden text',
    '<div style="display:none">no</div><p>Barn fire<span hidden>no</span><template>no</template></p><noscript>no</noscript>',
    { description: 'Barn fire', summary: 'Barn fire', html: '<p>Barn fire</p>' },
  ],
  [
    'text that is struck out',
    '<p><s>Friday</s> Saturday <span style="text-decoration:line-through">6</span> 7 PM <strike>no</strike></p>',
    {
      description: 'Saturday 7 PM',
      summary: 'Saturday 7 PM',
      html: '<p><s>Friday</s> Saturday <span><s>6</s></span> 7 PM <s>no</s></p>',
    },
  ],
  [
    'a picture that is loaded late',
    '<p>Barn fire <img data-src="/a.jpg" src="data:image/gif;base64,x" alt="Barn"><noscript><img src="/a.jpg" alt="Barn"></noscript></p>',
    {
      description: 'Barn fire',
      summary: 'Barn fire',
      html: `<p>Barn fire <img src="${siteUrl}/a.jpg" alt="Barn" /></p>`,
    },
  ],
  [
    'a picture that cannot be shown',
    '<p><img src="http://a.example/a.jpg" alt="Map of Mill Road"> Barn fire</p>',
    {
      description: 'Barn fire',
      summary: 'Barn fire',
      html: '<p>Map of Mill Road Barn fire</p>',
    },
  ],
  [
    'a live stream',
    '<p>Watch us</p><iframe src="https://www.youtube.com/embed/live_stream?channel=UC1">no</iframe>',
    {
      description: 'Watch us\n\nhttps://www.youtube.com/channel/UC1/live',
      summary: 'Watch us',
      html: `<p>Watch us</p> ${link('https://www.youtube.com/channel/UC1/live')}`,
    },
  ],
  [
    'a recording whose file name has signs',
    '<p>Listen</p><audio controls src="/files/Call #2 100%.mp3">no</audio>',
    {
      description: `Listen\n\n${siteUrl}/files/Call%20%232%20100%25.mp3`,
      summary: 'Listen',
      html: `<p>Listen</p> ${link(`${siteUrl}/files/Call%20%232%20100%25.mp3`)}`,
    },
  ],
])('shows %s in every format', async ([, text, expected]) => {
  expect(await outputsOf(text)).toEqual(shownIn(expected))
})

test('shows an ellipsis where a summary is cut, after everything that is hidden', async () => {
  const outputs = await outputsOf(`${wordHeader}<p>${'Barn fire '.repeat(100)}</p>`)
  for (const name of ['RSS summary', 'Atom summary', 'JSON summary', 'story preview'] as const) {
    expect(outputs[name]).toMatch(/^(?:Barn fire ){39}Barn fire…$/)
  }
  expect(outputs.board).toMatch(/^(?:Barn fire ){39}Barn fire…$/)
  expect(outputs.calendar).toBe('Barn fire '.repeat(100).trim())
})

test('separates the lines of a place with commas', async () => {
  const place = 'Social Hall<br>12 Main St,<br />Rye'
  const expected = 'Social Hall, 12 Main St, Rye'
  const moved = { ...event, location: place }
  const events = await collectionAfter('events', [[event], [moved]], now)
  expect(readCalendar(renderFeed('events', events, { now }).text).events[0]?.location).toBe(
    expected,
  )
  const json = JSON.parse(renderFeed('events', events, { now, format: 'json' }).text) as {
    readonly items: readonly { readonly _event: { readonly place: string } }[]
  }
  expect(json.items[0]?._event.place).toBe(expected)
  const { page } = feedWith('events').page(events, { id: 7, url: '' }, context)
  expect(page?.event?.location).toBe(expected)
  expect(feedWith('events').overview(events, context).board[0]?.location).toBe(expected)
  expect(feedWith('events').changes?.(events, testSite)[0]?.text).toContain(expected)
})

test('writes descriptions that node-ical does not drop', async () => {
  const text = 'Bring\u2028gear\u2029and\u0085water\u000bor\u000cfood'
  const events = await collectionAfter('events', [[{ ...event, text }]], now)
  const parsed = nodeIcal.sync.parseICS(renderFeed('events', events, { now }).text)
  const found = Object.values(parsed).flatMap((each) => (each?.type === 'VEVENT' ? [each] : []))
  expect(found[0]?.description).toBe('Bring\ngear\nand\nwater\nor\nfood')
})

test('lists a front picture without a known type in RSS', async () => {
  const images = [
    { id: 1, url: '/image.cfm?id=54', front: 0 },
    { id: 2, url: '/image.cfm?id=55', front: 1, caption: 'Barn', width: 600, height: 400 },
  ]
  const news = await collectionAfter('news', [[{ ...story, images }]], now)
  const { text } = renderFeed('news', news, { now, format: 'rss' })
  assertWellFormed(text)
  expect(parseRssFeed(text).items?.[0]).toMatchObject({
    media: {
      contents: [{ url: `${siteUrl}/image.cfm?id=55`, medium: 'image', width: 600, height: 400 }],
    },
  })
  expect(text).not.toMatch(/<enclosure|type="image/)
})
