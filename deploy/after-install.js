// Runs after `npm ci`, on the Node that it installed for Feedhouse.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const platforms = 'node_modules/node/node_modules'

// A third of the size of Node. Nothing here is compiled.
for (const platform of existsSync(platforms) ? readdirSync(platforms) : []) {
  rmSync(join(platforms, platform, 'include'), { recursive: true, force: true })
}

const { npm_config_user_agent: npm = '' } = process.env
const [, version = process.versions.node] = /\bnode\/v(\S+)/.exec(npm) ?? []

// npm skips compiled code for this platform if its `engines` exclude the Node that npm runs on. This
// installs it with npm running on Feedhouse's Node.
if (existsSync(platforms) && parseInt(version, 10) < parseInt(process.versions.node, 10)) {
  const install = 'npm install --no-save --ignore-scripts --prefer-offline --no-audit --no-fund'
  // Older versions of npm use functions that are deprecated in this version of Node.
  const env = { ...process.env, NODE_NO_WARNINGS: '1' }
  // npm would remove the binary's package, because it is not in the lock file.
  const kept = 'node_modules/.node-platforms'
  renameSync(platforms, kept)
  process.exitCode = spawnSync(install, { env, shell: true, stdio: 'inherit' }).status ?? 1
  renameSync(kept, platforms)
}
