import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { notFound } from '../../support/sandbox.ts'

const news = [
  { id: 1, date: '2026-01-01 00:00:00', headline: 'h', categoryId: 1, category: 'c' },
  { id: 2, date: '2026-01-02 23:59:59', headline: 'h', categoryId: 2, category: 'd', deployed: 1 },
  { id: 3, date: '2027-01-03 12:00:00', headline: 'h', categoryId: 1, category: 'c' },
]

test('returns all news stories, whether or not they are deployed', async () => {
  const { ids } = await startSandboxWith({ news })
  expect(await ids('news/')).toEqual([1, 2, 3])
})

test('filters by ID, by CategoryID, and by story date from StartDate to EndDate, inclusive', async () => {
  const { ids, bodyOf } = await startSandboxWith({ news })
  expect(await ids('news/?ID=3')).toEqual([3])
  expect(await bodyOf('news/?ID=4')).toEqual(notFound)
  expect(await ids('news/?CategoryID=1')).toEqual([1, 3])
  expect(await ids('news/?StartDate=2026-01-02&EndDate=2026-01-02')).toEqual([2])
  expect(await ids('news/?CategoryID=1&EndDate=2026-12-31')).toEqual([1])
})

test('turns a path on the website itself into an absolute URL', async () => {
  const image = { id: 1, url: '/files/a.jpg' }
  const elsewhere = { id: 2, url: '//cdn.example/a.jpg' }
  const embedCode = `<video poster='/files/a.jpg' src="/files/a.webm"></video><iframe src="//v.example/1">`
  const [story] = news
  const { bodyOf } = await startSandboxWith({
    news: [{ ...story, images: [image, elsewhere], videos: [{ id: 1, embedCode }] }],
  })
  const [{ images, videos }] = (await bodyOf('news/')).items
  expect(images[0].url).toMatch(/^https:\/\/localhost:\d+\/files\/a\.jpg$/)
  expect(images[1].url).toBe('//cdn.example/a.jpg')
  expect(videos[0].embedCode.replaceAll(/localhost:\d+/g, 'HOST')).toBe(
    `<video poster='https://HOST/files/a.jpg' src="https://HOST/files/a.webm"></video><iframe src="//v.example/1">`,
  )
})
