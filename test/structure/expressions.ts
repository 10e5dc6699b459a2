import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { RegExpParser, type AST } from '@eslint-community/regexpp'
import { parseSync, Visitor } from 'oxc-parser'
import { seededRandom } from '../support/seeded-random.ts'

export type Expression = {
  /** File and line. */
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** Returns the different regular expressions in files below a directory. */
export function expressionsIn(root: string, patterns: readonly string[]): readonly Expression[] {
  const found = new Map<string, Expression>()
  for (const file of globSync(patterns, { cwd: root }).toSorted()) {
    const code = readFileSync(resolve(root, file), 'utf8')
    const visitor = new Visitor({
      Literal(node) {
        if (!('regex' in node)) return
        const { pattern: source, flags } = node.regex
        const place = `${file}:${code.slice(0, node.start).split('\n').length}`
        const key = `/${source}/${flags}`
        if (!found.has(key)) found.set(key, { place, source, flags })
      },
    })
    visitor.visit(parseSync(file, code).program)
  }
  return [...found.values()]
}

/** Program that prints the expressions that modules create when they are loaded, each only once. */
const recorder = `
  const [, root, ...files] = process.argv
  const found = new Map()
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, [source, flags = ''], newTarget) {
      const [caller = ''] = new Error().stack.split('\\n').slice(2)
      const [, place] = caller.match(/(src\\/[^:]+:\\d+):/) ?? []
      if (place && !caller.includes('node_modules')) found.set(String(source) + '/' + flags, { place, source, flags })
      return Reflect.construct(target, [source, flags], newTarget)
    },
  })
  for (const file of files) await import(root + '/' + file)
  process.stdout.write(JSON.stringify([...found.values()]))
`

/** Returns the expressions that the modules below a directory build from strings. */
export function builtExpressionsIn(root: string): readonly Expression[] {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
    readFileSync(resolve(root, file), 'utf8').includes('new RegExp('),
  )
  const args = ['--input-type=module', '--eval', recorder, root, ...files]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Expression[]
}

/** Characters that expressions treat differently. */
const characters = Array.from(
  ' \t\n\r\u2028a0A_-.:;,/\\<>"\'=?&#@!*+()[]{}|%$~^`é\u0301\u{1F600}mpxz9',
)

/** Part of an expression that a text can repeat, between a start and an end. */
type Pumped = { readonly start: string; readonly part: string; readonly end: string }

const textOf = ({ start, part, end }: Pumped, length: number) =>
  `${start}${part.repeat(Math.ceil(length / part.length))}${end}`

const patternOf = ({ source, flags }: Expression): AST.Pattern =>
  new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })

/** Returns the number of characters that a part of an expression looks at, which is infinite for `a*`. */
function reachOf(node: AST.Node): number {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return Math.max(...node.alternatives.map(reachOf))
    case 'Assertion':
      return 'alternatives' in node ? Math.max(...node.alternatives.map(reachOf)) : 1
    case 'Alternative':
      return node.elements.reduce((sum, element) => sum + reachOf(element), 0)
    case 'Quantifier':
      return node.max * reachOf(node.element)
    case 'Backreference':
      return Infinity
    case 'ExpressionCharacterClass':
      return maxStringLength
    default:
      return 1
  }
}

/** Limit for the strings in such a class, which are emoji. */
const maxStringLength = 20

/** Returns texts that an expression matches in part, such as its start over and over again. */
function* pumpedTexts(
  { source, flags }: Expression,
  pattern: AST.Pattern,
  count: number,
): Generator<Pumped> {
  const { pick, chance } = choices(source)
  const sets = new Map<string, { members: readonly string[]; others: readonly string[] }>()
  function memberOf(set: string): string {
    const known = sets.get(set)
    if (known) return pick(known.members)
    const expression = new RegExp(`^(?:${set})$`, flags.replaceAll(/[gy]/g, ''))
    const { members = [''], others = [''] } = Object.groupBy(characters, (character) =>
      expression.test(character) ? 'members' : 'others',
    )
    sets.set(set, { members, others })
    return memberOf(set)
  }

  /** Returns a character that can end a match. For a set like `[^.:]`, only few characters can. */
  function endOf(): string {
    const excluded = pick([...sets.values()])?.others ?? characters
    return pick(chance() < 0.5 ? excluded : characters)
  }

  /** Returns the pieces of a text that a part of the expression probably matches. */
  function piecesOf(node: AST.Node): readonly string[] {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return piecesOf(pick(node.alternatives))
      case 'Alternative':
        return node.elements.flatMap(piecesOf)
      case 'Character':
        return [String.fromCodePoint(node.value)]
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return [memberOf(node.raw)]
      case 'Quantifier': {
        const times = Math.min(node.min, maxTimes) + Math.min(node.max - node.min, pick([0, 1, 2]))
        return Array.from({ length: times }, () => piecesOf(node.element)).flat()
      }
      default:
        return []
    }
  }

  for (let at = 0; at < count; at += 1) {
    const pieces = piecesOf(pattern)
    const indices = pieces.map((_, index) => index)
    const from = chance() < 0.5 || pieces.length === 0 ? 0 : pick(indices)
    const until = pick([pieces.length, ...indices.filter((index) => index > from)])
    const part = pieces.slice(from, until).join('') || pick(characters)
    const start = pieces.slice(0, from).join('')
    yield { start, part, end: chance() < 0.5 ? '' : endOf() }
  }
}

/** More repetitions are not needed to reach the rest of an expression. */
const maxTimes = 40

function choices(seed: string) {
  const chance = seededRandom(Buffer.from(seed).reduce((sum, byte) => sum + byte, 1))
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T
  return { chance, pick }
}

/** Lengths at which exponential time shows. */
const shortLengths = [20, 28, 40, 56, 80, 112, 160, 230, 320]
const maxShortMs = 50

/**
 * Lengths at which other time shows: linear time grows five times between the last two, quadratic time
 * 25 times. Shorter times than these say nothing.
 */
const longLengths = { first: 5_000, second: 20_000, last: 100_000 }
const minMs = { first: 0.1, second: 1 }
const maxSecondMs = 25
const maxGrowth = 12

/**
 * Limit at the first length for expressions that look at fewer characters. From there on, they take
 * linear time, so it is the time per character that counts.
 */
const maxFirstMs = 15

/** Elapsed time after which the search for slow texts stops, at its current one if that takes so long. */
const maxSearchMs = 50

/** Measurements in a row that have to be slow, since one can contain a garbage collection. */
const minSlowTimes = 3

type Work = () => unknown

/** Returns a text for which an expression takes more than linear time, if it can be found. */
export function slowTextOf(expression: Expression, count: number): string | undefined {
  const { source, flags } = expression
  const pattern = patternOf(expression)
  const isLinearLater = reachOf(pattern) < longLengths.first
  const global = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  function isSlow(pumped: Pumped, timeOf: (work: Work, maxMs: number) => number): boolean {
    const timeAt = (length: number, maxMs: number) => {
      const text = textOf(pumped, length)
      return timeOf(() => text.replace(global, ''), maxMs)
    }
    if (shortLengths.some((length) => timeAt(length, maxShortMs) > maxShortMs)) return true
    if (isLinearLater) return timeAt(longLengths.first, maxFirstMs) > maxFirstMs
    if (timeAt(longLengths.first, minMs.first) <= minMs.first) return false
    const ms = timeAt(longLengths.second, maxSecondMs)
    if (ms <= minMs.second) return false
    return ms > maxSecondMs || timeAt(longLengths.last, maxGrowth * ms) > maxGrowth * ms
  }

  const byText = new Map(
    Array.from(pumpedTexts(expression, pattern, count), (pumped) => [
      JSON.stringify(pumped),
      pumped,
    ]),
  )
  const texts = [...byText.values()]
  let at = 0
  const search = () => {
    while (at < texts.length && !isSlow(texts[at] as Pumped, elapsedMs)) at += 1
  }
  for (; at < texts.length; at += 1) {
    for (let from = -1; at > from && isStopped(search, maxSearchMs);) from = at
    const pumped = texts[at]
    const isSlowAgain = () => pumped !== undefined && isSlow(pumped, processorMs)
    if (Array.from({ length: minSlowTimes }).every(isSlowAgain)) return JSON.stringify(pumped)
  }
  return undefined
}

/** The system counts CPU time in steps of a few milliseconds, so that shorter times say nothing. */
const minUsedMs = 10

/** Returns the elapsed time of work, which ends by itself, or its CPU time if that seems too long. */
function elapsedMs(work: Work, maxMs: number): number {
  const start = performance.now()
  work()
  const ms = performance.now() - start
  // A busy machine may have done something else meanwhile.
  return ms > maxMs && maxMs > minUsedMs ? usedMs(work) : ms
}

/** Returns the CPU time that work takes, or the elapsed time if that is short. */
function usedMs(work: Work): number {
  for (let times = 1; ; times += 1) {
    const startedAt = performance.now()
    const start = process.threadCpuUsage()
    work()
    const ms = performance.now() - startedAt
    if (ms < minUsedMs) return ms
    const { user, system } = process.threadCpuUsage(start)
    const usedUs = user + system
    // Short work that was interrupted is tried again.
    if (usedUs > minUsedMs * 1_000 || times === minSlowTimes) return usedUs / 1_000
  }
}

/** Returns the CPU time that work takes, and stops it when that is longer than `maxMs`. */
function processorMs(work: Work, maxMs: number): number {
  for (let untilMs = 2 * maxMs; ; untilMs *= 2) {
    let isUnfinished = false
    const ms = usedMs(() => (isUnfinished = isStopped(work, untilMs)))
    if (!isUnfinished || ms > maxMs) return ms
  }
}

const globals: { work?: Work } = createContext()

/** Stops work after a time. Returns whether that was necessary. */
function isStopped(work: Work, ms: number): boolean {
  globals.work = work
  try {
    runInContext('work()', globals, { timeout: Math.ceil(ms) })
    return false
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return true
  }
}
