import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { maxFormBytes, maxUploadBytes } from '../../src/web/forms.ts'
import { maxBodyBytes } from '../../src/features/dav/xml.ts'
import { root } from '../support/documentation.ts'

const kibibyte = 1024

test('nginx.conf has the limits of Feedhouse on bodies, by route', () => {
  const text = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
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
