import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../support/documentation.ts'
import { temporaryDirectory } from '../../support/service.ts'

const files = [
  '.npmrc',
  'CHANGELOG.md',
  'compose.yaml',
  'deploy/image-name.ts',
  'deploy/kubernetes/feedhouse.yaml',
  'deploy/release-changelog.ts',
  'docs/deploy.md',
  'package-lock.json',
  'package.json',
]

test('npm version commits and tags a release, and rejects a release without changes', () => {
  using directory = temporaryDirectory()
  const at = (name: string) => join(directory.path, name)
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: directory.path, encoding: 'utf8' })
  const release = () =>
    spawnSync('npm', ['version', 'minor'], {
      cwd: directory.path,
      encoding: 'utf8',
      env: { ...process.env, npm_config_update_notifier: 'false' },
    })
  for (const name of ['deploy/kubernetes', 'docs']) mkdirSync(at(name), { recursive: true })
  for (const name of files) copyFileSync(join(root, name), at(name))
  writeFileSync(at('CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- A search field.\n')
  git('init', '-q')
  git('config', 'user.name', 'x')
  git('config', 'user.email', 'x@x.example')
  git('add', '.')
  git('commit', '-q', '-m', 'feat: add a search field')

  expect(release()).toMatchObject({ status: 0 })
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string }
  expect(git('log', '-1', '--format=%s')).toBe(`release: ${version}\n`)
  expect(git('tag', '--points-at', 'HEAD')).toBe(`v${version}\n`)
  expect(git('status', '--porcelain')).toBe('')
  const released = readFileSync(at('CHANGELOG.md'), 'utf8')
  expect(released).toContain(`## Unreleased\n\n## ${version} (`)
  expect(git('show', '--format=', '--name-only', 'HEAD').trim().split('\n')).toEqual([
    'CHANGELOG.md',
    'compose.yaml',
    'deploy/kubernetes/feedhouse.yaml',
    'docs/deploy.md',
    'package-lock.json',
    'package.json',
  ])
  expect(readFileSync(at('compose.yaml'), 'utf8')).toContain(`/feedhouse:${version}\n`)

  const again = release()
  expect(again.status).not.toBe(0)
  expect(again.stderr).toContain('CHANGELOG.md lists no changes below "## Unreleased".')
  expect(git('log', '-1', '--format=%s')).toBe(`release: ${version}\n`)
  expect(git('status', '--porcelain')).toBe('')
})
