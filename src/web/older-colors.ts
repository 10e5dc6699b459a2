const lightDark = /light-dark\(([^,()]+), ([^,()]+)\)/g

/** Matches up to two levels of parentheses, as in `color-mix(in srgb, var(--a, var(--b)) 9%, red)`. */
const colorMix = /color-mix\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g

/**
 * Replaces color functions that browsers from before 2024 lack. Style sheets
 * that set `color-scheme` also set `--light` and `--dark`: one to `initial`, so that its fallback is used, and
 * the other to nothing.
 * Browsers without `color-mix()` show `--unmixed`.
 */
export function withOlderColors(css: string): string {
  return css
    .replaceAll(lightDark, 'var(--light, $1) var(--dark, $2)')
    .replaceAll(colorMix, 'var(--unmixed, $&)')
}
