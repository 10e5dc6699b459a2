import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  accentColors,
  contrastBetween,
  defaultColor,
  identityFrom,
  minContrast,
  mixed,
  tint,
} from '../../src/feeds/identity.ts'

test.for([
  ['Cedar Hollow Volunteer Fire Department', 'CH'],
  ['The Town of Ashton', 'TA'],
  ['Ashton', 'A'],
  ['www.example.org', 'E'],
  ['  «Éclair» club', 'ÉC'],
  ['消防団 東', '消東'],
  ['42nd Street Band', '4S'],
  ['of the', 'OT'],
  ['!!!', ''],
])('has initials for %s: %s', ([name = '', initials]) => {
  expect(identityFrom({}, name).initials).toBe(initials)
})

test.for([
  ['es-US', 'Departamento de Bomberos de Cedar Hollow', 'DB'],
  ['fr-CA', 'Service d’incendie de Lachute', 'SI'],
  ['de-DE', 'Feuerwehr der Stadt Köln', 'FS'],
])('has initials in %s for %s: %s', ([language, name = '', initials]) => {
  expect(identityFrom({}, name, language).initials).toBe(initials)
})

test('uses the chosen color, or one that belongs to the name', () => {
  expect(identityFrom({ color: '#123456' }, 'Ashton').color).toBe('#123456')
  expect(identityFrom({}, 'Ashton').color).toBe(defaultColor('Ashton'))
})

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`)

/** Page, card and board backgrounds. */
const backgrounds = {
  light: ['#ffffff', '#f7f5f2', '#f3f4f6', '#f0f2f4'],
  dark: ['#101214', '#14171a', '#1e2227', '#1f2429'],
}

test.for(['light', 'dark'] as const)('is readable on every background that is %s', (scheme) => {
  fc.assert(
    fc.property(color, (chosen) => {
      const { accent, onAccent } = accentColors(chosen)[scheme]
      for (const background of backgrounds[scheme]) {
        expect(contrastBetween(accent, background)).toBeGreaterThanOrEqual(minContrast)
        const tinted = mixed(tint, accent, background)
        expect(contrastBetween(accent, tinted)).toBeGreaterThanOrEqual(minContrast)
      }
      expect(contrastBetween(onAccent, accent)).toBeGreaterThanOrEqual(minContrast)
    }),
  )
})

test('has readable text on the color itself', () => {
  fc.assert(
    fc.property(color, (chosen) => {
      const { accent, onAccent } = accentColors(chosen).brand
      expect(accent).toBe(chosen)
      expect(contrastBetween(accent, onAccent)).toBeGreaterThanOrEqual(minContrast)
    }),
  )
})

test('measures contrast as WCAG defines it', () => {
  expect(contrastBetween('#000000', '#ffffff')).toBe(21)
  expect(contrastBetween('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

test('keeps a color that is readable, and the hue of one that is not', () => {
  expect(accentColors('#b3261e').light.accent).toBe('#b3261e')
  expect(accentColors('#ffcc00')).toEqual({
    brand: { accent: '#ffcc00', onAccent: '#000000' },
    dark: { accent: '#ffcc00', onAccent: '#14171a' },
    light: { accent: '#755e00', onAccent: '#ffffff' },
  })
  expect(accentColors('#001f3f').dark.accent).toBe('#59aaff')
})

test('chooses a default color by the name', () => {
  const chosen = ['Ashton', 'Milbrook', 'Cedar Hollow', 'Bedford', 'Dover'].map(defaultColor)
  expect(new Set(chosen).size).toBeGreaterThan(1)
  expect(defaultColor('Ashton')).toBe(chosen[0])
})
