import { expect, test } from 'vitest'
import { createManager } from '../../support/manager.ts'
import { startSandbox } from '../../support/sandbox.ts'

/* "Every call, including failures, is logged for 90 days and shown on the project's statistics page". */

/** Returns the cells of a statistics table, row by row. */
function rowsOf(html: string, caption: string): readonly (readonly string[])[] {
  const table = new RegExp(`<caption>${caption}</caption>(.*?)</table>`, 's').exec(html)?.[1] ?? ''
  return [...table.matchAll(/<tr>(?:(?!<\/tr>).)*<\/tr>/gs)]
    .slice(1)
    .map(([row]) =>
      [...row.matchAll(/<t[hd][^>]*>([^<]*)</g)].map(([, cell = '']) => cell).filter(Boolean),
    )
}

async function startWithManager(options: Parameters<typeof startSandbox>[0] = {}) {
  const started = await startSandbox(options)
  const manager = await createManager(started.sandbox)
  const statistics = async () => {
    const { visit } = await createManager(started.sandbox)
    return (await visit('/manage/api/1/statistics/')).html
  }
  return { ...started, manager, statistics }
}

test('counts calls made with a project’s token by day, endpoint and code', async () => {
  const { get, refresh, call, clock, statistics, refreshToken } = await startWithManager()
  await get('/apps/api/news/')
  await get('/apps/api/news/?ID=x')
  await get('/apps/api/nothing/')
  await call('POST', '/apps/api/news/', `Bearer ${refreshToken}`)
  await call('GET', '/apps/api/news/', `Bearer ${refreshToken}`)
  // The first call is after midnight only in UTC. The second call is after midnight in the site's
  // time zone as well.
  await clock.advance(13 * 3_600_000)
  await refresh()
  await clock.advance(3_600_000)
  await refresh()
  const html = await statistics()
  const table = (caption: string) => rowsOf(html, caption).map((cells) => cells.join(' '))
  expect(table('By day')).toEqual(['2026-03-06 1 0', '2026-03-05 7 4'])
  expect(table('By endpoint')).toEqual(['news 4 3', 'refresh 3 0', 'unknown path 1 1'])
  expect(table('By code')).toEqual([
    'success 4 0',
    'invalid_parameter 1 1',
    'method_not_allowed 1 1',
    'refresh_token_supplied 1 1',
    'unknown_endpoint 1 1',
  ])
  const [latest] = rowsOf(html, 'Latest calls')
  expect(latest?.join(' ')).toBe('2026-03-06 00:00:00 refresh 200 success 127.0.0.1')
  expect(html).toContain('8 calls in the last 90 days, 4 of them failed')
})

test('includes calls that were rejected because of the project or because they used plain HTTP', async () => {
  const { sandbox, get, manager, statistics, refreshToken } = await startWithManager({
    callsPerMinute: 1,
  })
  await get('/apps/api/news/')
  await manager.setProject(1, { ips: ['127.0.0.9'] })
  await get('/apps/api/news/')
  await manager.setProject(1, { endpoints: ['events'] })
  await get('/apps/api/news/')
  await manager.setProject(1, { status: 'Disabled' })
  await get('/apps/api/news/')
  await fetch(`${sandbox.httpUrl}/`, { headers: { authorization: `Bearer ${refreshToken}` } })
  const codes = rowsOf(await statistics(), 'By code').map(([code]) => code)
  expect(codes.join(' ')).toBe(
    'success endpoint_not_allowed https_required ip_not_allowed project_disabled rate_limited',
  )
})

test('shows calls made without a project’s token on a separate page', async () => {
  const { call, send, manager, statistics } = await startWithManager()
  await call('GET', '/apps/api/news/')
  await call('GET', '/apps/api/news/', 'Bearer wrong')
  await call('GET', '/apps/api/news/', 'Bearer wrong')
  await send('GET nothing\r\n\r\n')
  expect((await manager.visit('/manage/api/')).html).toContain(
    'href="/manage/api/none/statistics/"',
  )
  const { html } = await manager.visit('/manage/api/none/statistics/')
  expect(rowsOf(html, 'By code')).toEqual([
    ['token_invalid', '2', '2'],
    ['invalid_parameter', '1', '1'],
    ['token_missing', '1', '1'],
  ])
  expect(rowsOf(html, 'Latest calls')[0]?.at(-1)).toBe('127.0.0.1')
  expect(await statistics()).toContain('0 calls in the last 90 days')
})

test('attributes calls with a revoked token to its project', async () => {
  const { get, refresh, manager, statistics } = await startWithManager()
  await get('/apps/api/news/')
  await manager.regenerate(1)
  await get('/apps/api/news/')
  await refresh()
  expect(rowsOf(await statistics(), 'By code')).toEqual([
    ['success', '2', '0'],
    ['token_invalid', '2', '2'],
  ])
})

test('shows how much of both throttle limits is used', async () => {
  const { get, clock, statistics } = await startWithManager()
  await get('/apps/api/news/')
  await clock.advance(60_000)
  await get('/apps/api/news/')
  const html = await statistics()
  expect(html).toMatch(/last minute<\/dt><dd><strong>1<\/strong> of 30 </)
  expect(html).toMatch(/last day<\/dt><dd><strong>3<\/strong> of 5000 </)
})

test('keeps a record of calls for 90 days', async () => {
  const { get, refresh, clock, statistics } = await startWithManager()
  await get('/apps/api/news/')
  await clock.advance(90 * 86_400_000 - 1)
  expect(await statistics()).toContain('2 calls in the last 90 days')
  await refresh()
  await clock.advance(3_600_000)
  const html = await statistics()
  expect(html).toContain('1 calls in the last 90 days')
  expect(rowsOf(html, 'By day')).toEqual([['2026-06-03', '1', '0']])
})
