import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { deployedPackages } from '../../../deploy/licenses.ts'
import { root } from '../../support/documentation.ts'

function namesOf(list: readonly { readonly name: string; readonly version: string }[]) {
  return new Set(list.map(({ name, version }) => `${name}@${version}`))
}

test('lists all deployed packages and no others', () => {
  const packages = deployedPackages(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const script = join(root, 'deploy/sbom.ts')
  const { stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  const component = z.object({ name: z.string(), version: z.string() })
  const bill = z.object({ bomFormat: z.literal('CycloneDX'), components: z.array(component) })
  const { components } = bill.parse(JSON.parse(stdout))
  expect(namesOf(components)).toEqual(namesOf(packages))
})
