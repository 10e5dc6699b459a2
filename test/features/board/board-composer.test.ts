import { expect, test } from 'vitest'
import { fewRecords } from '../../support/few-records.ts'
import { startTestService } from '../../support/service.ts'
import { sharedService } from '../../support/shared-service.ts'

const service = sharedService({ publicFeedIds: ['events', 'calendar', 'news'] })

const unescaped = (each: string | undefined) => each?.replaceAll('&amp;', '&')

async function composed(query = '', base = `${service().url}/`) {
  const response = await fetch(`${base}board/new${query}`)
  const text = await response.text()
  const [, address] = /id="board-address" value="([^"]+)"/.exec(text) ?? []
  const [, preview] = /<iframe class="[^"]*" src="([^"]+)"/.exec(text) ?? []
  const [, fault] = /role="alert">([^<]+)</.exec(text) ?? []
  const checked = [...text.matchAll(/name="(\w+)" value="(\w+)" checked/g)]
  return {
    status: response.status,
    headers: response.headers,
    text,
    address: unescaped(address),
    preview: unescaped(preview),
    fault,
    checked: checked.map(([, name, value]) => `${name}=${value}`),
  }
}

test('starts with a board of all public feeds', async () => {
  const { status, headers, address, preview, checked, text } = await composed()
  expect([status, address]).toEqual([200, `${service().url}/board`])
  expect(preview).toBe('../board?preview=1')
  expect(checked).toEqual(['show=calendar', 'show=events', 'show=news'])
  expect(text).toContain('name="duty" value="3"> Duty Crews')
  expect(text).not.toContain('value="rental"')
  expect(text).not.toContain('undefined')
  expect(headers.get('content-security-policy')).toContain("frame-src 'self'")
  expect(headers.get('content-security-policy')).toContain("script-src 'self'")
})

test.for([
  ['es', 'Nueva pantalla'],
  ['de', 'Neuer Bildschirm'],
  ['fr-CA', 'Nouvel écran'],
  ['en-GB', 'New screen'],
  ['pt', 'New screen'],
])('is written in the language of the board: %s', async ([lang, title]) => {
  const { status, text, address } = await composed(`?lang=${lang}`)
  expect([status, address]).toEqual([200, `${service().url}/board?lang=${lang}`])
  expect(text).toContain(`<h1 id="new-board-title">${title}</h1>`)
})

test('keeps the website’s language for a board without one', async () => {
  await using spanish = await startTestService({ sandbox: fewRecords, language: 'es-US' })
  const { text, address } = await composed('?lang=en-US', `${spanish.url}/`)
  expect(text).toContain('<h1 id="new-board-title">New screen</h1>')
  expect(address).toBe(`${spanish.url}/board?lang=en-US`)
  const { address: shortest } = await composed('?lang=es-US', `${spanish.url}/`)
  expect(shortest).toBe(`${spanish.url}/board`)
})

test.for([
  ['?submitted=1&show=news&distance=10', undefined],
  ['?submitted=1&show=news&distance=10&screen=portrait', undefined],
  ['?submitted=1&show=news&distance=5&inches=32', undefined],
  [
    '?submitted=1&show=news&distance=10&inches=32',
    'A screen of 32 inches is too small to be read from 10 meters. The text is as large as possible, and is readable from up to 5.9 meters (19 feet).',
  ],
] as const)('says if a screen is too small for its distance: %s', async ([query, warning]) => {
  const { text, address } = await composed(query)
  expect(address).toContain('/board?')
  expect(/A screen of [^<]+ \(\d+ feet\)\./.exec(text)?.[0]).toBe(warning)
})

test('offers the board as pictures, without the options that only screens have', async () => {
  const query = '?submitted=1&show=events&title=Hall&theme=auto&rotate=20&distance=5&qr=0&lang=de'
  const { text } = await composed(query)
  const urls = Array.from(text.matchAll(/<img class="picture" src="([^"]+)"/g), ([, url]) =>
    unescaped(url),
  )
  const kept = 'show=events&lang=de&title=Hall'
  expect(urls).toEqual([
    `${service().url}/board/800x480-2.png?${kept}`,
    `${service().url}/board/1280x800-full.png?${kept}`,
  ])
  for (const url of urls) {
    const { status, headers } = await fetch(url ?? '')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  }
})

test('capitalizes all choices', async () => {
  const { text } = await composed()
  const labels = Array.from(text.matchAll(/<option[^>]*>([^<]+)(?=<)/g), ([, label]) => label)
  expect(labels).toEqual(expect.arrayContaining(['Dark', 'Red', 'Not listed', 'Wide screen']))
  expect(labels.filter((label) => /^\p{Ll}/u.test(label ?? ''))).toEqual([])
})

test('builds the shortest URL from a form submitted without scripts', async () => {
  const fields = `submitted=1 show=calendar show=news calendar=4 calendar=1 duty=3 category=2
    title=Engine+%26+Rescue theme=light accent= distance=5 inches= future=14 screen=portrait nothing=x`
  const sent = `?${fields.split(/\s+/).join('&')}`
  const { address, preview, checked, text } = await composed(sent)
  const query =
    'show=calendar,news&theme=light&distance=5&duty=3&title=Engine%20%26%20Rescue&calendar=1,4&future=14&category=2'
  expect(address).toBe(`${service().url}/board?${query}`)
  expect(preview).toBe(`../board?${query}&preview=1`)
  expect(checked).toEqual(
    expect.arrayContaining(['show=calendar', 'show=news', 'calendar=1', 'calendar=4', 'duty=3']),
  )
  expect(checked).not.toContain('show=events')
  expect(text).toContain('value="Engine &amp; Rescue"')
  expect(text).toContain('<option value="light" selected>')
  expect(text).toContain('class="preview upright"')
  const board = await fetch(String(address))
  expect([board.status, await board.text()]).toEqual([200, expect.stringContaining('class="light')])
  // The form's URL can be edited further.
  expect((await composed(`?${query}`)).address).toBe(address)
})

test.for([
  ['submitted=1&theme=light', 'Choose at least one feed.'],
  ['show=rental', 'show must be one or more of calendar, events, news.'],
] as const)('explains %s, and offers no address', async ([query, sentence]) => {
  const { status, fault, address, preview } = await composed(`?${query}`)
  expect([status, fault, address, preview]).toEqual([400, sentence, undefined, undefined])
})

test('composes private boards below a feed link', async () => {
  const link = await service().addLink({ feedIds: ['rental'] })
  await fetch(`${link}rental.ics`)
  const query = '?submitted=1&show=rental&type=1'
  const { address, headers, text, checked } = await composed(query, link)
  expect([address, checked]).toEqual([`${link}board?type=1`, ['show=rental', 'type=1']])
  expect(headers.get('x-robots-tag')).toBe('noindex')
  expect(headers.get('cache-control')).toBe('private, no-cache')
  expect(text).toContain('This address is private')
})

test('filters a board by words and place, and counts the matching entries', async () => {
  const query = 'show=calendar,events&q=fish&place=social%20hall'
  const { address, text } = await composed(
    '?submitted=1&show=calendar&show=events&q=Fish&place=Social+Hall',
  )
  expect(address).toBe(`${service().url}/board?${query}`)
  expect(text).toMatch(/name="q" value="fish"[^]*name="place" value="social hall"/)
  expect(text).toContain('<option value="Social Hall">')
  const items = (await (await fetch(String(address).replace('?', '.json?'))).json()) as unknown[]
  expect(items.length).toBeGreaterThan(1)
  expect(text).toContain(`${items.length} upcoming entries match right now.`)
  expect(unescaped(text)).toContain(
    `href="../agenda?q=fish&place=social+hall&show=calendar,events"`,
  )
  expect((await composed('?submitted=1&show=news&place=hall')).text).not.toContain('right now')
})

test('explains a search with too many words', async () => {
  const { status, fault } = await composed('?submitted=1&show=events&q=a+b+c+d+e+f+g+h+i')
  expect([status, fault]).toEqual([400, expect.stringMatching(/^Enter at most 8 words/)])
})
