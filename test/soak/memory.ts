import type { Deployment } from './deployment.ts'
import type { Measurement } from './messages.ts'
import { dayMs } from './soak-time.ts'

/** Days after a start in which caches may fill. */
const warmUpDays = 3

/** Number of days at each end of a process's life that are compared. */
const comparedDays = 5

/** Largest growth in any number of days: of the heap, and of the resident memory, which varies more. */
const maxGrowth = {
  heap: { share: 0.1, bytes: 4 * 2 ** 20 },
  resident: { share: 0.2, bytes: 2 ** 24 },
}

type Sample = { readonly at: number } & Pick<Measurement, 'heapBytes' | 'residentBytes'>

export type MemoryFigures = ReturnType<typeof figuresFrom>

export type MemoryRecord = ReturnType<typeof createMemoryRecord>

/** Records the memory of every process once a day. */
export function createMemoryRecord() {
  const lives = new Map<string, { readonly service: string; readonly samples: Sample[] }>()
  return {
    add(deployment: Deployment, name: string, startedAt: number, sample: Sample): void {
      const service = `${deployment.name}, ${name}`
      const key = `${service} ${startedAt}`
      const life = lives.get(key) ?? { service, samples: [] }
      lives.set(key, life)
      if (sample.at >= startedAt + warmUpDays * dayMs) life.samples.push(sample)
    },
    /** Returns the figures of all processes that lived long enough for a comparison. */
    figures: (): readonly MemoryFigures[] =>
      [...lives.values()]
        .filter(({ samples }) => samples.length >= 2 * comparedDays)
        .map(({ service, samples }) => figuresFrom(service, samples)),
  }
}

/** Compares the memory of one process at both ends of its life. */
function figuresFrom(service: string, samples: readonly Sample[]) {
  const ends = (key: 'heapBytes' | 'residentBytes') =>
    [
      medianOf(samples.slice(0, comparedDays).map((sample) => sample[key])),
      medianOf(samples.slice(-comparedDays).map((sample) => sample[key])),
    ] as const
  const [heapBytes, residentBytes] = [ends('heapBytes'), ends('residentBytes')]
  return {
    service,
    days: samples.length + warmUpDays,
    heapBytes,
    residentBytes,
    isFlat: isFlat(heapBytes, maxGrowth.heap) && isFlat(residentBytes, maxGrowth.resident),
  }
}

function isFlat(
  [first, last]: readonly [first: number, last: number],
  { share, bytes }: { readonly share: number; readonly bytes: number },
): boolean {
  return last - first <= Math.max(first * share, bytes)
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
