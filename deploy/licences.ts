// Lists the licences of what is deployed, and fails on one that nobody has looked at:
//   npm run licences
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Those that let Feedhouse be used and passed on under its own, as long as their texts go with it. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
]

export type LockedPackage = {
  readonly name: string
  readonly version: string
  /** As the package says, an SPDX expression; undefined where it says nothing. */
  readonly licence: string | undefined
}

type LockFile = {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string
        readonly license?: string
        readonly dev?: boolean
        readonly link?: boolean
      }
    >
  >
}

/** What `npm ci --omit=dev` installs. A link leads to a package that is part of the clone. */
export function deployedPackages(lockFile: string): readonly LockedPackage[] {
  const { packages } = JSON.parse(lockFile) as LockFile
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path !== '' && dev !== true && link !== true)
    .map(([path, { version = '', license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
    }))
}

/** Of `A OR B` one is enough, of `A AND B` both are needed. */
export function isAllowed(licence: string | undefined): boolean {
  const expression = licence?.replace(/^\((.*)\)$/, '$1') ?? ''
  if (/[()]/.test(expression)) return false
  return expression
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => allowed.includes(each)))
}

if (import.meta.main) {
  const lockFile = resolve(import.meta.dirname, '../package-lock.json')
  const packages = deployedPackages(readFileSync(lockFile, 'utf8'))
  const byLicence = Map.groupBy(packages, ({ licence = 'none named' }) => licence)
  for (const [licence, those] of [...byLicence].sort(([a], [b]) => a.localeCompare(b))) {
    const names = those.map(({ name, version }) => `${name}@${version}`).join(', ')
    process.stdout.write(
      `${isAllowed(licence) ? 'allowed' : 'NOT ALLOWED'}: ${licence}: ${names}\n`,
    )
  }
  process.exitCode = packages.every(({ licence }) => isAllowed(licence)) ? 0 : 1
}
