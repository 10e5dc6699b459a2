import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { deployedPackages, isAllowed } from '../../deploy/licenses.ts'
import { root } from '../support/documentation.ts'

const packages = deployedPackages(readFileSync(join(root, 'package-lock.json'), 'utf8'))

describe.for([
  {
    file: 'package-lock.json',
    own: ['', 'bin', 'node_modules/feedhouse-command'],
    atLeast: 300,
  },
  { file: 'deploy/node/package-lock.json', own: [''], atLeast: 2 },
  { file: 'test/system/lighthouse/package-lock.json', own: [''], atLeast: 100 },
])('$file', ({ file, own, atLeast }) => {
  const locked: Readonly<
    Record<
      string,
      { readonly integrity?: string; readonly resolved?: string; readonly link?: boolean }
    >
  > = JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  const entries = Object.entries(locked).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
  )

  test('lists only packages from the npm registry, except for Feedhouse’s own command', () => {
    const fetched = new Set(entries.map(([path]) => path))
    expect(Object.keys(locked).filter((path) => !fetched.has(path))).toEqual(own)
  })

  test('pins every package by hash', () => {
    expect(entries.length).toBeGreaterThan(atLeast)
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
    const unhashed = entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
    expect(unhashed).toEqual([])
  })
})

test('a clone and a release have one version of Node, for each platform', () => {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'deploy/node/package.json'), 'utf8'),
  )
  expect(Object.keys(optionalDependencies)).toEqual(
    ['linux-arm64', 'linux-x64', 'win-x64'].map((platform) => `node-${platform}`),
  )
  expect(new Set(Object.values(optionalDependencies)).size).toBe(1)
  const named = packages.map(({ name }) => name).filter((name) => /^node(?:-.*)?$/.test(name))
  expect(named).toEqual(['node-cache'])
})

test('Debian’s npm 9.2 links the command instead of copying it', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^install-links=false$/m)
})

describe('the license check', () => {
  test('allows every deployed package', () => {
    expect(packages.length).toBeGreaterThan(100)
    expect(packages.filter(({ license }) => !isAllowed(license))).toEqual([])
  })

  test.for([
    { license: 'MIT', allowed: true },
    { license: '(MIT OR GPL-3.0-only)', allowed: true },
    { license: 'MIT AND ISC', allowed: true },
    { license: 'MIT AND GPL-3.0-only', allowed: false },
    { license: 'GPL-3.0-only', allowed: false },
    { license: 'MIT AND (GPL-3.0-only OR ISC)', allowed: false },
    { license: 'SEE LICENSE IN LICENSE', allowed: false },
    { license: '', allowed: false },
    { license: undefined, allowed: false },
  ])('decides whether "$license" is allowed: $allowed', ({ license, allowed }) => {
    expect(isAllowed(license)).toBe(allowed)
  })

  test('ignores development dependencies', () => {
    const all = {
      '': { version: '1.0.0', license: 'MIT' },
      'node_modules/a': { version: '1.2.3', license: 'ISC' },
      'node_modules/a/node_modules/@b/c': { version: '2.0.0' },
      'node_modules/d': { version: '3.0.0', license: 'GPL-3.0-only', dev: true },
      bin: { version: '0.0.0' },
    }
    expect(deployedPackages(JSON.stringify({ packages: all }))).toEqual([
      { name: 'a', version: '1.2.3', license: 'ISC' },
      { name: '@b/c', version: '2.0.0', license: undefined },
    ])
  })
})

/** Returns the directories of the project's files, from its root. */
function directoriesOf(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: root, exclude: ['**/node_modules'] }).map((file) =>
    dirname(`/${file}`),
  )
}

describe('GitHub Actions', () => {
  const files = globSync('.github/workflows/*.{yml,yaml}', { cwd: root })
  const release = '.github/workflows/release.yml'
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  /** A job that calls another workflow. */
  const permissions = z.record(z.string(), z.enum(['read', 'write'])).optional()
  const call = z.strictObject({
    uses: z.string().regex(/^\.\/\.github\/workflows\/\w+\.yml$/),
    needs: z.string().optional(),
    if: z.string().optional(),
    permissions,
    with: z.record(z.string(), z.string()).optional(),
  })
  const job = z.object({
    needs: z.union([z.string(), z.array(z.string())]).optional(),
    'timeout-minutes': z.int().max(90),
    permissions,
    steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
  })
  /** What the jobs of a workflow may do beyond reading the repository. */
  const granted: Readonly<Record<string, readonly string[]>> = {
    [release]: [
      'draft: contents',
      'archive: contents id-token attestations',
      'image: packages',
      'publish: contents',
    ],
    '.github/workflows/image.yml': ['build: packages', 'publish: packages'],
    '.github/workflows/rebuild.yml': ['image: packages'],
    '.github/workflows/codeql.yml': ['analyze: security-events'],
  }
  const workflow = z.object({
    permissions: z.strictObject({ contents: z.literal('read') }),
    concurrency: z.object({ group: z.string() }),
    jobs: z.record(z.string(), z.union([call, job])),
  })

  test('run the steps in .ci/run and build the image', () => {
    const runs = files.flatMap((file) => stepsOf(file).map(({ run = '' }) => run))
    expect(runs).toContain('bash .ci/run')
    expect(runs.join('\n')).toMatch(/^docker build --pull/m)
  })

  test.for(files)('have read-only permissions and use pinned actions in %s', (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const uses = stepsOf(file).flatMap(({ uses }) => uses ?? [])
    expect(
      uses.filter((action) => !/^[\w-]+\/[\w-]+(?:\/\w+)?@[0-9a-f]{40}$/.test(action)),
    ).toEqual([])
    for (const action of uses)
      expect(text).toMatch(new RegExp(`${action} # v\\d+\\.\\d+\\.\\d+$`, 'm'))
    expect(grantedIn(file)).toEqual(granted[file] ?? [])
    expect(text).not.toContain('secrets.')
    expect(text).not.toContain('pull_request_target')
  })

  test('release nothing before the jobs of CI have passed', () => {
    const { ci, ...others } = workflowIn(release).jobs
    expect(ci).toEqual({ uses: './.github/workflows/ci.yml' })
    const gated = new Set(['ci'])
    for (const [name, each] of Object.entries(others)) {
      const needs = 'needs' in each ? [each.needs ?? []].flat() : []
      expect(needs.some((need) => gated.has(need))).toBe(true)
      gated.add(name)
    }
    const { on } = parse(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8'))
    expect(Object.keys(on)).toContain('workflow_call')
  })

  test('publish archives and images for both processors, with provenance', () => {
    const image = '.github/workflows/image.yml'
    const text = [release, image].map((file) => readFileSync(join(root, file), 'utf8')).join('')
    const runs = [...stepsOf(release), ...stepsOf(image)].flatMap(({ run = [] }) => run)
    const builds = runs.filter((run) => run.startsWith('docker buildx build '))
    expect(builds).toHaveLength(1)
    expect(builds[0]).toMatch(/--pull --push .*--provenance mode=max --sbom true .* \.\n$/s)
    expect(text.match(/runner: (?:\[.+\]|ubuntu\S+, arch: \w+)/g)).toEqual([
      'runner: [ubuntu-24.04, ubuntu-24.04-arm]',
      'runner: ubuntu-24.04, arch: amd64',
      'runner: ubuntu-24.04-arm, arch: arm64',
    ])
    const arguments_ = ['amd64', 'arm64'].map((arch) => `"$image:$version-${arch}"`).join(' ')
    expect(runs.join('\n')).toContain(arguments_)
    expect(runs).toContain('sh deploy/build-release.sh dist')
    expect(runs).toContain('sh deploy/build-deb.sh dist/feedhouse-*.tar.gz dist')
    expect(text).toMatch(/attest-build-provenance@.*\n +with:\n +subject-path: dist\/\*/)
  })

  test('can run a failed release again', () => {
    const runs = stepsOf(release).map(({ run = '' }) => run)
    expect(runs.find((run) => run.includes('gh release create'))).toMatch(
      /^gh release view .* && exit$/m,
    )
    expect(runs).toContain('gh release upload "$GITHUB_REF_NAME" dist/* --clobber')
  })

  test('take the notes of a release from CHANGELOG.md', () => {
    const step = stepsOf(release).find(({ run = '' }) => run.includes('awk'))
    const [, program = ''] = /'(\/\^## .*?)' CHANGELOG\.md/.exec(step?.run ?? '') ?? []
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const { stdout } = spawnSync(
      'sh',
      ['-c', `awk -v heading="## ${version} " '${program}' CHANGELOG.md`],
      {
        cwd: root,
        encoding: 'utf8',
      },
    )
    expect(stdout).toMatch(/^- /m)
    expect(stdout).not.toMatch(/^## /m)
  })

  test('Dependabot watches every lock file, Dockerfile and workflow', () => {
    const { updates } = parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8'))
    const watched = updates.flatMap((update: Readonly<Record<string, unknown>>) =>
      [update['directories'] ?? update['directory']]
        .flat()
        .map((directory) => `${String(update['package-ecosystem'])} ${String(directory)}`),
    )
    const needed = [
      ...directoriesOf('**/package-lock.json').map((directory) => `npm ${directory}`),
      ...directoriesOf('**/Dockerfile*').map((directory) => `docker ${directory}`),
      'docker-compose /',
      'github-actions /',
    ]
    expect(watched.toSorted()).toEqual([...new Set(needed)].toSorted())
    expect(readFileSync(join(root, 'compose.yaml'), 'utf8')).not.toContain('dockerfile_inline')
  })

  test.for(files)('run only valid commands and existing scripts in %s', (file) => {
    for (const { run } of stepsOf(file)) {
      if (run === undefined) continue
      // GitHub replaces these before Bash reads the commands.
      const script = run.replaceAll(/\$\{\{.+?\}\}/g, 'x')
      expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr).toBe('')
      const paths = script.match(/(?<=(?:^|\s)(?:bash|sh) )\S+/g) ?? []
      expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
      const names = script.match(/(?<=npm run (?:--silent )?)\w+/g) ?? []
      expect(names.filter((name) => !(name in scripts))).toEqual([])
    }
  })

  function workflowIn(file: string) {
    return workflow.parse(parse(readFileSync(join(root, file), 'utf8')))
  }

  function grantedIn(file: string) {
    return Object.entries(workflowIn(file).jobs).flatMap(([name, { permissions: given }]) => {
      const writable = Object.entries(given ?? {}).filter(([, access]) => access === 'write')
      return given ? `${name}: ${writable.map(([scope]) => scope).join(' ')}` : []
    })
  }

  function jobsOf(file: string) {
    return Object.values(workflowIn(file).jobs).filter((each) => 'steps' in each)
  }

  function stepsOf(file: string) {
    return jobsOf(file).flatMap(({ steps }) => steps)
  }
})
