import { createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { connectToHost } from '../../../src/http/front/forward.ts'
import { localhostCertificate } from '../../../src/sandbox/certificate.ts'
import { listenLocally } from '../../support/local-server.ts'
import { testDirectory } from '../../support/service.ts'

test.for([
  ['localhost', ['localhost']],
  ['127.0.0.1', []],
] as const)('names the server to another host only if it has a name: %s', async ([host, names]) => {
  const { cert, key } = await localhostCertificate(testDirectory())
  const asked: string[] = []
  const server = createServer({
    cert,
    key,
    SNICallback(name, done) {
      asked.push(name)
      done(null)
    },
  })
  const port = await listenLocally(server)
  onTestFinished(() => void server.close())
  const connection = connectToHost(`https://${host}:${port}`, () => 'key')
  onTestFinished(connection.close)
  // The certificate is not from an authority that Node trusts.
  await expect(connection.get('/', [], undefined)).rejects.toThrow(/certificate/)
  expect(asked).toEqual(names)
})
