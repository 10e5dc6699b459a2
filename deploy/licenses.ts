// Lists the licenses of the deployed packages, and fails if one has not been reviewed:
//   npm run licenses
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Licenses that allow Feedhouse to be distributed under its own license if their texts are
 * included.
 */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  // libvips, which sharp loads from a separate file that anyone can replace.
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  // The font of generated images.
  'OFL-1.1',
]

const modules = 'node_modules/'

export type LockedPackage = {
  readonly name: string
  readonly version: string
  /** SPDX expression from the package, if any. */
  readonly license: string | undefined
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

/**
 * Returns the packages that `npm ci --omit=dev` downloads. Links to packages within the clone are
 * excluded.
 */
export function deployedPackages(lockFile: string): readonly LockedPackage[] {
  const { packages } = JSON.parse(lockFile) as LockFile
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith(modules) && dev !== true && link !== true)
    .map(([path, { version = '', license }]) => ({
      name: path.slice(path.lastIndexOf(modules) + modules.length),
      version,
      license,
    }))
}

/** Returns true if an SPDX expression is allowed: either side of `OR`, or both sides of `AND`. */
export function isAllowed(license: string | undefined): boolean {
  const expression = license?.replace(/^\((.*)\)$/, '$1') ?? ''
  if (/[()]/.test(expression)) return false
  return expression
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => allowed.includes(each)))
}

if (import.meta.main) {
  const lockFile = resolve(import.meta.dirname, '../package-lock.json')
  const packages = deployedPackages(readFileSync(lockFile, 'utf8'))
  const byLicense = Map.groupBy(packages, ({ license = 'none named' }) => license)
  for (const [license, group] of [...byLicense].sort(([a], [b]) => a.localeCompare(b))) {
    const names = group.map(({ name, version }) => `${name}@${version}`).join(', ')
    process.stdout.write(
      `${isAllowed(license) ? 'allowed' : 'NOT ALLOWED'}: ${license}: ${names}\n`,
    )
  }
  process.exitCode = packages.every(({ license }) => isAllowed(license)) ? 0 : 1
}
