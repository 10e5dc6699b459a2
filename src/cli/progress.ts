import type { CommandContext } from './command.ts'
import { isTerminal, type Output } from './output.ts'

/** Interval at which the time is updated, so that a waiting command does not look stuck. */
const tickMs = 1_000
/** Minimum interval between updates of the line. */
const drawMs = 100
const clearLine = '\r\u001B[K'

export type ReportProgress = (step: string, done?: number, total?: number) => void

/** Shows progress and running time in one terminal line, unless output is piped or JSON. */
export function showProgress(
  { stdout, stderr }: Pick<CommandContext, 'stdout' | 'stderr'>,
  { json: isJson }: { readonly json?: boolean | undefined },
) {
  const isShown = !isJson && columnsOf(stdout) > 0 && columnsOf(stderr) > 0
  const startedAt = performance.now()
  let text = ''
  let drawnAt = -Infinity

  function draw(): void {
    drawnAt = performance.now()
    const line = `${text}, ${Math.floor((drawnAt - startedAt) / 1_000)} s`
    stderr.stream.write(clearLine)
    stderr.write(line.slice(0, columnsOf(stderr) - 1))
  }

  function clear(): void {
    if (drawnAt > -Infinity) stderr.stream.write(clearLine)
    drawnAt = -Infinity
  }

  const report: ReportProgress = (step, done, total) => {
    const count = done === undefined ? '' : `: ${done}${total === undefined ? '' : ` of ${total}`}`
    text = `${step}${count}`
    if (isShown && performance.now() - drawnAt >= drawMs) draw()
  }

  const tick = () => text !== '' && draw()
  const timer = isShown ? setInterval(tick, tickMs) : undefined
  return {
    report,
    clear,
    [Symbol.dispose](): void {
      clearInterval(timer)
      clear()
    },
  }
}

/** Returns the width of a terminal, which may be unknown, or 0 for other outputs. */
function columnsOf(output: Output): number {
  const { columns } = output.stream as Partial<NodeJS.WriteStream>
  return isTerminal(output) ? columns || 80 : 0
}
