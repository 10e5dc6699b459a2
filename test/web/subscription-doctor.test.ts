import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { feeds } from '../../src/feeds/catalog.ts'
import { pageMessages } from '../../src/web/messages.ts'
import { appRefreshesFrom, createOwnAddressCheck } from '../../src/web/subscription-doctor.ts'
import { linkApps, type LinkApp } from '../../src/links/link-use.ts'
import { languages } from '../../src/records/messages.ts'
import { startBehindHttps } from '../support/behind-https.ts'
import { createAdmin, testPassword } from '../support/admin.ts'
import { fewRecords } from '../support/few-records.ts'
import { startHttpServer } from '../support/http-server.ts'
import { startTestService } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const hourMs = 60 * 60_000

/** Pages are rendered again after this time. */
const pageMs = 31_000
const google = { 'User-Agent': 'Google-Calendar-Importer' }
const textOf = async (url: string) => (await fetch(url)).text()

test('shows on the link’s page which apps refreshed it, and when they are due again', async () => {
  await using service = await startTestService({ sandbox: fewRecords })
  await service.readAll()
  const link = await service.addLink({ profile: 'full' })
  expect(await textOf(`${link}feeds`)).toContain('No app has used this link yet.')
  await fetch(`${link}rental.ics`, { headers: google })
  await service.clock.leap(pageMs)
  const page = await textOf(`${link}feeds`)
  expect(page).toContain('<strong>Google Calendar</strong>')
  expect(page).toMatch(/Next refresh expected between \w+ \d+, [\d:]+ [AP]M and /)
  expect(page).not.toContain('class="late"')
  expect(page).toContain('the address can be reached from the internet')
  await service.clock.leap(40 * hourMs)
  const late = await textOf(`${link}feeds`)
  expect(late).toContain('<span class="late">Late</span>')
  expect(late).not.toContain('the address can be reached from the internet')
  expect(late).toMatch(/<details open><summary>If changes are missing/)
  expect(await textOf(`${service.url}/`)).not.toContain('id="doctor"')
})

test('shows the same for each link on the admin page', async () => {
  await using service = await startTestService({
    sandbox: fewRecords,
    environment: { ADMIN_PASSWORD: testPassword },
  })
  await service.readAll()
  const link = await service.addLink({ label: 'Capt. Reyes' })
  await fetch(`${link}events.ics`, { headers: google })
  const admin = createAdmin(service.url)
  const { cookie } = await admin.signIn()
  const { text } = await admin.visit('/admin', { cookie })
  expect(text).toContain('<strong>Google</strong> · Today')
  const [, path = ''] = /href="(\/admin\/links\/[a-z2-7]{8})"/.exec(text) ?? []
  expect((await admin.visit(path, { cookie })).text).toContain('Google Calendar')
  await service.clock.leap(40 * hourMs)
  const again = await admin.signIn()
  const later = await admin.visit('/admin', { cookie: again.cookie })
  expect(later.text).toContain('<span class="tag bad">late</span>')
  const page = await admin.visit(path, { cookie: again.cookie })
  expect(page.text).toContain('<span class="late">Late</span>')
})

test('checks the link’s own address on request, without counting as a use', async () => {
  const { service, publicUrl } = await startBehindHttps({
    environment: { ADMIN_PASSWORD: testPassword },
  })
  const link = await service.addLink({ feedIds: ['events', 'news'] })
  expect(await textOf(`${link}feeds`)).toContain('<button>Check the address</button>')
  const page = await textOf(`${link}feeds?check=1`)
  expect(page).toContain('Apps can read this address.')
  expect(page).toMatch(/<strong class="ok">OK<\/strong> <span>The certificate is trusted/)
  expect(page).toContain('<button>Check again</button>')
  expect(page).not.toContain('Problem')
  expect(page).toContain('No app has used this link yet.')
  const admin = createAdmin(publicUrl)
  const { cookie } = await admin.signIn()
  const { text } = await admin.visit('/admin/address', { cookie })
  expect(text).toContain('Apps can read this address.')
})

test('explains faults once, and repeats the check at most once a minute', async () => {
  const requests = { count: 0 }
  const { service } = await startBehindHttps({
    change(headers) {
      requests.count += 1
      const type = String(headers['content-type']).replace('application/rss+xml', 'text/plain')
      return { ...headers, etag: undefined, 'content-type': type }
    },
  })
  const link = await service.addLink({ feedIds: ['events', 'news'] })
  const page = await textOf(`${link}feeds?check=1`)
  expect(page).toContain('Some apps cannot read this address.')
  expect(page.match(/ETag is missing/g)).toHaveLength(1)
  expect(page).toContain('<span>News: The content type is text/plain instead of application/rss')
  const { count } = requests
  expect(await textOf(`${link}feeds?check=1`)).toContain('ETag is missing')
  expect(requests.count).toBe(count + 1)
  await service.clock.leap(61_000)
  await textOf(`${link}feeds?check=1`)
  expect(requests.count).toBeGreaterThan(count + 2)
})

const now = Date.parse('2026-03-05T17:00:00Z')
const timeZone = 'America/New_York'

function shownFor(app: LinkApp, ...hoursAgo: readonly number[]) {
  const refreshes = hoursAgo.map((hours) => now - hours * hourMs)
  const use = { app, at: Math.max(...refreshes), refreshes, days: [] }
  return appRefreshesFrom([use], { now, timeZone, language: 'en-US' })[0]
}

test.for<{
  name: string
  app?: LinkApp
  hoursAgo: readonly number[]
  last?: string
  next: string
  habit?: string
}>([
  {
    name: 'an app that has just been added',
    hoursAgo: [1],
    last: 'Last refreshed March 5, 11:00 AM.',
    next: 'Next refresh expected between March 5, 7:00 PM and March 6, 11:00 AM.',
    habit: 'It refreshes every 8 to 24 hours, which cannot be changed.',
  },
  {
    name: 'an app that refreshes again on the same day',
    app: 'reader',
    hoursAgo: [0],
    next: 'Next refresh expected between March 5, 12:15 PM and 1:00 PM.',
    habit: 'It refreshes every 15 to 60 minutes.',
  },
  {
    name: 'an app that may refresh at any moment',
    hoursAgo: [9],
    next: 'Next refresh expected by March 6, 3:00 AM.',
  },
  {
    name: 'an app that refreshes regularly',
    hoursAgo: [25, 13, 1],
    next: 'Next refresh expected around March 5, 11:00 PM.',
    habit: 'It usually refreshes about every 12 hours.',
  },
  {
    name: 'an app that refreshes every half hour',
    app: 'Thunderbird',
    hoursAgo: [1.5, 1, 0.5, 0],
    next: 'Next refresh expected around March 5, 12:30 PM.',
    habit: 'It usually refreshes about every 30 minutes.',
  },
  {
    name: 'an app that refreshes every 80 minutes',
    hoursAgo: [4, 8 / 3, 4 / 3, 0],
    next: 'Next refresh expected around March 5, 1:20 PM.',
    habit: 'It usually refreshes about every 80 minutes.',
  },
  {
    name: 'an app with a normal delay',
    hoursAgo: [30],
    next: 'The next refresh was expected by March 5, 6:00 AM; such a delay is still normal.',
  },
  {
    name: 'an app that is late',
    hoursAgo: [48],
    next: 'The next refresh was expected by March 4, 12:00 PM, so it is late.',
  },
  {
    name: 'an app that has stopped',
    hoursAgo: [80 * 24],
    last: 'Last refreshed December 15, 2025, 12:00 PM.',
    next: 'It has stopped refreshing, probably because the subscription was removed from the app.',
  },
  {
    name: 'a browser',
    app: 'other',
    hoursAgo: [5, 2],
    last: 'Last used March 5, 10:00 AM.',
    next: '',
    habit: '',
  },
])('describes $name', ({ app = 'Google', hoursAgo, last, next, habit }) => {
  const shown = shownFor(app, ...hoursAgo)
  expect({ ...shown, last: last ?? shown?.last, habit: habit ?? shown?.habit, next }).toEqual(shown)
})

test.for([
  ['es-US', 'Se actualiza cada 8 a 24 horas', 'Está atrasada', 'Otros calendarios + › Desde URL'],
  ['fr-CA', 'toutes les 8 à 24 heures', 'en retard', 'Autres agendas + › À partir de l’URL'],
  ['de-DE', 'alle 8 bis 24 Stunden', 'überfällig', 'Weitere Kalender + › Per URL'],
] as const)('describes an app in %s', ([language, habit, next, step]) => {
  const at = now - 48 * hourMs
  const use = { app: 'Google', at, refreshes: [at], days: [] } as const
  const [shown] = appRefreshesFrom([use], { now, timeZone, language })
  expect(shown?.habit).toContain(habit)
  expect(shown?.next).toContain(next)
  expect(shown?.steps.join(' ')).toContain(step)
})

test.for(languages)('explains how to refresh each app in %s', (language) => {
  for (const app of linkApps.filter((each) => each !== 'other')) {
    const { steps, habit } = pageMessages(language).doctor.apps[app]
    expect(steps.length).toBeGreaterThan(0)
    expect([habit, ...steps].filter((text) => !/^\p{Lu}.*\.$/u.test(text))).toEqual([])
  }
})

test('offers the steps for the app', () => {
  expect(shownFor('Google', 48)?.steps.join()).toContain('calendar.google.com')
  expect(shownFor('Apple', 48)?.steps.join()).toContain('Fetch New Data')
})

const stopped = { now: () => 0 }
const options = { userAgent: 'test', language: 'en-US' }

test('rejects addresses that do not belong to the service', async () => {
  const check = createOwnAddressCheck('https://feeds.example.org/crew', stopped)
  for (const base of [
    'https://elsewhere.example',
    'https://feeds.example.org/crews',
    'https://feeds.example.org.elsewhere.example/crew',
    'https://feeds.example.org',
  ]) {
    await expect(check(base, feeds, options)).rejects.toThrow('not an address of this service')
  }
})

test('limits the number of checks, and shares one among requests for the same address', async () => {
  const requested: IncomingMessage[] = []
  let isSilent = true
  const url = await startHttpServer((request) => {
    if (isSilent) requested.push(request)
    else request.destroy()
  })
  const check = createOwnAddressCheck(url, stopped)
  const waiting = Array.from({ length: 12 }, (_, index) =>
    check(`${url}/l/${index}`, feeds, options),
  )
  const same = check(`${url}/l/0`, feeds, options)
  expect(await check(`${url}/l/another`, feeds, options)).toBeUndefined()
  await waitFor(() => expect(requested).toHaveLength(2))
  isSilent = false
  for (const request of requested) request.destroy()
  const reports = await Promise.all(waiting)
  expect(reports.map((report) => report?.ok)).toEqual(Array.from({ length: 12 }, () => false))
  expect(await same).toBe(reports[0])
  // The other feeds of an unreachable server are not tried.
  expect(reports.map((report) => report?.findings.length)).toEqual(reports.map(() => 1))
})
