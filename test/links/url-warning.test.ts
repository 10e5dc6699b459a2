import { expect, test } from 'vitest'
import { urlWarning } from '../../src/links/url-warning.ts'

test.for([
  'http://127.0.0.1:8080',
  'http://localhost:8080',
  'https://localhost',
  'http://[::1]:8080',
  'http://0.0.0.0:8080',
])('reports %s as working only on this machine', (url) => {
  expect(urlWarning(url)).toMatch(/only on this machine.*PUBLIC_URL/)
})

test.for([
  'http://192.168.1.20:8080',
  'https://10.1.2.3',
  'https://172.31.0.1',
  'https://[fd00::1]',
  'https://station',
  'https://feeds.local',
  'https://feeds.station.lan',
])('reports %s as working only on the local network', (url) => {
  expect(urlWarning(url)).toMatch(/only inside your own network.*PUBLIC_URL/)
})

test.for(['http://feeds.example.org', 'http://203.0.113.7:8080'])(
  'reports %s as not encrypted',
  (url) => {
    expect(urlWarning(url)).toMatch(/not encrypted.*https/)
  },
)

test.for(['https://feeds.example.org', 'https://172.32.0.1', 'https://example.org/ashton'])(
  'accepts %s',
  (url) => {
    expect(urlWarning(url)).toBeUndefined()
  },
)
