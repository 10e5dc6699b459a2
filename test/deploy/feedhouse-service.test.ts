import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentOf, root } from '../support/documentation.ts'
import { environmentNames } from '../support/settings.ts'

const unit = readFileSync(join(root, 'deploy/feedhouse.service'), 'utf8')

test('the unit sets only settings, and starts Node as `npm start` does', () => {
  const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((variable) => variable.split('=')[0] ?? ''),
  )
  expect(variables.length).toBeGreaterThan(1)
  expect(variables.filter((name) => !environmentNames.includes(name))).toEqual(['NODE_ENV'])
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [, options] = /^ExecStart=\S+ (.*) \S+\/src\/main\.ts serve$/m.exec(unit) ?? []
  expect(scripts.start).toContain(`node ${options} bin/feedhouse serve`)
})

test('the unit uses the places that docs/deploy.md makes', () => {
  const docs = documentOf('docs/deploy.md')
  const places = [...unit.matchAll(/(?<==|:| )\/(?:opt|etc)\/[\w./-]+/g)].map(([place]) => place)
  expect(places).toContain('/etc/feedhouse/site-refresh-token')
  expect(places.filter((place) => !docs.includes(place))).toEqual([])
})
