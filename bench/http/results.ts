import type { Measurement } from './measurement.ts'
import { quartilesFrom, type Quartiles } from '../running/quartiles.ts'
import { kinds, type Kind, type Subject } from './subject.ts'

type Row = Measurement & {
  readonly server: string
  readonly kind: Kind
  /** Content coding of the calendar, or empty for a 304 response. */
  readonly coding: string
  /** CPU time per response of the raw server, divided by this server's. */
  readonly toRaw: Quartiles
}

export type Results = {
  /** Medians across the cycles. */
  readonly rows: readonly Row[]
  /** CPU time per response of nginx, divided by Feedhouse's. */
  readonly feedhouseToNginx: Readonly<Partial<Record<Kind, Quartiles>>>
}

/** Returns the results of the servers, which may have been started several times. */
export function resultsFrom(
  measured: readonly (readonly [Subject, readonly Measurement[]])[],
): Results {
  const cyclesOf = (name: string, kind: Kind) =>
    measured.flatMap(([each, cycles]) =>
      each.server.name === name && each.kind === kind ? cycles : [],
    )
  const firstStart = measured.filter(
    ([{ server, kind }], index) =>
      index ===
      measured.findIndex(([each]) => each.server.name === server.name && each.kind === kind),
  )
  const rows = firstStart.map(([{ server, kind, coding }]): Row => {
    const cycles = cyclesOf(server.name, kind)
    const medianOf = (figure: keyof Measurement) =>
      quartilesFrom(cycles.map((each) => each[figure])).median
    return {
      server: server.name,
      kind,
      coding: kind === '304' ? '' : coding,
      cpuUs: medianOf('cpuUs'),
      perSecond: medianOf('perSecond'),
      p50Ms: medianOf('p50Ms'),
      p99Ms: medianOf('p99Ms'),
      residentMib: medianOf('residentMib'),
      toRaw: capacity(cycles, cyclesOf('raw', kind)),
    }
  })
  const toNginx = kinds.flatMap((kind) => {
    const nginx = cyclesOf('nginx', kind)
    return nginx.length === 0 ? [] : [[kind, capacity(cyclesOf('feedhouse', kind), nginx)]]
  })
  return { rows, feedhouseToNginx: Object.fromEntries(toNginx) }
}

/**
 * Returns the number of responses that a server sends for each response of another server, with the
 * same CPU time.
 */
function capacity(own: readonly Measurement[], other: readonly Measurement[]): Quartiles {
  return quartilesFrom(own.map(({ cpuUs }, cycle) => (other[cycle]?.cpuUs ?? Number.NaN) / cpuUs))
}

export function resultsText({ rows, feedhouseToNginx }: Results): string {
  const tables = kinds.map((kind) => {
    const toNginx = feedhouseToNginx[kind]
    return [
      '',
      kind.padEnd(32) +
        columns(['CPU us', 'x raw', 'quartiles', 'req/s', 'p50 ms', 'p99 ms', 'MiB']),
      ...rows.filter((row) => row.kind === kind).map(rowText),
      ...(toNginx
        ? [
            `feedhouse sends ${quartilesText(toNginx)} times as many responses as nginx per CPU time`,
          ]
        : []),
      '',
    ].join('\n')
  })
  return tables.join('')
}

function rowText({ server, coding, toRaw, ...figures }: Row): string {
  const { cpuUs, perSecond, p50Ms, p99Ms, residentMib } = figures
  return (
    `${server.padEnd(22)}${coding.padEnd(10)}` +
    columns([
      cpuUs.toFixed(1),
      toRaw.median.toFixed(3),
      `${toRaw.lower.toFixed(3)}-${toRaw.upper.toFixed(3)}`,
      perSecond.toFixed(0),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      residentMib.toFixed(0),
    ])
  )
}

function columns(texts: readonly string[]): string {
  const widths = [8, 8, 15, 9, 9, 9, 6]
  return texts.map((text, index) => text.padStart(widths[index] ?? 0)).join('')
}

function quartilesText({ lower, median, upper }: Quartiles): string {
  return `${median.toFixed(2)} [${lower.toFixed(2)}-${upper.toFixed(2)}]`
}
