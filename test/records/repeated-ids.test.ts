import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameOfId, websiteIdOf, withOwnIds } from '../../src/records/repeated-ids.ts'

const drill = (startDate: string, startTime = '19:00:00', id: number | string = 12) => {
  return { id, title: 'Drill', startDate, startTime }
}

const idsOf = (items: readonly unknown[]) => items.map((item) => (item as { id: number }).id)

type Readings = readonly (readonly ReturnType<typeof drill>[])[]

/** Ids after readings, each of which knows the records of the previous one. */
function idsAfter(readings: Readings) {
  let known: readonly { id: number; startDate: string }[] = []
  const used = new Set<number>()
  for (const items of readings) {
    const named = withOwnIds(items, known, used) as readonly ReturnType<typeof drill>[]
    known = named.map(({ id, startDate }) => ({ id: Number(id), startDate }))
    for (const { id } of known) used.add(id)
  }
  return known.map(({ id }) => nameOfId(String(id)))
}

const [first, second, third] = ['2026-03-05', '2026-03-12', '2026-03-19'].map((day) => drill(day))
if (!first || !second || !third) throw new TypeError('three days')

test.for<[name: string, items: readonly object[]]>([
  ['different ids', [first, drill('2026-03-05', '', 13)]],
  ['the same record twice', [first, { ...first, title: 'Other' }]],
  ['items without a day', [{ id: 1 }, { id: 1 }, null as never]],
  ['unreadable days', [drill('soon'), drill('later')]],
  ['ids that are too large', [drill('2026-03-05', '', 2 ** 28), drill('2026-03-06', '', 2 ** 28)]],
  ['days that are too far away', [drill('2150-01-01'), drill('2150-01-02')]],
])('keeps the ids of %s', ([, items]) => {
  expect(withOwnIds(items, [], [])).toBe(items)
})

describe('an id on several days', () => {
  test('becomes different ids, which name the website’s id and the day', () => {
    const ids = idsOf(withOwnIds([first, second, { ...third, id: '12' }], [], []))
    expect(ids.map(websiteIdOf)).toEqual([12, 12, 12])
    expect(ids.map((id) => nameOfId(String(id)))).toEqual([
      '12 on 2026-03-05',
      '12 on 2026-03-12',
      '12 on 2026-03-19',
    ])
    expect(Math.max(...ids)).toBeLessThan(1e15)
  })

  const own = ['12 on 2026-03-05', '12 on 2026-03-12', '12 on 2026-03-19']

  test.for<[name: string, readings: Readings, ids: readonly string[]]>([
    [
      'in every reading',
      [
        [first, second],
        [first, second],
      ],
      own.slice(0, 2),
    ],
    [
      'if the order changes',
      [
        [first, second],
        [second, first],
      ],
      [own[1] ?? '', own[0] ?? ''],
    ],
    [
      'if days are added or leave',
      [
        [first, second],
        [second, third],
      ],
      own.slice(1),
    ],
    ['if only one is left', [[first, second], [second], [second]], own.slice(1, 2)],
    [
      'of a day that the website has repeated later',
      [[first], [first, second]],
      ['12', own[1] ?? ''],
    ],
    ['of that day if it is left alone', [[first], [first, second], [first]], ['12']],
    [
      'of that day if it moves after that',
      [[first], [first, second], [first], [drill('2026-03-06')]],
      ['12'],
    ],
    ['at two times of a day', [[drill('2026-03-05', '9 AM'), first]], [own[0] ?? '', own[0] ?? '']],
  ])('stays the same %s', ([, readings, ids]) => {
    expect(idsAfter(readings)).toEqual(ids)
  })

  test('differs at two times of a day, but not for copies', () => {
    const morning = drill('2026-03-05', '09:00')
    const ids = idsOf(withOwnIds([first, morning, { ...first }], [], []))
    expect(new Set(ids).size).toBe(2)
    expect(ids[0]).toBe(ids[2])
  })

  test('has an id for each of a thousand days', () => {
    const days = Array.from({ length: 1000 }, (_, index) =>
      drill(new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)),
    )
    expect(new Set(idsOf(withOwnIds(days, [], []))).size).toBe(1000)
  })
})

test('gives every id and day an id of its own', () => {
  const day = fc
    .integer({ min: 0, max: 65_535 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
  const id = fc.integer({ min: 1, max: 2 ** 28 - 1 })
  fc.assert(
    fc.property(id, id, day, day, (one, other, a, b) => {
      fc.pre(a !== b && a !== '1970-01-01' && b !== '1970-01-01')
      const items = [one, other].flatMap((each) => [drill(a, '', each), drill(b, '', each)])
      const ids = idsOf(withOwnIds(items, [], []))
      expect(new Set(ids).size).toBe(one === other ? 2 : 4)
      expect(ids.map(websiteIdOf)).toEqual([one, one, other, other])
    }),
  )
})

test('names very many times of a day in linear time', () => {
  const times = Array.from({ length: 86_400 }, (_, second) =>
    new Date(second * 1000).toISOString().slice(11, 19),
  )
  const start = process.cpuUsage()
  withOwnIds(
    times.map((time) => drill('2026-03-05', time)),
    [],
    [],
  )
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(2000)
})
