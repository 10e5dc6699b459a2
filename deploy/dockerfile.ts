/**
 * Instruction in a Dockerfile. `argument` is everything after the name, with continued lines
 * joined.
 */
export type Instruction = {
  readonly line: number
  readonly name: string
  readonly argument: string
}

/**
 * Thrown for an instruction that is invalid or not supported by this parser. The message is a
 * single sentence.
 */
export class DockerfileError extends Error {
  override readonly name = 'DockerfileError'

  constructor(line: number, message: string) {
    super(`Dockerfile line ${line}: ${message}`)
  }
}

export function readInstructions(dockerfile: string): readonly Instruction[] {
  const instructions: Instruction[] = []
  let begun: { readonly line: number; readonly text: string } | undefined
  for (const [index, written] of dockerfile.split('\n').entries()) {
    const text = written.trim()
    if (text === '' || text.startsWith('#')) continue
    begun = { line: begun?.line ?? index + 1, text: `${begun?.text ?? ''}${text}` }
    if (text.endsWith('\\')) {
      begun = { ...begun, text: begun.text.slice(0, -1) }
      continue
    }
    instructions.push(instructionFrom(begun.line, begun.text))
    begun = undefined
  }
  if (begun) throw new DockerfileError(begun.line, 'the last line ends with a backslash.')
  return instructions
}

function instructionFrom(line: number, text: string): Instruction {
  const [, name = '', argument = ''] = /^(\S+)\s*(.*)$/s.exec(text) ?? []
  if (argument === '') throw new DockerfileError(line, `${name} has no argument.`)
  return { line, name: name.toUpperCase(), argument }
}

/** Splits an instruction into `--flag`s and the remaining words. */
export function wordsOf({ argument }: Instruction) {
  const words = argument.split(/\s+/)
  const flags = words.slice(
    0,
    words.findIndex((word) => !word.startsWith('--')),
  )
  return { flags, words: words.slice(flags.length) }
}

/** Reads `KEY=value` pairs. Values with spaces must be quoted. */
export function variablesOf({ line, argument }: Instruction): Readonly<Record<string, string>> {
  const pairs = [...argument.matchAll(/\s*(\w+)=(?:"([^"]*)"|([^\s"]*))/gy)]
  const read = pairs.reduce((length, [all]) => length + all.length, 0)
  if (read < argument.trimEnd().length) {
    throw new DockerfileError(line, `ENV must be KEY=value, starting at "${argument.slice(read)}".`)
  }
  return Object.fromEntries(pairs.map(([, key, quoted, plain]) => [key, quoted ?? plain]))
}

/** Reads a command in exec form, which is a JSON array of strings that runs without a shell. */
export function execFormOf({ line, name }: Instruction, json: string): readonly string[] {
  try {
    const command: unknown = JSON.parse(json)
    const isCommand = Array.isArray(command) && command.length > 0
    if (isCommand && command.every((word) => typeof word === 'string')) return command
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new DockerfileError(
    line,
    `${name} must be a JSON array of words, so that signals reach it.`,
  )
}

/**
 * Returns true if `.dockerignore` excludes a path in the clone. The last matching line takes
 * precedence.
 */
export function isLeftOut(dockerignore: string, path: string): boolean {
  const parts = path.split('/')
  const withParents = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const rules = dockerignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  return rules.reduce((isOut, rule) => {
    const pattern = patternFrom(rule.replace(/^!/, '').replace(/^\/|\/$/g, ''))
    const isMatch = withParents.some((parent) => pattern.test(parent))
    return isMatch ? !rule.startsWith('!') : isOut
  }, false)
}

/** Converts a pattern. As in Docker, `*` also matches names that begin with a dot. */
function patternFrom(rule: string): RegExp {
  const source = rule.replace(/\*\*\/?|[*?]|[^*?]+/g, (part) => {
    if (part.startsWith('**')) return '.*'
    if (part === '*') return '[^/]*'
    return part === '?' ? '[^/]' : RegExp.escape(part)
  })
  return new RegExp(`^${source}$`)
}
