// Runs after npm has installed the packages. If npm's Node is too old for Feedhouse, installs the one that
// deploy/node/package-lock.json pins, as `node` in node_modules/.bin, where npm and npx look first.
import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
const needed = parseInt(engines.node.replace(/\D+/, ''), 10)
const directory = 'deploy/node'
const platform = process.platform === 'win32' ? 'win' : process.platform
const installed = join(directory, 'node_modules', `node-${platform}-${process.arch}`)
const name = platform === 'win' ? 'node.exe' : 'node'

/**
 * Runs npm without output. Exits with its status if it fails, so that the installation fails, too.
 * @param {string} command
 * @param {import('node:child_process').SpawnSyncOptions} options
 */
function runNpm(command, options) {
  const quiet = '--ignore-scripts --prefer-offline --no-audit --no-fund --silent'
  const { status } = spawnSync(`npm ${command} ${quiet}`, {
    ...options,
    shell: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) process.exit(status || 1)
}

/** Returns true if npm skipped compiled code whose `engines` exclude npm's Node but that this machine needs. */
function hasSkipped() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const isMusl = !JSON.stringify(process.report.getReport()).includes('"glibcVersionRuntime"')
  const hasNoTests = /\bdev\b/.test(process.env.npm_config_omit || '')
  return Object.entries(packages).some(
    ([path, { os = [], cpu = [], libc = [], dev = false }]) =>
      os.includes(process.platform) &&
      cpu.includes(process.arch) &&
      !libc.includes(isMusl ? 'glibc' : 'musl') &&
      !(dev && hasNoTests) &&
      !existsSync(path),
  )
}

function installNode() {
  runNpm('ci', { cwd: directory })
  if (!existsSync(installed)) {
    process.stderr.write(
      `Feedhouse needs Node ${needed}, and this is Node ${process.versions.node}: install Node ${needed} from https://nodejs.org.\n`,
    )
    process.exit(1)
  }
  // Removes C headers, which are a third of the package.
  rmSync(join(installed, 'include'), { recursive: true, force: true })
  if (hasSkipped()) {
    // Older versions of npm use functions that are deprecated in this version of Node.
    const PATH = [join(process.cwd(), installed, 'bin'), process.env.PATH].join(delimiter)
    runNpm('install --no-save', { env: { ...process.env, PATH, NODE_NO_WARNINGS: '1' } })
  }
  rmSync('node_modules/node', { recursive: true, force: true })
  renameSync(installed, 'node_modules/node')
  rmSync(join(directory, 'node_modules'), { recursive: true })
  mkdirSync('node_modules/.bin', { recursive: true })
  rmSync(join('node_modules/.bin', name), { force: true })
  linkSync(join('node_modules/node/bin', name), join('node_modules/.bin', name))
}

if (parseInt(process.versions.node, 10) < needed) installNode()
