import { expect, test } from 'vitest'
import { readAllPages } from '../../src/upstream/pages.ts'

function pageOf(items: readonly unknown[], totalCount: number, startRow = 1) {
  return { endpoint: 'news', startRow, totalCount, items: [...items] }
}

test('goes on until the rows reach the total count', async () => {
  const rows = Array.from({ length: 2500 }, (_, index) => index)
  const asked: number[] = []
  const items = await readAllPages(async (startRow) => {
    asked.push(startRow)
    return pageOf(rows.slice(startRow - 1, startRow + 999), rows.length, startRow)
  })
  expect(asked).toEqual([1, 1001, 2001])
  expect(items).toEqual(rows)
})

test('goes on after fewer rows than asked for', async () => {
  const asked: number[] = []
  const items = await readAllPages(async (startRow) => {
    asked.push(startRow)
    return pageOf([startRow], 3, startRow)
  })
  expect(asked).toEqual([1, 2, 3])
  expect(items).toEqual([1, 2, 3])
})

test('reads nothing as nothing', async () => {
  expect(await readAllPages(async () => pageOf([], 0))).toEqual([])
})

test('an empty page before the total count is reached is not taken for the end', async () => {
  const reading = readAllPages(async (row) => pageOf(row === 1 ? ['a'] : [], 5000, row))
  await expect(reading).rejects.toMatchObject({ kind: 'unexpected_answer' })
})

test('a service that starts at another row than asked is not believed', async () => {
  await expect(readAllPages(async () => pageOf(['a'], 3))).rejects.toMatchObject({
    kind: 'unexpected_answer',
    message: 'row 2 asked, row 1 came',
  })
})

test('gives up on an answer that never ends', async () => {
  await expect(readAllPages(async (row) => pageOf(['a'], 1e9, row))).rejects.toMatchObject({
    kind: 'unexpected_answer',
  })
})
