// Runs the steps in the Dockerfile and then its command, in an empty directory and without Docker:
//   npx node deploy/try-dockerfile.ts
// Uses paths in that directory, and this machine's Node and npm. Steps that need the image's
// users (USER, chown) are only reported. Listens only on loopback.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DockerfileError,
  execFormOf,
  isLeftOut,
  readInstructions,
  variablesOf,
  wordsOf,
  type Instruction,
} from './dockerfile.ts'

const healthTries = 60
const healthIntervalMs = 500

/** How long Docker waits after SIGTERM by default. */
const stopMs = 10_000

export type DockerfileTrial = AsyncDisposable & {
  /** Directory that stands in for the image's root. */
  readonly image: string
  /** URL of the started service. */
  readonly url: string
  /** Sends SIGTERM. Resolves to the exit code or signal. */
  readonly stop: () => Promise<{ readonly code: number | null; readonly signal: string | null }>
}

/** Runs the steps and starts the service. Rejects with a `DockerfileError` if a step is invalid. */
export async function startDockerfileTrial(options: {
  /** Build context, which contains the Dockerfile. */
  readonly context: string
  readonly port: number
  readonly tell: (line: string) => void
}): Promise<DockerfileTrial> {
  const { context, port, tell } = options
  await using starting = new AsyncDisposableStack()
  const image = starting.adopt(mkdtempSync(join(tmpdir(), 'feedhouse-image-')), (path) => {
    rmSync(path, { recursive: true, force: true })
  })
  const instructions = readInstructions(readFileSync(join(context, 'Dockerfile'), 'utf8'))
  const toTrial = pathMapping(instructions, image)
  const environment: Record<string, string> = { PATH: searchPath }
  const commands: { health?: readonly string[]; start?: readonly string[] } = {}
  let workDirectory = image

  const steps: Readonly<Record<string, (instruction: Instruction) => Promise<void> | void>> = {
    FROM: checkNode,
    ENV(instruction) {
      for (const [key, value] of Object.entries(variablesOf(instruction))) {
        environment[key] = toTrial(value).replace('$PATH', searchPath)
      }
    },
    WORKDIR({ argument }) {
      workDirectory = toTrial(argument)
      mkdirSync(workDirectory, { recursive: true })
    },
    COPY: (instruction) => copy(instruction, context, workDirectory, toTrial),
    async RUN(instruction) {
      const { flags, words } = wordsOf(instruction)
      const unknown = flags.find((flag) => !flag.startsWith('--mount=type=cache,'))
      if (unknown !== undefined) throw unknownFlag(instruction, unknown)
      const script = `set -e; chown() { :; }; ${toTrial(words.join(' '))}`
      // The machine's own variables tell npm where its registry and cache are.
      const child = spawnWith(environment, ['sh', '-c', script], workDirectory)
      const [code] = await once(child, 'close')
      if (code !== 0)
        throw new DockerfileError(instruction.line, `RUN exited with ${String(code)}.`)
    },
    USER: () => tell('  (skipped: runs as this user)'),
    VOLUME: () => undefined,
    EXPOSE: () => undefined,
    HEALTHCHECK(instruction) {
      const { words } = wordsOf(instruction)
      const [kind] = words
      if (kind !== 'CMD') throw new DockerfileError(instruction.line, 'HEALTHCHECK has no CMD.')
      const [, json = ''] = instruction.argument.split(/\bCMD\s+/)
      commands.health = execFormOf(instruction, json)
    },
    CMD(instruction) {
      commands.start = execFormOf(instruction, instruction.argument)
    },
  }

  for (const instruction of instructions) {
    const { line, name, argument } = instruction
    tell(`${name} ${argument}`)
    const step = Object.hasOwn(steps, name) ? steps[name] : undefined
    if (!step) throw new DockerfileError(line, `this script does not support ${name}.`)
    await step(instruction)
  }

  const { health, start } = commands
  if (!health || !start) throw new DockerfileError(1, 'HEALTHCHECK or CMD is missing.')
  Object.assign(environment, { HOST: '127.0.0.1', PORT: String(port) })
  const service = spawnWith(environment, start, workDirectory, '-i')
  starting.defer(() => killed(service))
  const isHealthy = async () => {
    const [code] = await once(spawnWith(environment, health, workDirectory, '-i'), 'close')
    return code === 0
  }
  for (let tries = 1; !(await isHealthy()); tries += 1) {
    if (service.exitCode !== null)
      throw new DockerfileError(1, 'the process started by CMD has exited.')
    if (tries === healthTries) throw new DockerfileError(1, 'HEALTHCHECK keeps failing.')
    await sleep(healthIntervalMs)
  }
  tell('The health check succeeds.')
  const running = starting.move()
  return {
    image,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = once(service, 'close', { signal: AbortSignal.timeout(stopMs) })
      service.kill('SIGTERM')
      const [code, signal] = await closed
      return { code, signal }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/**
 * Returns a function that replaces the image's directories in a string with the directories used
 * here.
 */
function pathMapping(instructions: readonly Instruction[], image: string) {
  const named = instructions.flatMap((instruction) => {
    if (instruction.name === 'ENV') return Object.values(variablesOf(instruction))
    return ['WORKDIR', 'VOLUME'].includes(instruction.name) ? [instruction.argument] : []
  })
  const directories = [...new Set(named)].filter((path) => path.startsWith('/'))
  if (directories.length === 0) return (text: string) => text
  const paths = new RegExp(
    `(?<![\\w.])(?:${directories.map((path) => RegExp.escape(path)).join('|')})(?![\\w-])`,
    'g',
  )
  return (text: string) => text.replace(paths, (path) => join(image, path))
}

function checkNode({ line, argument }: Instruction): void {
  const [, major] = /^node:(\d+)\S*$/.exec(argument) ?? []
  if (major === undefined) throw new DockerfileError(line, `${argument} is not a Node image.`)
  const [here] = process.versions.node.split('.')
  if (major === here) return
  throw new DockerfileError(line, `the image has Node ${major}, but this machine has Node ${here}.`)
}

function copy(
  instruction: Instruction,
  context: string,
  workDirectory: string,
  toTrial: (text: string) => string,
): void {
  const { flags, words } = wordsOf(instruction)
  const [flag] = flags
  if (flag !== undefined) throw unknownFlag(instruction, flag)
  const dockerignore = readFileSync(join(context, '.dockerignore'), 'utf8')
  const isOut = (path: string) => isLeftOut(dockerignore, path)
  const target = words.at(-1) ?? ''
  const place = resolve(workDirectory, toTrial(target))
  for (const source of words.slice(0, -1)) {
    const path = join(context, source)
    if (!existsSync(path) || isOut(source)) {
      throw new DockerfileError(
        instruction.line,
        `${source} does not exist or is ignored by .dockerignore.`,
      )
    }
    const isFileIntoDirectory = !statSync(path).isDirectory() && isDirectory(target, place)
    cpSync(path, isFileIntoDirectory ? join(place, basename(source)) : place, {
      recursive: true,
      filter: (file) => statSync(file).isDirectory() || !isOut(relative(context, file)),
    })
  }
}

function isDirectory(target: string, place: string): boolean {
  return target.endsWith('/') || (existsSync(place) && statSync(place).isDirectory())
}

function unknownFlag({ line, name }: Instruction, flag: string): DockerfileError {
  return new DockerfileError(line, `this script does not support ${flag} of ${name}.`)
}

const searchPath = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`

/** Starts a command with the image's variables in addition to this machine's, or without them. */
function spawnWith(
  environment: Readonly<Record<string, string>>,
  command: readonly string[],
  cwd: string,
  ...flags: readonly '-i'[]
): ChildProcess {
  const settings = Object.entries(environment).map(([key, value]) => `${key}=${value}`)
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  return spawn('/usr/bin/env', [...flags, ...settings, ...command], { cwd, stdio: [...stdio] })
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (import.meta.main) {
  const context = resolve(import.meta.dirname, '..')
  await using trial = await startDockerfileTrial({ context, port: 8080, tell })
  const { code } = await trial.stop()
  tell(`The service was stopped and exited with ${code}.`)
  process.exitCode = code ?? 1
}
