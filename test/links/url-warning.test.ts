import { expect, test } from 'vitest'
import { urlWarning } from '../../src/links/url-warning.ts'

const machine = /only on this machine.*PUBLIC_URL/
const network = /only inside your own network.*PUBLIC_URL/
const plain = /not encrypted.*https/

test.for([
  ['http://127.0.0.1:8080', machine],
  ['http://localhost:8080', machine],
  ['https://localhost', machine],
  ['http://[::1]:8080', machine],
  ['http://0.0.0.0:8080', machine],
  ['http://192.168.1.20:8080', network],
  ['https://10.1.2.3', network],
  ['https://172.31.0.1', network],
  ['https://[fd00::1]', network],
  ['https://station', network],
  ['https://feeds.local', network],
  ['https://feeds.station.lan', network],
  ['https://feeds.localdomain', network],
  ['http://feeds.example.org', plain],
  ['http://203.0.113.7:8080', plain],
  ['https://feeds.example.org', /^$/],
  ['https://172.32.0.1', /^$/],
  ['https://example.org/ashton', /^$/],
] as const)('warns of %s: %s', ([url, warning]) => {
  expect(urlWarning(url) ?? '').toMatch(warning)
})
