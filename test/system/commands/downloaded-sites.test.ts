import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readyService, resultOf, runProcess } from '../../support/command-line.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { exchangeUrl } from '../../support/raw-http.ts'
import { testDirectory } from '../../support/service.ts'
import { startWebsites } from '../../support/sites-process.ts'
import { waitFor } from '../../support/wait-for.ts'

const token = 'a-secret-token'

test('downloads sites, applies changes, keeps them after an error, and restarts while the server is down', async () => {
  const { cedar = {}, ...first } = await startWebsites(['ashton', 'milbrook', 'cedar'])
  let file: string | undefined = JSON.stringify(first)
  const { url, caPem } = await startHttpsServer((request, response) => {
    const isAllowed = request.headers.authorization === `Bearer ${token}`
    response.writeHead(file === undefined ? 503 : isAllowed ? 200 : 401).end(file)
  })
  const directory = testDirectory()
  const authority = join(directory, 'authority.pem')
  writeFileSync(authority, caPem)
  writeFileSync(join(directory, 'header'), `Authorization: Bearer ${token}\n`)
  const settings = {
    SITES_FILE: `${url}/sites.json?secret=${token}`,
    SITES_FILE_HEADER_FILE: 'header',
    NODE_EXTRA_CA_CERTS: authority,
    WORKERS: '2',
  }
  let log = ''

  async function serve() {
    const service = runProcess(directory, ['serve'], settings)
    service.stderr.on('data', (lines: Buffer) => (log += String(lines)))
    const { url: address } = await readyService(service)
    const statusOf = async (name: string) =>
      (await exchangeUrl(`${address}/events.ics`, { Host: `${name}.example` })).status
    const status = async () => (await fetch(`${address}/status`)).json()
    return { service, statusOf, status, reload: () => service.kill('SIGHUP') }
  }

  const running = await serve()
  for (const name of Object.keys(first)) {
    await waitFor(async () => expect(await running.statusOf(name)).toBe(200))
  }
  expect(await running.statusOf('cedar')).toBe(404)
  expect(await running.status()).toMatchObject({
    sitesFile: { source: url, since: expect.any(String) },
  })

  file = JSON.stringify({ ...first, cedar })
  running.reload()
  await waitFor(async () => expect(await running.statusOf('cedar')).toBe(200))

  file = '{ "ashton": '
  running.reload()
  const fault = `The changed sites file is not used: SITES_FILE ${url} is not valid JSON`
  await waitFor(async () => {
    expect(JSON.stringify(await running.status())).toContain(fault)
  })
  expect(await running.statusOf('cedar')).toBe(200)
  running.service.kill('SIGINT')
  await once(running.service, 'exit')

  file = undefined
  const again = await serve()
  await waitFor(async () => expect(await again.statusOf('cedar')).toBe(200))
  expect(log).toContain(
    'the sites file could not be downloaded: The server responded with status 503.',
  )
  expect(log).not.toContain(token)

  const command = (...args: string[]) => resultOf(runProcess(directory, args, settings))
  expect((await command('site', 'list')).stdout).toContain('cedar  https://cedar.example/')
  const { code, stderr } = await command('site', 'remove', 'cedar')
  expect([code, stderr]).toEqual([
    1,
    'SITES_FILE is a URL. Change the file there. Feedhouse downloads it within a minute.\n',
  ])
})

test('does not start without the file, and says why', async () => {
  const { url, caPem } = await startHttpsServer((_request, response) => {
    response.writeHead(401).end()
  })
  const directory = testDirectory()
  const NODE_EXTRA_CA_CERTS = join(directory, 'authority.pem')
  writeFileSync(NODE_EXTRA_CA_CERTS, caPem)
  // systemd does not restart a service that exits with 78.
  const environment = { SITES_FILE: url, NODE_EXTRA_CA_CERTS, FEEDHOUSE_PLATFORM: 'systemd' }
  const { code, stderr } = await resultOf(runProcess(directory, ['serve'], environment))
  expect([code, stderr]).toEqual([
    1,
    `SITES_FILE ${url} cannot be downloaded. The server responded with status 401. Check SITES_FILE and SITES_FILE_HEADER.\n`,
  ])
  const list = await resultOf(runProcess(directory, ['site', 'list'], environment))
  expect(list).toMatchObject({
    code: 1,
    stderr: `SITES_FILE ${url} has not been downloaded to DATA_DIR on this machine yet. Start Feedhouse first.\n`,
  })
})
