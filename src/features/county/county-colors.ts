import type { Department } from '../../feeds/county.ts'
import { accentColors } from '../../feeds/identity.ts'
import { withOlderColors } from '../../web/older-colors.ts'

/** Colors for departments without a color of their own. */
const otherColors = ['#1f5fbf', '#1a6e34', '#8c4a0e', '#6a3ab2', '#0f6b74', '#a3266f']

/** Returns the name of the color of a department on the county's pages. */
export const sourceOf = (index: number) => `d${index}`

/**
 * Returns a style sheet with the departments' colors, which are all different. A department without
 * a color, or with the same color as an earlier one, gets another color.
 */
export function countyColors(departments: readonly Department[]): string {
  const own = departments.map(({ color }) => color && accentColors(color))
  const used = new Set(own.map((colors) => colors && colors.light.accent))
  const others = otherColors.map(accentColors).filter(({ light }) => !used.has(light.accent))
  const kept = new Set<string>()
  const rules = own.map((colors, index) => {
    const isKept = colors && !kept.has(colors.light.accent)
    const { light, dark } = isKept ? colors : (others.shift() ?? accentColors(spreadColor(index)))
    kept.add(light.accent)
    const source = `light-dark(${light.accent}, ${dark.accent})`
    return `[data-source='${sourceOf(index)}'] { --source: ${source}; }\n`
  })
  return withOlderColors(rules.join(''))
}

/** Returns a color whose hue is far from those of lower indices. */
function spreadColor(index: number): string {
  const [goldenAngle, saturation, lightness] = [137.508, 0.65, 0.35]
  // https://www.w3.org/TR/css-color-4/#hsl-to-rgb
  const channels = [0, 8, 4].map((offset) => {
    const part = (offset + (index * goldenAngle) / 30) % 12
    const share = Math.max(-1, Math.min(part - 3, 9 - part, 1))
    return Math.round(255 * lightness * (1 - saturation * share))
  })
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
