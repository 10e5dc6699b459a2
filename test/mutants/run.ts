import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Mutant } from './mutant.ts'
import { ofAnyUser } from '../support/repository.ts'
import { mutants } from './mutants.ts'

const help = `Usage: npm run mutants -- [--only NAME] [--suite fast|main|system|all] [--json]

Applies one small mutation at a time in a temporary copy of the project and runs the tests there, until one
fails. Exits with 1 if no test notices a fault.

  --only NAME    faults whose name or file contains NAME
  --suite NAME   which tests: fast, main, system or all; without it those of npm test
  --json         prints one JSON line for each fault
`

const suites: Readonly<Record<string, readonly string[]>> = {
  default: ['fast', 'main'],
  fast: ['fast'],
  main: ['main'],
  system: ['system'],
  all: ['fast', 'main', 'system'],
}

const root = resolve(import.meta.dirname, '../..')

/** Excluded test file. It fails for every mutant, because it looks for the original text. */
const ownCheck = 'test/mutants/mutants.test.ts'

/** Test failure. `file` is empty for an error outside of tests. */
type Failure = { readonly file: string; readonly test: string }

/** Subset of vitest's JSON report. */
type Report = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    suite: { type: 'string', default: 'default' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const projects = suites[values.suite]
const chosen = mutants.filter(({ name, file }) => `${name} ${file}`.includes(values.only))
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

if (values.help || !projects || chosen.length === 0) {
  process.stdout.write(help)
  process.exitCode = values.help ? 0 : 1
} else {
  const copy = await copyOfProject()
  try {
    process.exitCode = await tryAll(copy, projects)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    process.exitCode = 130
  } finally {
    await rm(copy, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Copies all files except ignored ones. */
async function copyOfProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'feedhouse-mutants-'))
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const files = execFileSync('git', [...ofAnyUser, ...listed], {
    cwd: root,
    encoding: 'utf8',
  }).split('\0')
  for (const file of files.filter((file) => file !== '' && file !== ownCheck)) {
    await cp(join(root, file), join(copy, file))
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Exit code. */
async function tryAll(copy: string, projects: readonly string[]): Promise<number> {
  await requirePassing(copy, projects, [...new Set(chosen.flatMap(({ tests }) => tests))])
  let missed = 0
  for (const mutant of chosen) {
    const startedAt = Date.now()
    const caughtBy = await failureBy(mutant, copy, projects)
    if (!caughtBy) missed += 1
    print(mutant, caughtBy, Math.round((Date.now() - startedAt) / 1000))
  }
  if (!values.json) process.stdout.write(`${chosen.length - missed} caught, ${missed} missed\n`)
  return missed === 0 ? 0 : 1
}

async function failureBy(mutant: Required<Mutant>, copy: string, projects: readonly string[]) {
  const early = await withMutant(copy, mutant, () => failureOf(copy, projects, mutant.tests))
  if (early) return early
  const late = await withMutant(copy, mutant, () => failureOf(copy, projects, []))
  if (late?.file) await requirePassing(copy, projects, [late.file])
  return late
}

/** Throws if any test fails without a mutant, because its failure would then prove nothing. */
async function requirePassing(copy: string, projects: readonly string[], tests: readonly string[]) {
  const failure = await failureOf(copy, projects, tests)
  if (failure) throw new Error(`${failure.file} fails without any fault: ${failure.test}`)
}

async function withMutant<T>(
  copy: string,
  { file, text, replacement }: Mutant,
  work: () => Promise<T>,
): Promise<T> {
  const path = join(copy, file)
  const source = await readFile(path, 'utf8')
  await writeFile(
    path,
    source.replace(text, () => replacement),
  )
  try {
    return await work()
  } finally {
    await writeFile(path, source)
  }
}

/** Runs the given test files, or all files in the projects, until the first failure. */
async function failureOf(
  copy: string,
  projects: readonly string[],
  tests: readonly string[],
): Promise<Failure | undefined> {
  const report = join(copy, 'report.log')
  await rm(report, { force: true })
  const options = ['--bail=1', '--passWithNoTests', '--reporter=json', `--outputFile=${report}`]
  const projectOptions = projects.map((project) => `--project=${project}`)
  const vitest = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...options, ...projectOptions, ...tests],
    { cwd: copy, stdio: 'ignore' },
  )
  const stop = () => vitest.kill()
  stopping.signal.addEventListener('abort', stop)
  const [status] = await once(vitest, 'exit')
  stopping.signal.removeEventListener('abort', stop)
  stopping.signal.throwIfAborted()
  if (status === 0) return undefined
  const text = await readFile(report, 'utf8').catch(() => '{"testResults":[]}')
  const { testResults } = JSON.parse(text) as Report
  // After the first failure, vitest stops the remaining test files and reports them as failed.
  const failed =
    testResults.find(({ assertionResults }) => assertionResults.some(isFailed)) ??
    testResults.find((result) => isFailed(result) && result.message !== '')
  const test = failed?.assertionResults.find(isFailed)
  return {
    file: failed ? relative(copy, failed.name) : '',
    test:
      test?.fullName ??
      (failed?.message || `an error outside of all tests, status ${String(status)}`),
  }
}

function isFailed({ status }: { readonly status: string }): boolean {
  return status === 'failed'
}

function print({ name, file }: Mutant, caughtBy: Failure | undefined, seconds: number): void {
  const caught = caughtBy
    ? `caught by ${[caughtBy.file, caughtBy.test].join(' ').trim()}`
    : 'MISSED'
  const line = values.json
    ? JSON.stringify({ name, file, caughtBy: caughtBy ?? null, seconds })
    : `${name} (${file}, ${seconds} s)\n  ${caught}`
  process.stdout.write(`${line}\n`)
}
