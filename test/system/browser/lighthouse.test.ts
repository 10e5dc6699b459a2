import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumIsMissing } from '../../support/browser.ts'
import { sharedService } from '../../support/shared-service.ts'
import { installMs, startLighthouse } from '../lighthouse/start-lighthouse.ts'

/** Minimum score, where 1 is the best. */
const minScore = 0.99

describe.skipIf(chromiumIsMissing)('Lighthouse', { timeout: 120_000 }, () => {
  let browser: Awaited<ReturnType<typeof startLighthouse>>
  const service = sharedService()

  beforeAll(async () => {
    browser = await startLighthouse()
  }, installMs)

  afterAll(() => browser[Symbol.asyncDispose]())

  const firstItemOf = async (feed: string): Promise<string> => {
    const list = await (await fetch(`${service().url}/${feed}.json`)).text()
    return JSON.parse(list).items[0].url
  }

  test.for([
    ['home page', async () => `${service().url}/`],
    ['page of an event', () => firstItemOf('events')],
    ['list of news', async () => `${service().url}/news`],
    ['page of a story', () => firstItemOf('news')],
  ] as const)('finds almost no fault with the %s', async ([, urlOf]) => {
    const url = await urlOf()
    const { categories, audits } = await browser.audit(url, [
      'accessibility',
      'best-practices',
      'seo',
    ])
    const faults = Object.values(audits).filter(({ score }) => score !== null && score < 1)
    const message = faults.map(({ id, explanation = '' }) => `${id} ${explanation}`).join(', ')
    for (const { id, score } of Object.values(categories)) {
      expect(score, `${id}: ${message}`).toBeGreaterThanOrEqual(minScore)
    }
    expect(Object.keys(categories)).toHaveLength(3)
  })
})
