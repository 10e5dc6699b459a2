import type { Department } from '../../feeds/county.ts'
import { accentColors } from '../../feeds/identity.ts'
import { withOlderColors } from '../../web/older-colors.ts'

/** Colors for departments without a color of their own, in turn. */
const otherColors = ['#1f5fbf', '#1a6e34', '#8c4a0e', '#6a3ab2', '#0f6b74', '#a3266f']

/** Returns the name of the color of a department on the county's pages. */
export const sourceOf = (index: number) => `d${index}`

/** Returns a style sheet with the departments' colors. Replaces a color that an earlier department has. */
export function countyColors(departments: readonly Department[]): string {
  const used = new Set<string>()
  const rules = departments.map(({ color }, index) => {
    const isOwn = color !== undefined && !used.has(color)
    const shown = isOwn ? color : (otherColors[index % otherColors.length] ?? '')
    used.add(shown)
    const { light, dark } = accentColors(shown)
    const source = `light-dark(${light.accent}, ${dark.accent})`
    return `[data-source='${sourceOf(index)}'] { --source: ${source}; }\n`
  })
  return withOlderColors(rules.join(''))
}
