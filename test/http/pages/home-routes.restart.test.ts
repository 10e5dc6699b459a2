import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command, site } from '../../support/backups.ts'
import { exchangeUrl as ask } from '../../support/raw-http.ts'
import { readCalendar } from '../../support/read-calendar.ts'
import { startTestService, testDirectory } from '../../support/service.ts'

/** Starts the service with the store in a directory that commands also use. */
function startIn(directory: string) {
  mkdirSync(join(directory, 'data'), { recursive: true })
  return startTestService({
    publicFeedIds: ['events'],
    storeFileIn: () => join(directory, 'data', `${site}.sqlite`),
  })
}

async function shownAt(url: string) {
  const { status, body } = await ask(url)
  expect(status).toBe(200)
  const { events } = readCalendar(body.toString())
  return {
    resources: [...new Set(events.map(({ uid }) => uid.split('-')[0]))],
    leads: [...new Set(events.flatMap(({ alarmLeadSeconds }) => alarmLeadSeconds))],
  }
}

test('keeps a saved choice after a restart, and after a restore from a backup', async () => {
  const chosen = { resources: ['rental'], leads: [3600] }
  const [directory, restored] = [testDirectory(), testDirectory()]
  const backup = join(directory, 'backup.gz')
  let path: string
  {
    await using service = await startIn(directory)
    const link = await service.addLink({ feedIds: ['calendar', 'rental', 'news'] })
    path = new URL(link).pathname
    expect((await shownAt(`${link}my.ics`)).resources).toContain('calendar')
    const body = new URLSearchParams('calendar.feed=rental&calendar.alarm=60&news.feed=news')
    const headers = { origin: new URL(link).origin }
    const saved = await fetch(link, { method: 'POST', body, headers, redirect: 'manual' })
    expect(saved.status).toBe(303)
    expect(await shownAt(`${link}my.ics`)).toEqual(chosen)
  }
  {
    await using service = await startIn(directory)
    expect(await shownAt(`${service.url}${path}my.ics`)).toEqual(chosen)
  }
  expect(await command(directory, ['backup', backup])).toMatchObject({ code: 0 })
  expect(await command(restored, ['restore', backup])).toMatchObject({ code: 0 })
  await using service = await startIn(restored)
  expect(await shownAt(`${service.url}${path}my.ics`)).toEqual(chosen)
  expect((await ask(`${service.url}${path}feeds`)).body.toString()).toMatch(
    /name="calendar.feed" value="rental" checked/,
  )
})
