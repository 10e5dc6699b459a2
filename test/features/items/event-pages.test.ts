import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { sampleEvent } from '../../support/sample-event.ts'
import { sharedPages } from '../../support/shared-service.ts'

const sample = sampleDatasetOn('2026-03-05')
const fry = sampleEvent(7, '2026-03-06T17:00:00', '2026-03-06T20:00:00', {
  title: 'Fish "fry" & friends 🎉',
  location: 'Social Hall, 14 Mill Road',
})
const [news] = sample.news
if (!news) throw new TypeError('an empty sample')
const fire = { ...news, id: 5, date: '2026-03-01 10:00:00', deployed: 1 as const }
const { service, get } = sharedPages(
  {
    ...sample,
    events: [fry],
    news: [
      { ...fire, address: '12 Mill Road' },
      { ...fire, id: 6, address: 'near the bridge' },
    ],
  },
  { identity: { place: 'Cedar Hollow, NY', color: '#1f5fbf' } },
)

async function pictureAt(path: string) {
  const response = await fetch(`${service().url}/${path}`)
  const { width, height, data } = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
  const type = response.headers.get('content-type')
  return {
    type,
    width,
    height,
    code: jsQR.default(new Uint8ClampedArray(data), width, height)?.data,
  }
}

test('draws a square picture with a QR code of the event', async () => {
  expect(await pictureAt('events/7.png')).toEqual({
    type: 'image/png',
    width: 1080,
    height: 1080,
    code: `${service().url}/events/7`,
  })
})

test('shows the event in link previews', async () => {
  const { text } = await get('events/7')
  const url = `${service().url}/events/7-card.png`
  expect(text).toContain(`<meta property="og:image" content="${url}">`)
  expect(text).toContain(`"image":["${url}"]`)
  expect(await pictureAt('events/7-card.png')).toMatchObject({ width: 1200, height: 630 })
})

test('has a flyer with the QR code, the date and the place', async () => {
  const { status, text } = await get('events/7/flyer?lang=de')
  expect(status).toBe(200)
  expect(text).toContain('Freitag, 6. März 2026')
  expect(text).toContain('Social Hall, 14 Mill Road')
  expect(text).toContain(`QR-Code`)
  expect(text).toContain('href="../7.png?lang=de" download')
  expect((await get('events/7')).text).toContain('href="7/flyer"')
})

test('has no pictures and flyers of private pages or unknown events', async () => {
  const link = await service().addLink({ feedIds: ['events'] })
  for (const path of ['events/7.png', 'events/7-card.png', 'events/7/flyer']) {
    expect([path, (await get(path, link)).status]).toEqual([path, 404])
    const unknown = path.replace('7', '99')
    expect([unknown, (await get(unknown)).status]).toEqual([unknown, 404])
  }
  expect((await get('events/7', link)).text).not.toMatch(/flyer|wa\.me/)
})

test('shares events and stories with plain links', async () => {
  for (const path of ['events/7', 'news/5']) {
    const { text } = await get(path)
    const url = encodeURIComponent(`${service().url}/${path}`)
    expect(text).toMatch(new RegExp(`href="https://wa\\.me/\\?text=[^"]*${url}"`))
    expect(text).toMatch(new RegExp(`href="sms:\\?&amp;body=[^"]*${url}"`))
    expect(text).toContain(`href="https://www.facebook.com/sharer/sharer.php?u=${url}"`)
  }
})

test('shows the address of a story on a map', async () => {
  const query = 'query=12%20Mill%20Road%2C%20Cedar%20Hollow%2C%20NY"'
  expect((await get('news/5')).text).toContain(query)
  expect((await get('news/6')).text).not.toContain('google.com/maps')
})
