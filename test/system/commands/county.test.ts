import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ICAL from 'ical.js'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { outputUntil, runProcess } from '../../support/command-line.ts'
import { exchangeUrl } from '../../support/raw-http.ts'
import { settingsFor } from '../../support/sandbox.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The second worker has milbrook. */
const names = ['ashton', 'milbrook', 'cedar'] as const

/** Serves three departments with two workers, and writes their sites file. */
async function serveCounty() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const sites: Record<string, Record<string, unknown>> = {}
  for (const name of names) {
    const sandbox = await createSandbox()
    onTestFinished(() => sandbox[Symbol.asyncDispose]())
    sites[name] = {
      ...settingsFor(sandbox),
      SITE_NAME: name,
      ID_HOST: `www.${name}.example`,
      PUBLIC_URL: `https://${name}.example`,
      PUBLIC_FEEDS: 'events,news',
      COUNTY_LISTING: 'yes',
    }
  }
  const file = join(directory.path, 'sites.json')
  const write = (listed: object) => writeFileSync(file, JSON.stringify(listed))
  write(sites)
  const service = runProcess(directory.path, ['serve'], {
    SITES_FILE: 'sites.json',
    SITES_URL: 'https://county.example',
    COUNTY_NAME: 'Cedar County',
    MAKERS: '2',
    LOG_LEVEL: 'error',
  })
  const output = await outputUntil(service, /Stop with Ctrl\+C/)
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? ''
  const ask = (path: string) => exchangeUrl(`${url}${path}`, { Host: 'county.example' })
  const departments = async () => {
    const { status, body } = await ask('/county.ics')
    expect(status).toBe(200)
    const events = new ICAL.Component(ICAL.parse(body.toString())).getAllSubcomponents('vevent')
    const titles = events.map((event) => String(event.getFirstPropertyValue('summary')))
    return [...new Set(titles.map((title) => /\((\w+)\)$/.exec(title)?.[1] ?? ''))].sort()
  }
  return { service, sites, write, ask, departments }
}

const argsOf = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')

/** Returns the process of the second worker. */
function secondWorker(parent: number | undefined): number | undefined {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').match(/\d+/g)
  const found = children?.find((pid) => argsOf(pid).join(' ').includes(' worker 1'))
  return found === undefined ? undefined : Number(found)
}

test('combines the departments of two workers, one of which is killed', async () => {
  const { service, sites, write, ask, departments } = await serveCounty()
  await waitFor(async () => expect(await departments()).toEqual([...names].sort()))
  expect((await ask('/county')).body.toString()).toContain('3 departments')
  const feed = await ask('/county.rss')
  expect(feed.headers['etag']).toMatch(/^"/)
  expect(feed.body.toString()).toContain('(milbrook)')

  process.kill(secondWorker(service.pid) ?? NaN, 'SIGKILL')
  expect(await departments()).toEqual([...names].sort())

  write({ ...sites, milbrook: { ...sites['milbrook'], COUNTY_LISTING: 'no' } })
  await waitFor(async () => expect(await departments()).toEqual(['ashton', 'cedar']))
  expect((await ask('/county')).body.toString()).not.toContain('milbrook')
})
