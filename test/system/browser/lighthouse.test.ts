import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumIsMissing } from '../../support/browser.ts'
import { sharedService } from '../../support/shared-service.ts'
import { installMs } from '../../support/locked-packages.ts'
import { startLighthouse } from '../lighthouse/start-lighthouse.ts'

const forEveryone = ['accessibility', 'best-practices', 'seo'] as const
/** Search engines must not list the pages of links. */
const forPeople = ['accessibility', 'best-practices'] as const

describe.skipIf(chromiumIsMissing)('Lighthouse', () => {
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
    ['home page', async () => `${service().url}/`, forEveryone],
    ['page of an event', () => firstItemOf('events'), forEveryone],
    ['list of news', async () => `${service().url}/news`, forEveryone],
    ['page of a story', () => firstItemOf('news'), forEveryone],
    ['page of a link', () => service().addLink({}), forPeople],
  ] as const)('finds no fault with the %s', async ([, urlOf, names]) => {
    const url = await urlOf()
    const { categories, audits } = await browser.audit(url, names)
    const faults = Object.values(audits).filter(({ score }) => score !== null && score < 1)
    const message = faults.map(({ id, explanation = '' }) => `${id} ${explanation}`).join(', ')
    for (const { id, score } of Object.values(categories)) {
      expect(score, `${id}: ${message}`).toBe(1)
    }
    expect(Object.keys(categories)).toEqual([...names])
  })
})
