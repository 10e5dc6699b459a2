import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseXml } from '../../../src/features/dav/xml.ts'
import { testDirectory } from '../../support/service.ts'
import { signingCertificate } from '../../support/signing-certificate.ts'
import { startDavService } from './account.ts'

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())
const service = resources.use(
  await startDavService({
    siteName: 'Smith & Sons <Fire>',
    environment: { PUBLIC_URL: 'https://feeds.example.org/fire' },
  }),
)

test("shows a link's account, and how to add it", async () => {
  const { id, key } = await service.addAccount()
  const { status, text } = await service.get(`/l/${key}/account`)
  expect(status).toBe(200)
  for (const value of ['https://feeds.example.org/fire/dav/', id, key]) {
    expect(text).toContain(`value="${value}"`)
  }
  expect(text).toContain(`href="caldavs://${id}:${key}@feeds.example.org/fire/dav/"`)
  expect(text).toContain('href="iphone.mobileconfig"')
  expect((await service.get(`/l/${key}/`)).text).toContain('href="account"')
  expect((await service.get(`/l/${key}/account?lang=de`)).text).toContain('Ein Konto für alle')
})

test('the profile for Apple devices contains the account, and is the same each time', async () => {
  const { id, key } = await service.addAccount({ profile: 'full', feedIds: ['events', 'members'] })
  const { headers, text } = await service.get(`/l/${key}/iphone.mobileconfig`)
  expect(headers.get('Content-Type')).toContain('application/x-apple-aspen-config')
  expect(headers.get('Cache-Control')).toBe('private, no-store')
  const root = await parseXml(text.replace(/<!DOCTYPE[^>]*>/, ''))
  expect(root?.local).toBe('plist')
  const payloads = text.split('<key>PayloadType</key>').slice(2)
  expect(payloads).toHaveLength(2)
  for (const [index, kind] of ['CalDAV', 'CardDAV'].entries()) {
    const payload = payloads[index] ?? ''
    expect(payload).toContain(`<string>com.apple.${kind.toLowerCase()}.account</string>`)
    const values = {
      AccountDescription: '<string>Smith &amp; Sons &lt;Fire&gt;</string>',
      HostName: '<string>feeds.example.org</string>',
      Port: '<integer>443</integer>',
      UseSSL: '<true/>',
      Username: `<string>${id}</string>`,
      Password: `<string>${key}</string>`,
      PrincipalURL: `<string>/fire/dav/${id}/</string>`,
    }
    for (const [name, value] of Object.entries(values)) {
      expect(payload).toContain(`<key>${kind}${name}</key>${value}`)
    }
  }
  const uuids = [...text.matchAll(/PayloadUUID<\/key><string>([^<]+)/g)].map(([, uuid]) => uuid)
  expect(new Set(uuids).size).toBe(3)
  for (const uuid of uuids) {
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  }
  expect((await service.get(`/l/${key}/iphone.mobileconfig`)).text).toBe(text)
})

test('the profile is signed with the current certificate', async () => {
  const files = await signingCertificate(testDirectory(), 'EC')
  const { certificateFile, keyFile } = files
  const environment = { PROFILE_CERT_FILE: certificateFile, PROFILE_KEY_FILE: keyFile }
  await using signing = await startDavService({ environment })
  const { key } = await signing.addAccount()
  const read = async () => {
    const { text, headers } = await signing.get(`/l/${key}/iphone.mobileconfig`)
    expect(headers.get('Content-Type')).toContain('application/x-apple-aspen-config')
    const page = await signing.get(`/l/${key}/account`)
    return { text, page: page.text }
  }
  const first = await read()
  expect(first.text).toContain('<?xml')
  expect(first.text.startsWith('<?xml')).toBe(false)
  expect(first.page).toContain('your device shows who signed it')
  writeFileSync(certificateFile, 'renewing')
  const unsigned = await read()
  expect(unsigned.text.startsWith('<?xml')).toBe(true)
  expect(unsigned.page).toContain('Your device will warn you that it is not signed')
  await signingCertificate(dirname(certificateFile), 'EC')
  const renewed = await read()
  expect(renewed.text.startsWith('<?xml')).toBe(false)
  expect(renewed.text).not.toBe(first.text)
})

test('without members, the profile has no address book', async () => {
  const { key } = await service.addAccount({ feedIds: ['events'] })
  expect((await service.get(`/l/${key}/iphone.mobileconfig`)).text).not.toContain('CardDAV')
})

test('sites that do not offer accounts have no such page', async () => {
  await using other = await startDavService({ environment: { DAV: 'no' } })
  const { key } = await other.addAccount()
  expect((await other.get(`/l/${key}/account`)).status).toBe(404)
  expect((await other.get(`/l/${key}/iphone.mobileconfig`)).status).toBe(404)
  expect((await other.get(`/l/${key}/`)).text).not.toContain('href="account"')
})
