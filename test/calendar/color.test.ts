import { expect, test } from 'vitest'
import { nearestColorName, partColor } from '../../src/calendar/color.ts'
import { contrastBetween } from '../../src/feeds/identity.ts'

test.for([
  ['b22222', 'firebrick'],
  ['b52420', 'firebrick'],
  ['000001', 'black'],
  ['fefefe', 'white'],
  ['1a4fd6', 'royalblue'],
  ['808080', 'gray'],
] as const)('the CSS color nearest to %s is %s', ([digits, name]) => {
  expect(nearestColorName(digits)).toBe(name)
})

test('calendars have colors that are visible on light and dark boards, one for each id', () => {
  const colors = [1, 2, 3, 4, 5, 6].map(partColor)
  expect(new Set(colors).size).toBe(colors.length)
  expect(partColor(7)).toBe(partColor(1))
  for (const color of [...colors, partColor(0)]) {
    for (const surface of ['#262b31', '#eef0f2']) {
      expect(contrastBetween(color, surface)).toBeGreaterThan(3)
    }
  }
})
