import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { startBehindHttps } from '../support/behind-https.ts'
import { resultOf, run } from '../support/command-line.ts'
import { startTestService } from '../support/service.ts'

const doctor = (...args: readonly string[]) => resultOf(run(tmpdir(), ['doctor', ...args]))

test('finds no faults in a service behind an https proxy', async () => {
  const { service, publicUrl } = await startBehindHttps()
  const link = await service.addLink({ profile: 'full' })
  for (const url of [`${publicUrl}/events.ics`, `${publicUrl}/`, `${link}calendar.ics`]) {
    const { code, stdout, stderr } = await doctor(url)
    expect(stdout).toContain(`${url}\nnote   connection   This address works only on this machine.`)
    expect(stdout).toMatch(/\nok {5}certificate {2}The certificate is trusted/)
    expect(stdout).not.toContain('FAULT')
    expect(stdout).toMatch(/\n\nNo faults found\. Apps can read this address\.\n$/)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
})

test('reports parameters without effect in the address', async () => {
  const { service, publicUrl } = await startBehindHttps()
  const link = await service.addLink({ feedIds: ['events'] })
  for (const base of [`${publicUrl}/`, link]) {
    const { code, stdout } = await doctor(`${base}events.ics?alram=30&foo=1&utm_source=x`)
    expect(code).toBe(0)
    expect(stdout).toContain(
      '\nnote   parameters   “alram” in the address has no effect. Did you mean “alarm”? “foo” in the address has no effect.\n',
    )
    expect((await doctor(`${base}events.ics?alarm=30&again=1`)).stdout).not.toContain('parameters')
  }
})

test('tests every feed of a subscribe page', async () => {
  const { service, publicUrl } = await startBehindHttps()
  const link = await service.addLink({ feedIds: ['rental', 'news'] })
  const { code, stdout } = await doctor(link)
  expect(code).toBe(0)
  expect(stdout).toContain('which names 4 feeds.')
  for (const file of ['rental.ics', 'news.rss', 'news.atom', 'news.json']) {
    expect(stdout).toContain(`\n${link}${file}\nok     content      The response is a complete `)
  }
  const { stdout: json } = await doctor(`${publicUrl}/`, '--json')
  const { url, ok, reports } = JSON.parse(json) as { url: string; ok: boolean; reports: unknown[] }
  expect({ url, ok }).toEqual({ url: `${publicUrl}/`, ok: true })
  expect(reports.length).toBeGreaterThan(5)
  expect(json.match(/\n/g)).toHaveLength(1)
})

test('reports a fault of the whole server only once, and exits with 1', async () => {
  const service = await startTestService({ publicFeedIds: ['rental', 'news'] })
  onTestFinished(() => service[Symbol.asyncDispose]())
  await service.readAll()
  await service.clock.advance(1_000)
  const { code, stdout } = await doctor(`${service.url}/`)
  expect(code).toBe(1)
  expect(stdout.match(/\nFAULT {2}https {8}The address is not encrypted/g)).toHaveLength(1)
  expect(stdout).toContain('\nok     content      The response is a complete RSS feed with ')
  expect(stdout).toMatch(
    /\n\n1 fault found\. Fix the FAULT lines above, then run doctor again\.\n$/,
  )
  const json = await doctor(`${service.url}/`, '--json')
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { ok: false }])
})

test('reads webcal: addresses as https, and ignores the fragment', async () => {
  const { publicUrl } = await startBehindHttps()
  const address = publicUrl.replace('https:', 'webcal:')
  const { code, stdout } = await doctor(`${address}/events.ics#top`)
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^${publicUrl}/events\\.ics\n`))
})
