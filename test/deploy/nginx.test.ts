import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { maxFormBytes, maxUploadBytes } from '../../src/web/forms.ts'
import { maxBodyBytes } from '../../src/features/dav/xml.ts'
import { serverLimits } from '../../src/front/server.ts'
import { root } from '../support/documentation.ts'

const kibibyte = 1024

const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('nginx.conf has the limits of Feedhouse on bodies, by route', () => {
  const text = read('deploy/nginx.conf')
  const limits = /^ +(?:location ~\* (\S+) \{\n +)?client_max_body_size (\d+)([km]);/gm
  const found = [...text.matchAll(limits)].map(([, route = 'others', size, unit]) => [
    route,
    Number(size) * (unit === 'm' ? kibibyte * kibibyte : kibibyte),
  ])
  expect(found).toEqual([
    ['others', maxFormBytes],
    ['^/([^/]+/)?admin/', maxUploadBytes],
    ['^/([^/]+/)?dav/', maxBodyBytes],
  ])
})

test('proxies drop a client that sends its headers slowly as soon as Feedhouse does', () => {
  const seconds = serverLimits.headersTimeoutMs / 1000
  // All, because nginx uses the value of the first server on a port.
  const servers = read('deploy/nginx.conf')
    .split(/^server \{$/m)
    .slice(1)
  expect(servers).toHaveLength(3)
  for (const server of servers) expect(server).toContain(`client_header_timeout ${seconds}s;`)
  expect(read('deploy/Caddyfile')).toContain(`read_header ${seconds}s\n`)
})
