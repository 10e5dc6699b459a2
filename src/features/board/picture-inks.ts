import { accentColors } from '../../feeds/identity.ts'
import { drawnColorNear, paletteFor } from '../../pictures/palettes.ts'
import type { Inks } from '../../signage/picture/canvas.ts'
import type { PictureOptions } from './picture-options.ts'

/** Returns colors that a display can show clearly. With few colors, thin gray text would break up. */
export function inksFor(
  { colors, theme, accent: chosen }: PictureOptions,
  siteColor: string,
): Inks {
  const palette = paletteFor(colors)
  const black = { paper: '#ffffff', text: '#000000', muted: '#000000', accent: '#000000' }
  const plain = { ...black, open: '#000000', alarm: '#000000', onAlarm: '#ffffff' }
  const bar = (color: string) => drawnColorNear(palette, color)
  if (palette.kind === 'inks') return { ...plain, accent: '#ff0000', alarm: '#ff0000', bar }
  if (colors === '16') return { ...plain, muted: '#444444', bar: (color) => color }
  if (palette.kind === 'grays') return { ...plain, bar: () => undefined }
  const { light, dark } = accentColors(chosen === undefined ? siteColor : `#${chosen}`)
  if (theme === 'dark') {
    const base = { paper: '#101316', text: '#f4f5f6', muted: '#b4bcc4', accent: dark.accent }
    return { ...base, open: '#63d97f', alarm: '#7a1a12', onAlarm: '#ffffff', bar }
  }
  const base = { paper: '#ffffff', text: '#15181b', muted: '#434d57', accent: light.accent }
  return { ...base, open: '#0c6b2a', alarm: '#a3140b', onAlarm: '#ffffff', bar }
}
