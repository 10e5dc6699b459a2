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

/** Returns texts that an expression matches in part, such as its start over and over again. */
function* pumpedTexts({ source, flags }: Expression, count: number): Generator<Pumped> {
  const { pick, chance } = choices(source)
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
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
const maxSecondMs = 60
const maxGrowth = 12

/** Elapsed time after which the search for slow texts stops at its current one. */
const maxSearchMs = 50

/** Measurements in a row that have to be slow, since one can contain a garbage collection. */
const minSlowTimes = 3

type Work = () => void

/** Returns a text for which an expression takes more than linear time, if it can be found. */
export function slowTextOf(expression: Expression, count: number): string | undefined {
  const { source, flags } = expression
  const global = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  function isSlow(pumped: Pumped, timeOf: (work: Work, maxMs: number) => number): boolean {
    const timeAt = (length: number, maxMs: number) => {
      const text = textOf(pumped, length)
      return timeOf(() => text.replace(global, ''), maxMs)
    }
    if (shortLengths.some((length) => timeAt(length, maxShortMs) > maxShortMs)) return true
    if (timeAt(longLengths.first, minMs.first) <= minMs.first) return false
    const ms = timeAt(longLengths.second, maxSecondMs)
    if (ms <= minMs.second) return false
    return ms > maxSecondMs || timeAt(longLengths.last, maxGrowth * ms) > maxGrowth * ms
  }

  const byText = new Map(
    Array.from(pumpedTexts(expression, count), (pumped) => [JSON.stringify(pumped), pumped]),
  )
  const texts = [...byText.values()]
  let at = 0
  const search = () => {
    while (at < texts.length && !isSlow(texts[at] as Pumped, elapsedMs)) at += 1
  }
  for (; at < texts.length; at += 1) {
    isStopped(search, maxSearchMs)
    const pumped = texts[at]
    const isSlowAgain = () => pumped !== undefined && isSlow(pumped, processorMs)
    if (Array.from({ length: minSlowTimes }).every(isSlowAgain)) return JSON.stringify(pumped)
  }
  return undefined
}

/** Returns the time that work takes, which ends by itself. On a busy machine, it may seem longer. */
function elapsedMs(work: Work): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** Returns the CPU time that work takes, and stops it when that is longer than `maxMs`. */
function processorMs(work: Work, maxMs: number): number {
  for (let untilMs = 2 * maxMs; ; untilMs *= 2) {
    const start = process.threadCpuUsage()
    const isUnfinished = isStopped(work, untilMs)
    const { user, system } = process.threadCpuUsage(start)
    const ms = (user + system) / 1_000
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
