import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { siteDateTime } from '../site-dates.ts'

const retentionMs = 90 * 24 * 60 * 60 * 1000
/**
 * Maximum number of stored calls without a project. Such calls are not throttled, and anyone can
 * make them.
 */
const maxCallsWithoutProject = 100_000
const pruneEveryMs = 60 * 60 * 1000
const latestCalls = 50

/** A call and its outcome. */
export type LoggedCall = {
  /** Project that the token belongs to, even if the token was rejected. */
  readonly projectId: number | undefined
  /** Name of the endpoint, or an empty string for an unknown path. */
  readonly endpoint: string
  readonly status: number
  /** Error code, or an empty string on success. */
  readonly code: string
  readonly address: string
}

export type Tally = {
  readonly name: string
  readonly calls: number
  readonly failures: number
}

export type Statistics = {
  readonly total: Tally
  /** By site date, newest first. */
  readonly days: readonly Tally[]
  readonly endpoints: readonly Tally[]
  readonly codes: readonly Tally[]
  /** Newest first. The time in `at` is in site time. */
  readonly latest: readonly (Omit<LoggedCall, 'projectId'> & { readonly at: string })[]
}

export type CallLog = {
  readonly add: (call: LoggedCall) => void
  /** Returns a project's statistics for the last 90 days, or those for calls without a project. */
  readonly statistics: (projectId: number | undefined) => Statistics
}

type Row = Readonly<Record<string, SQLOutputValue>>

/** Creates a log that keeps calls for 90 days. */
export function createCallLog(
  database: DatabaseSync,
  { now, timeZone }: { readonly now: () => number; readonly timeZone: string },
): CallLog {
  const insert = database.prepare(
    `INSERT INTO calls (at, day, project_id, endpoint, status, code, address)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const prune = database.prepare('DELETE FROM calls WHERE at <= ?')
  const pruneNoProject = database.prepare(
    `DELETE FROM calls WHERE project_id IS NULL AND id <=
     (SELECT id FROM calls WHERE project_id IS NULL ORDER BY id DESC LIMIT 1 OFFSET ?)`,
  )
  const tallyBy = (column: 'day' | 'endpoint' | 'code', order: string) =>
    database.prepare(
      `SELECT ${column} AS name, count(*) AS calls, sum(code <> '') AS failures
       FROM calls WHERE project_id IS ? GROUP BY ${column} ORDER BY ${order}`,
    )
  const byDay = tallyBy('day', 'name DESC')
  const byEndpoint = tallyBy('endpoint', 'calls DESC, name')
  const byCode = tallyBy('code', 'calls DESC, name')
  const selectLatest = database.prepare(
    'SELECT * FROM calls WHERE project_id IS ? ORDER BY id DESC LIMIT ?',
  )
  let nextPruneAt = -Infinity

  function pruneWhenDue(): void {
    if (now() < nextPruneAt) return
    nextPruneAt = now() + pruneEveryMs
    prune.run(now() - retentionMs)
    pruneNoProject.run(maxCallsWithoutProject)
  }

  return {
    add({ projectId, endpoint, status, code, address }) {
      pruneWhenDue()
      const day = siteDateTime(now(), timeZone).slice(0, 10)
      insert.run(now(), day, projectId ?? null, endpoint, status, code, address)
    },
    statistics(projectId) {
      pruneWhenDue()
      const project = projectId ?? null
      const codes = byCode.all(project).map(tallyFrom)
      return {
        total: sumOf(codes),
        days: byDay.all(project).map(tallyFrom),
        endpoints: byEndpoint.all(project).map(tallyFrom),
        codes,
        latest: selectLatest.all(project, latestCalls).map((row) => callFrom(row, timeZone)),
      }
    },
  }
}

function tallyFrom({ name, calls, failures }: Row): Tally {
  return { name: String(name), calls: Number(calls), failures: Number(failures) }
}

function sumOf(tallies: readonly Tally[]): Tally {
  const sum = (key: 'calls' | 'failures') => tallies.reduce((total, tally) => total + tally[key], 0)
  return { name: 'total', calls: sum('calls'), failures: sum('failures') }
}

function callFrom({ at, endpoint, status, code, address }: Row, timeZone: string) {
  return {
    at: siteDateTime(Number(at), timeZone),
    endpoint: String(endpoint),
    status: Number(status),
    code: String(code),
    address: String(address),
  }
}
