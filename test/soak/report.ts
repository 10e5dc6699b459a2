import type { runSoak } from './run-soak.ts'
import { dayMs } from './soak-time.ts'
import type { Polls } from './subscriber.ts'
import type { Violation } from './violations.ts'

export type SoakReport = Awaited<ReturnType<typeof runSoak>>

/** Renders a report as plain text. */
export function renderReport(report: SoakReport): string {
  const { forMs, tookMs, notes, faults, deployments, memory, violations } = report
  const lines = [
    `${Math.round(forMs / dayMs)} simulated days in ${Math.round(tookMs / 60_000)} minutes`,
    `faults: ${[...faults].map(([name, count]) => `${name} (${count})`).join(', ')}`,
    ...deployments.flatMap(({ name, calls, polls, edits }) => [
      `${name}: ${calls.total} calls, at most ${calls.busiestDay} a day; failed: ${talliesOf(calls.failed)}`,
      `${name}: ${sumOf(polls, 'requests')} requests, ${sumOf(polls, 'unchanged')} unchanged, ${sumOf(polls, 'parsed')} feeds compared; ${edits} edits`,
    ]),
    ...memory.map(
      ({ service, days, heapBytes, residentBytes }) =>
        `${service}: ${days} days, heap ${megabytes(heapBytes)}, resident ${megabytes(residentBytes)}`,
    ),
    ...notes,
    `${violations.length} violations`,
    ...violations.map((violation) => lineFrom(violation, report)),
  ]
  return `${lines.join('\n')}\n`
}

/** Describes a violation on one line. */
export function lineFrom(
  { at, service, feed, entry, sentence, count }: Violation,
  { startAt }: Pick<SoakReport, 'startAt'>,
): string {
  const day = Math.floor((at - startAt) / dayMs) + 1
  const about = [service, feed, entry].filter((part) => part !== '').join(', ')
  const times = count === 1 ? '' : ` (${count} times)`
  return `VIOLATION on day ${day}, ${new Date(at).toISOString().slice(0, 16)}: ${about}: ${sentence}${times}`
}

function talliesOf(tallies: SoakReport['deployments'][number]['calls']['failed']): string {
  return tallies.map(({ name, calls }) => `${name} ${calls}`).join(', ') || 'none'
}

function sumOf(polls: readonly Polls[], key: keyof Polls): number {
  return polls.reduce((sum, each) => sum + each[key], 0)
}

function megabytes([first, last]: readonly [number, number]): string {
  return `${(first / 2 ** 20).toFixed(1)} to ${(last / 2 ** 20).toFixed(1)} MiB`
}
