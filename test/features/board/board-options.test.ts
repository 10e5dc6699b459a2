import { expect, test } from 'vitest'
import { testSite } from '../../support/site.ts'
import { boardOptionsFor } from '../../../src/features/board/board-options.ts'
import { readOptions } from '../../../src/options/option.ts'
import { formatOf } from '../../../src/signage/board-language.ts'
import { exchange, requestText } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'

test.for([
  ['', ['news']],
  ['show=visits', ['visits']],
] as const)('shows a feed that must be named only if it is named: %s', ([query, show]) => {
  const feeds = [{ id: 'news' }, { id: 'visits', isNamedOnly: true }]
  const options = boardOptionsFor(feeds, testSite)
  const reading = readOptions(options, new URLSearchParams(query))
  expect(reading).toMatchObject({ ok: true, chosen: { values: { show } } })
})

test('limits the size of the cache of date formats', () => {
  const zones = Intl.supportedValuesOf('timeZone').slice(0, 300)
  const often = formatOf('en', { timeZone: 'UTC' })
  const [first = '', ...others] = zones
  const seldom = formatOf('en', { timeZone: first })
  for (const timeZone of others) {
    formatOf('en', { timeZone })
    expect(formatOf('en', { timeZone: 'UTC' })).toBe(often)
  }
  expect(formatOf('en', { timeZone: first })).not.toBe(seldom)
})

test('limits how many languages one client can request', async () => {
  await using service = await startTestService({ publicFeedIds: ['events'] })
  await service.readAll()
  const ask = async (lang: string) =>
    (await exchange(service.url, requestText(`/board?lang=${lang}`))).status
  const languages = 'de fr es it nl pl pt cs sk hu ro bg hr sl sr el tr sv da fi'.split(' ')
  for (const language of languages) expect([language, await ask(language)]).toEqual([language, 200])
  expect(await ask('nb')).toBe(429)
  expect(await ask('de-1996')).toBe(200)
  await service.clock.advance(60_000)
  expect(await ask('nb')).toBe(200)
})
