import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, requestText } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'

let service: Awaited<ReturnType<typeof startTestService>>

beforeAll(async () => {
  service = await startTestService()
  await service.readAll()
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const ask = (path: string, origin = service.url) => exchange(origin, requestText(path))

describe('/embed/', () => {
  test('serves a list that any page can embed', async () => {
    const { status, headers, body } = await ask('/embed/events?limit=3&theme=dark')
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toContain('frame-ancestors *')
    expect(headers).not.toHaveProperty('x-frame-options')
    const text = body.toString()
    expect(text.match(/<li>/g)).toHaveLength(3)
    expect(text).toContain('<html lang="en" class="dark">')
    const [, address = ''] = /<li><a href="([^"]+)"/.exec(text) ?? []
    expect((await fetch(address)).status).toBe(200)
  })

  test('names days the way people do', async () => {
    const text = (await ask('/embed/events?limit=3')).body.toString()
    const [first = '', ...others] = [...text.matchAll(/<span>([^·<]+)/g)].map(([, when]) => when)
    expect(first).toMatch(/^(?:until |Today, |Tomorrow, |\w{3} \w{3} \d)/)
    for (const when of [first, ...others]) expect(when).not.toMatch(/day, \w+ \d+, 20\d\d/)
    const year = new Date(service.clock.now()).getUTCFullYear()
    expect(text).not.toContain(`, ${year}`)
  })

  test('explains invalid options and private feeds', async () => {
    expect((await ask('/embed/events?limit=0')).status).toBe(400)
    await using part = await startTestService({ publicFeedIds: ['events'] })
    expect((await ask('/embed/calendar', part.url)).status).toBe(403)
    const link = await part.addLink({ expiresAt: part.clock.now() + 1000 })
    await fetch(`${link}calendar.ics`)
    const path = `${link.slice(part.url.length)}embed/calendar`
    expect((await ask(path, part.url)).status).toBe(200)
    await part.clock.leap(1000)
    expect((await ask(path, part.url)).status).toBe(404)
  })
})
