import { expect, test } from 'vitest'
import { barChart, readersChart } from '../../../src/features/admin/charts.ts'
import type { LinkApp } from '../../../src/links/link-use.ts'

const barsOf = (...counts: readonly number[]) =>
  counts.map((count, index) => ({ label: String(index), count }))

test('scales the highest bar to the height of the chart, and shows even a single one', () => {
  const { bars, height, most, total } = barChart(barsOf(0, 1, 500, 1_000))
  expect(bars.map((bar) => bar.height)).toEqual([0, 2, height / 2, height])
  expect(bars.map((bar) => bar.y + bar.height)).toEqual([height, height, height, height])
  expect([most, total]).toEqual([1_000, 1_501])
})

test('keeps bars apart and inside the chart', () => {
  const { bars, width } = barChart(barsOf(...Array.from({ length: 30 }, () => 1)))
  for (const [index, bar] of bars.entries()) {
    const next = bars[index + 1]?.x ?? width
    expect(bar.x + bar.width).toBeLessThan(next)
  }
})

test('has room for the limit, above lower bars', () => {
  expect(barChart(barsOf(50), 100)).toMatchObject({ limitY: 0, bars: [{ height: 60 }] })
  expect(barChart(barsOf(200), 100)).toMatchObject({ limitY: 60, bars: [{ height: 120 }] })
})

test('is flat without any counts', () => {
  expect(barChart(barsOf(0, 0))).toMatchObject({ most: 0, total: 0, limitY: undefined })
})

test('names the apps that read the most links on a day first', () => {
  const day = 20_000
  const linksOf = (...apps: readonly LinkApp[]) =>
    apps.map((app) => ({ fetches: [{ app, at: 0, refreshes: [], days: [day] }] }))
  const { bars } = readersChart(linksOf('Google', 'reader', 'Apple', 'Apple'), day * 86_400_000, {
    language: 'en-US',
  })
  expect(bars.at(-1)).toMatchObject({
    label: 'Oct 4',
    count: 4,
    detail: 'Apple 2, Google 1, Feed reader 1',
  })
})
