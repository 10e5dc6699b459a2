import { expect, test } from 'vitest'
import { resultOf, runProcess } from '../../support/command-line.ts'
import { ok, startHttpServer } from '../../support/http-server.ts'
import { testDirectory } from '../../support/service.ts'

/** Gives every host two addresses, and keeps the process busy while it connects to the first one. */
const busyLookup = `
  import dns from 'node:dns'
  const addresses = [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }]
  dns.lookup = (_host, _options, found) => {
    found(null, addresses)
    process.nextTick(() => {
      const until = performance.now() + 300
      while (performance.now() < until) continue
    })
  }`

test('connects while the process is busy, even if another address cannot be reached', async () => {
  const { port } = new URL(await startHttpServer(ok))
  const code = `data:text/javascript,${encodeURIComponent(busyLookup)}`
  const child = runProcess(testDirectory(), ['doctor', `http://feeds.example.org:${port}/`], {
    NODE_OPTIONS: `--import=${code}`,
  })
  expect((await resultOf(child)).stdout).toMatch(/^ok +redirects /m)
})
