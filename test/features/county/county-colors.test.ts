import { expect, test } from 'vitest'
import { countyColors } from '../../../src/features/county/county-colors.ts'
import type { Department } from '../../../src/feeds/county.ts'

const department = (color?: string): Department => ({
  id: 'ashton',
  name: 'Ashton',
  place: undefined,
  publicUrl: 'https://ashton.example',
  websiteUrl: 'https://www.ashton.example',
  feedIds: [],
  calendar: undefined,
  news: [],
  items: [],
  ...(color === undefined ? {} : { color }),
})

const colorsOf = (...colors: readonly (string | undefined)[]) =>
  [
    ...countyColors(colors.map(department)).matchAll(/\[data-source='(d\d+)'\].*?--light, (#\w+)/g),
  ].map(([, name, light]) => [name, light])

test('keeps the colors of departments, if they are readable', () => {
  expect(colorsOf('#b3261e', '#1a6e34')).toEqual([
    ['d0', '#b3261e'],
    ['d1', '#1a6e34'],
  ])
  const [[, light] = []] = colorsOf('#ffff00')
  expect(light).not.toBe('#ffff00')
})

test('gives departments with the same color, or without one, different colors', () => {
  const colors = colorsOf('#b3261e', '#b3261e', undefined).map(([, light]) => light)
  expect(new Set(colors).size).toBe(3)
})

test('gives no department a color that another has chosen', () => {
  const colors = colorsOf(
    undefined,
    '#1f5fbf',
    '#1a6e34',
    ...Array.from({ length: 30 }, () => undefined),
  )
  expect(new Set(colors.map(([, light]) => light)).size).toBe(33)
})
