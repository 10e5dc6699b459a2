import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { root } from '../../support/documentation.ts'
import { installLocked, installMs } from '../../support/locked-packages.ts'
import { testDirectory } from '../../support/service.ts'

const modules = join(import.meta.dirname, 'node_modules')

const text = readFileSync(join(root, 'deploy/kubernetes/feedhouse.yaml'), 'utf8')

type Manifest = { readonly apiVersion: string; readonly kind: string }

type Models = Readonly<Record<string, new (manifest: Manifest) => { validate: () => void }>>

const manifestsIn = (yaml: string): readonly Manifest[] =>
  parseAllDocuments(yaml).map((each) => each.toJS() as Manifest)

/** Returns unknown and missing fields, and values of the wrong type, as TypeScript errors. */
function faultsOfTypes(yaml: string): string {
  const directory = testDirectory()
  symlinkSync(modules, join(directory, 'node_modules'))
  const lines = manifestsIn(yaml).map(({ apiVersion, kind, ...fields }, index) => {
    const type = `import('kubernetes-models/${apiVersion}').I${kind}`
    return `export const manifest${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...fields })}`
  })
  writeFileSync(join(directory, 'manifests.mts'), lines.join('\n'))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = [compiler, ...options, 'manifests.mts']
  return spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8' }).stdout
}

/** Returns values that the schemas do not allow, such as numbers in the wrong format. */
async function faultsOfSchemas(yaml: string): Promise<readonly string[]> {
  const faults: string[] = []
  for (const manifest of manifestsIn(yaml)) {
    const path = join(modules, 'kubernetes-models', manifest.apiVersion, `${manifest.kind}.js`)
    const models = (await import(path)) as Models
    const Model = models[manifest.kind]
    if (!Model) throw new Error(`there is no schema of ${manifest.kind}`)
    try {
      new Model(manifest).validate()
    } catch (error) {
      faults.push(String(error))
    }
  }
  return faults
}

beforeAll(() => installLocked(import.meta.dirname), installMs)

test("the manifests match Kubernetes' published schemas", async () => {
  expect(faultsOfTypes(text)).toBe('')
  expect(await faultsOfSchemas(text)).toEqual([])
})

test.for([
  { change: ['readinessProbe', 'readinesProbe'], fault: 'readinesProbe' },
  { change: ['ServiceAccountToken: false', 'ServiceAccountToken: 0'], fault: "to type 'boolean" },
  { change: ['containerPort: 8080', 'hostPort: 8080'], fault: `"containerPort"' is missing` },
] as const)('the types find $fault', ({ fault, change: [before, after] }) => {
  expect(text).toContain(before)
  expect(faultsOfTypes(text.replace(before, after))).toContain(fault)
})

test('the schemas reject a number with a fraction', async () => {
  const changed = text.replace('replicas: 1', 'replicas: 1.5')
  expect(await faultsOfSchemas(changed)).toEqual([expect.stringContaining('/spec/replicas')])
})
