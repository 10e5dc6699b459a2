import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './documentation.ts'

export const author = ['-c', 'user.name=x', '-c', 'user.email=x@x.example']

/** Makes Git accept a clone of another user, like the runner's in CI. */
export const ofAnyUser = ['-c', 'safe.directory=*']

/** Copies the current working tree, without its packages and data. */
export function copyProject(directory: string): void {
  const names = ['.git', 'node_modules', 'data', 'test/system/lighthouse/node_modules']
  const leftOut = new Set(names.map((name) => join(root, name)))
  cpSync(root, directory, { recursive: true, filter: (path) => !leftOut.has(path) })
}

/** Creates a repository that contains the current working tree. */
export function makeRepository(directory: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...author, ...args], { cwd: directory })
  copyProject(directory)
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'x')
}

/** Environment variables that npm needs to reach its registry. */
export const npmEnvironment = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value = '']) =>
    /^npm_config_|_proxy$|^NODE_EXTRA_CA_CERTS$/i.test(name) ? [[name, value]] : [],
  ),
)
