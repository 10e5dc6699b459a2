// Builds the package to publish on npm, so that `npx feedhouse` works without a clone:
//   npx node deploy/pack-npm.ts dist
// Node does not strip types in node_modules, so the package contains JavaScript, with the same line numbers.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const ownCommand = 'feedhouse-command'
const relativeImport = /((?:\bfrom|\bimport|\bresolve) ?\(?['"]\.[^'"]*)\.ts(?=['"])/g

type Lock = { packages: Record<string, { dependencies?: Record<string, string> }> }

function packageJson(): object {
  const {
    name,
    version,
    description,
    license,
    repository,
    bugs,
    homepage,
    type,
    engines,
    ...rest
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { [ownCommand]: _command, ...dependencies } = rest.dependencies
  const about = { name, version, description, license, repository, bugs, homepage, type, engines }
  return { ...about, bin: { feedhouse: 'bin/feedhouse' }, dependencies }
}

/** Returns the lock file without the command, which belongs to the package itself. */
function shrinkwrap(): Lock {
  const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  delete lock.packages['bin']
  delete lock.packages[`node_modules/${ownCommand}`]
  delete lock.packages['']?.dependencies?.[ownCommand]
  return lock
}

function writePackage(directory: string): void {
  const write = (name: string, content: object) =>
    writeFileSync(join(directory, name), `${JSON.stringify(content, undefined, 2)}\n`)
  for (const name of ['bin', 'LICENSE', 'README.md', 'src', 'templates']) {
    cpSync(join(root, name), join(directory, name), { recursive: true })
  }
  for (const file of globSync(['src/**/*.ts', 'templates/board/*.js'], { cwd: directory })) {
    const path = join(directory, file)
    const code = stripTypeScriptTypes(readFileSync(path, 'utf8')).replaceAll(
      relativeImport,
      '$1.js',
    )
    rmSync(path)
    writeFileSync(path.replace(/\.ts$/, '.js'), code)
  }
  const command = join(directory, 'bin/feedhouse')
  writeFileSync(command, readFileSync(command, 'utf8').replace('src/main.ts', 'src/main.js'))
  write('package.json', packageJson())
  write('npm-shrinkwrap.json', shrinkwrap())
}

const [output] = process.argv.slice(2)
if (output === undefined) {
  process.stderr.write('Usage: pack-npm.ts DIRECTORY\n')
  process.exitCode = 1
} else {
  mkdirSync(output, { recursive: true })
  using directory = mkdtempDisposableSync(join(tmpdir(), 'feedhouse-npm-'))
  writePackage(directory.path)
  const options = ['--pack-destination', resolve(output), '--silent']
  const name = execFileSync('npm', ['pack', ...options], { cwd: directory.path, encoding: 'utf8' })
  process.stdout.write(`Packed ${join(output, name)}`)
}
