import { expect, test } from 'vitest'
import { cacheBudgetPerSite } from '../../src/app/worker-cache-budget.ts'

const mebibyte = 1024 * 1024

test.for([
  { sites: 1, variants: 64, pictures: 48 },
  { sites: 8, variants: 64, pictures: 32 },
  { sites: 500, variants: 512 / 500, pictures: 256 / 500 },
  { sites: 1000, variants: 512 / 1000, pictures: 256 / 1000 },
])('$sites sites stay within the process’s memory budget', ({ sites, variants, pictures }) => {
  const budget = cacheBudgetPerSite(sites)
  const { variantBytes, pictureBytes, pageBytes } = budget
  expect(variantBytes).toBe(Math.floor(variants * mebibyte))
  expect(pictureBytes).toBe(Math.floor(pictures * mebibyte))
  expect(variantBytes * sites).toBeLessThanOrEqual(512 * mebibyte)
  expect(pageBytes * sites).toBeLessThanOrEqual(64 * mebibyte)
  expect(pictureBytes * sites).toBeLessThanOrEqual(256 * mebibyte)
})
