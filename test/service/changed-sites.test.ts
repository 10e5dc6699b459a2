import { expect, test } from 'vitest'
import { silentServer } from '../support/local-server.ts'
import { startTestHosting } from '../support/hosting.ts'
import { testPassword } from '../support/admin.ts'
import { waitFor } from '../support/wait-for.ts'

const ashton = { publicUrl: 'https://ashton.example' }
const milbrook = { publicUrl: 'https://shared.example/milbrook' }
const cedar = { publicUrl: 'https://shared.example/cedar' }

type Hosting = Awaited<ReturnType<typeof startTestHosting>>

const budgetOf = async ({ ask }: Hosting, publicUrl: string) =>
  JSON.parse((await ask(`${publicUrl}/status`)).text).budget.day.used

const namesIn = async ({ ask, hosting }: Hosting) =>
  JSON.parse((await ask(`${hosting.url}/status`)).text).sites.map(
    ({ name }: { readonly name: string }) => name,
  )

test('serves a site that is added, and no longer one that is removed', async () => {
  const hosted = await startTestHosting({ ashton, milbrook })
  const { ask, changeSites } = hosted
  const before = await ask(`${ashton.publicUrl}/events.ics`)
  await ask(`${milbrook.publicUrl}/events.ics`)
  const used = await budgetOf(hosted, ashton.publicUrl)
  expect((await ask(`${cedar.publicUrl}/events.ics`)).status).toBe(404)

  await changeSites({ cedar, ashton })
  await waitFor(async () => expect((await ask(`${cedar.publicUrl}/events.ics`)).status).toBe(200))
  const gone = await ask(`${milbrook.publicUrl}/events.ics`)
  expect([gone.status, gone.text]).toEqual([404, 'No site at this address.\n'])
  expect(await namesIn(hosted)).toEqual(['cedar', 'ashton'])
  const metrics = await ask(`${hosted.hosting.url}/metrics`)
  expect(metrics.text).toContain('site="cedar"')
  expect(metrics.text).not.toContain('site="milbrook"')
  // The other site has not been read again.
  const after = await ask(`${ashton.publicUrl}/events.ics`)
  expect(after.headers['last-modified']).toBe(before.headers['last-modified'])
  expect(await budgetOf(hosted, ashton.publicUrl)).toBe(used)

  await changeSites({ ashton, milbrook, cedar })
  await waitFor(async () =>
    expect((await ask(`${milbrook.publicUrl}/events.ics`)).status).toBe(200),
  )
})

test('replaces a site whose settings have changed, without reading its website again', async () => {
  const hosted = await startTestHosting({ ashton, milbrook })
  const { ask, changeSites, lines } = hosted
  await ask(`${ashton.publicUrl}/events.ics`)
  await ask(`${milbrook.publicUrl}/events.ics`)
  const used = await budgetOf(hosted, milbrook.publicUrl)
  expect((await ask(`${milbrook.publicUrl}/admin`)).status).toBe(404)

  const environment = { PUBLIC_FEEDS: 'events', ADMIN_PASSWORD: testPassword }
  await changeSites({ ashton, milbrook: { ...milbrook, environment } })
  await waitFor(async () => expect((await ask(`${milbrook.publicUrl}/admin`)).status).toBe(200))
  expect((await ask(`${milbrook.publicUrl}/events.ics`)).status).toBe(200)
  const news = await ask(`${milbrook.publicUrl}/news.rss`)
  expect(news.text).toContain('This feed is no longer public')
  expect(await budgetOf(hosted, milbrook.publicUrl)).toBe(used)
  const changed = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /settings/.test(msg))
  expect(changed).toMatchObject([{ site: 'milbrook', msg: 'settings changed' }])
})

test('serves a site at its new URL only', async () => {
  const { ask, changeSites } = await startTestHosting({ ashton, milbrook })
  await ask(`${milbrook.publicUrl}/events.ics`)
  await changeSites({ ashton, milbrook: cedar })
  await waitFor(async () => expect((await ask(`${cedar.publicUrl}/events.ics`)).status).toBe(200))
  expect((await ask(`${milbrook.publicUrl}/events.ics`)).status).toBe(404)
})

/** Serves a site whose website does not respond, and requests a feed that waits for it. */
async function waitingRequest() {
  const { siteUrl, connected } = await silentServer()
  const hosted = await startTestHosting({ ashton, milbrook: { ...milbrook, siteUrl } })
  const waiting = hosted.ask(`${milbrook.publicUrl}/events.ics`)
  await connected
  return { ...hosted, waiting, next: () => hosted.ask(`${milbrook.publicUrl}/events.ics`) }
}

test('answers the requests that wait for a website when its site is removed', async () => {
  const { changeSites, waiting, next } = await waitingRequest()
  await changeSites({ ashton })
  expect((await waiting).status).toBe(503)
  expect((await next()).status).toBe(404)
})
