import { expect, test } from 'vitest'
import { openWebServerForFront } from '../../support/web-server.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const formats = { news: 'rss', events: 'ics' }

/** Longer than the interval between two reads of the website. */
const readingMs = 400_000

test.for(['news', 'events'] as const)(
  'the front forgets the page of a record in %s when the website no longer has the record',
  async (resource) => {
    const withdrawn = new Set<number>()
    const removed: string[] = []
    await using service = await startTestService({
      sandbox: {
        datasetOn(today) {
          const sample = sampleDatasetOn(today)
          return {
            ...sample,
            news: sample.news.filter(({ id }) => !withdrawn.has(id)),
            events: sample.events.filter(({ id }) => !withdrawn.has(id)),
          }
        },
      },
      async openServer(...options) {
        const server = await openWebServerForFront(...options)
        return {
          ...server,
          front: {
            ...server.front,
            remove: (_site: string, tags: readonly string[] = []) => void removed.push(...tags),
          },
        }
      },
    })
    await service.readAll()
    const list = await (await fetch(`${service.url}/${resource}.${formats[resource]}`)).text()
    const ids = [...list.matchAll(new RegExp(`/${resource}/(\\d+)`, 'g'))].map(([, id]) => id)
    const [first, second] = [...new Set(ids)]
    const paths = [first, second].map((id) => `/${resource}/${id}`)
    for (const path of paths) expect((await fetch(`${service.url}${path}`)).status).toBe(200)
    withdrawn.add(Number(first))
    await service.clock.advance(readingMs)
    await waitFor(() => expect(removed.join()).toContain(`page  ${paths[0]}`))
    expect(removed.join()).not.toContain(`page  ${paths[1]}`)
    expect((await fetch(`${service.url}${paths[0]}`)).status).toBe(410)
  },
)
