// Writes a bill of materials for the deployed packages to standard output in CycloneDX format:
//   npm run sbom
// `npm sbom --omit=dev` omits packages that development dependencies also need (npm 11.19: zod, sax, ...), so
// this runs npm on a project without development dependencies.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

type LockFile = {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'))
const withoutDevelopment = (project: unknown) => ({
  ...(project as Readonly<Record<string, unknown>>),
  devDependencies: undefined,
})
const lockFile = read('package-lock.json') as LockFile
const deployed = Object.entries(lockFile.packages).filter(
  ([, { dev, link }]) => dev !== true && link !== true,
)

const directory = mkdtempSync(join(tmpdir(), 'feedhouse-sbom-'))
try {
  const packages = {
    ...Object.fromEntries(deployed),
    '': withoutDevelopment(lockFile.packages['']),
  }
  const project = withoutDevelopment(read('package.json'))
  writeFileSync(join(directory, 'package.json'), JSON.stringify(project))
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ ...lockFile, packages }))
  const options = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']
  const { status } = spawnSync('npm', options, { cwd: directory, stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(directory, { recursive: true })
}
