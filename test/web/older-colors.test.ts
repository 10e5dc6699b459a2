import { expect, test } from 'vitest'
import { withOlderColors } from '../../src/web/older-colors.ts'

test.for([
  ['color: light-dark(#fff, #191c1f);', 'color: var(--light, #fff) var(--dark, #191c1f);'],
  [
    'background: color-mix(in srgb, var(--a, var(--b)) 14%, var(--c));',
    'background: var(--unmixed, color-mix(in srgb, var(--a, var(--b)) 14%, var(--c)));',
  ],
  [
    '0 0 0 4px color-mix(in srgb, red 9%, blue), color-mix(in srgb, red, blue)',
    '0 0 0 4px var(--unmixed, color-mix(in srgb, red 9%, blue)), var(--unmixed, color-mix(in srgb, red, blue))',
  ],
] as const)('replaces the color in `%s`', ([given, expected]) => {
  expect(withOlderColors(given)).toBe(expected)
})
