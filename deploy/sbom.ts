// Writes a bill of materials for the deployed packages to standard output in CycloneDX format:
//   npm run sbom
// Reads only the lock file, because `npm sbom` does not exist before npm 10, and `npm sbom --omit=dev` omits
// packages that development dependencies also need (npm 11.19: zod, sax, ...).
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

type Locked = {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const modules = 'node_modules/'

const lockFile = readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8')
const { name: ownName, packages } = JSON.parse(lockFile) as {
  readonly name: string
  readonly packages: Readonly<Record<string, Locked>>
}

/** Deployed packages by path. The path of Feedhouse itself is empty. */
const deployed = new Map(
  Object.entries(packages).filter(
    ([path, { dev, link }]) =>
      (path === '' || path.startsWith(modules)) && dev !== true && link !== true,
  ),
)

function nameAt(path: string): string {
  return path === '' ? ownName : path.slice(path.lastIndexOf(modules) + modules.length)
}

function componentFrom([path, locked]: [string, Locked]) {
  const { version = '', license, integrity, optional, devOptional } = locked
  const name = nameAt(path)
  const [algorithm = '', hash = ''] = integrity?.split('-', 2) ?? []
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: optional === true || devOptional === true ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    }),
    ...(license !== undefined && {
      licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
    }),
  }
}

/** Returns the path of the package that a package loads under a name, as Node finds it. */
function resolved(from: string, name: string): string | undefined {
  const path = `${from === '' ? '' : `${from}/`}${modules}${name}`
  if (deployed.has(path) || from === '') return deployed.has(path) ? path : undefined
  return resolved(from.slice(0, Math.max(0, from.lastIndexOf(`/${modules}`))), name)
}

function dependenciesOf([path, locked]: [string, Locked]) {
  const { dependencies, optionalDependencies, peerDependencies } = locked
  const names = Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies })
  const paths = names.toSorted().flatMap((name) => resolved(path, name) ?? [])
  return { ref: refAt(path), dependsOn: paths.map(refAt) }
}

function refAt(path: string): string {
  return `${nameAt(path)}@${deployed.get(path)?.version}`
}

/** Omits further copies of a package. */
function uniqueBy<T>(list: readonly T[], key: (item: T) => string): readonly T[] {
  return [...new Map(list.toReversed().map((item) => [key(item), item])).values()].toReversed()
}

const [own, ...others] = uniqueBy([...deployed].map(componentFrom), (each) => each['bom-ref'])
const bill = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { lifecycles: [{ phase: 'pre-build' }], component: own },
  components: others,
  dependencies: uniqueBy([...deployed].map(dependenciesOf), ({ ref }) => ref),
}
process.stdout.write(`${JSON.stringify(bill, undefined, 2)}\n`)
