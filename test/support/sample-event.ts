import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'

const [first] = sampleDatasetOn('2026-03-05').events

/** Returns a published event of the sample at these times, like `2026-03-06T17:00:00`, or on these days. */
export function sampleEvent(
  id: number,
  start: string,
  end = start,
  change: Partial<NonNullable<typeof first>> = {},
) {
  if (!first) throw new TypeError('the sample has no events')
  const [startDate = '', startTime = ''] = start.split('T')
  const [endDate = '', endTime = ''] = end.split('T')
  const allDay = startTime === '' ? (1 as const) : (0 as const)
  return {
    ...first,
    id,
    status: 2 as const,
    startDate,
    endDate,
    allDay,
    startTime,
    endTime,
    ...change,
  }
}
